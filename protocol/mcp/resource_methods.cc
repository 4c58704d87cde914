#include "protocol/mcp/resource_methods.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "protocol/mcp/params.h"

namespace stepwise::mcp {
namespace {

using jsonrpc::ErrorObject;

constexpr size_t kMaxCompletions = 100;  // by the protocol
constexpr size_t kMaxUriBytes = 2048;    // of an address that is kept
constexpr size_t kNameColumns = 80;      // of an unknown name, as the error shows it

void put(Json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

/// The place may be what the client wrote, at any length.
std::string told(Error error) {
  error.where = shorten(error.where, kNameColumns);
  return to_text(error);
}

ErrorObject as_error(const Error& error) { return {jsonrpc::kInvalidParams, told(error), {{"code", error.code}}}; }

/// What a catalog answered, as a step; `convert` makes the result of the value, `fail` the error.
template <class T, class Convert, class Fail>
Step step_of(CatalogAnswer<T> answer, Convert convert, Fail fail) {
  if (auto* value = std::get_if<T>(&answer)) return convert(std::move(*value));
  if (auto* error = std::get_if<Error>(&answer)) return fail(*error);
  if (auto* ask = std::get_if<engine::ClientAsk>(&answer)) return std::move(*ask);
  auto& by_tool = std::get<ByTool<T>>(answer);
  Work work;
  work.request = std::move(by_tool.request);
  work.settle = [then = std::move(by_tool.then), convert, fail](engine::Answer of_tool) -> Settled {
    auto made = then(std::move(of_tool));
    if (!made.ok()) return fail(made.error());
    return convert(std::move(made).value());
  };
  return work;
}

ErrorObject unknown_resource(const std::string& uri, const std::string& why) {
  const bool is_short = uri.size() <= kMaxUriBytes;
  return {jsonrpc::kInvalidParams, why, {{"uri", is_short ? uri : shorten(uri, kNameColumns)}}};
}

template <class T, class List>
std::vector<T> sorted(const Server& server, List list, const std::string T::*key) {
  std::vector<T> all;
  for (const auto& catalog : server.catalogs) {
    auto some = ((*catalog).*list)();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  std::sort(all.begin(), all.end(), [key](const T& a, const T& b) { return a.*key < b.*key; });
  return all;
}

Json listed(const Prompt& prompt) {
  Json entry = {{"name", prompt.name}};
  put(entry, "title", prompt.title);
  put(entry, "description", prompt.description);
  Json arguments = Json::array();
  for (const PromptArgument& one : prompt.arguments) {
    Json argument = {{"name", one.name}, {"required", one.required}};
    put(argument, "description", one.description);
    arguments.push_back(std::move(argument));
  }
  if (!arguments.empty()) entry["arguments"] = std::move(arguments);
  return entry;
}

/// Arguments of prompts and contexts of completions are texts; nullopt: one is not.
std::optional<std::map<std::string, std::string>> texts(const Json& object) {
  std::map<std::string, std::string> out;
  for (const auto& [name, value] : object.items()) {
    if (!value.is_string()) return std::nullopt;
    out.emplace(name, value.get<std::string>());
  }
  return out;
}

ErrorObject bad_argument(const std::string& path, const std::string& why) {
  return {jsonrpc::kInvalidParams, "Invalid parameters: " + path + " " + why + ".", {{"path", path}}};
}

}  // namespace

std::optional<ErrorObject> bad_cursor(const Json& given) {
  const auto params = jsonrpc::read_params<ListParams>(given);
  if (const auto* refused = std::get_if<ErrorObject>(&params)) return *refused;
  const auto& cursor = std::get<ListParams>(params).cursor;
  if (!cursor || cursor->empty()) return std::nullopt;
  return bad_argument("/params/cursor", "is not a cursor of this server");
}

bool is_unknown_resource(const ErrorObject& error) { return error.data.is_object() && error.data.contains("uri"); }

bool can_subscribe(const Server& server, const std::string& uri) {
  if (uri.size() > kMaxUriBytes) return false;
  return std::any_of(server.catalogs.begin(), server.catalogs.end(), [&](const auto& catalog) {
    const auto answer = catalog->read(uri, {});
    return answer && !std::holds_alternative<Error>(*answer);
  });
}

Step list_resources(const Server& server, const Json& params, const engine::ClientInput&) {
  if (auto refused = bad_cursor(params)) return *std::move(refused);
  Json list = Json::array();
  for (const Resource& one : sorted<Resource>(server, &Catalog::resources, &Resource::uri)) {
    Json entry = {{"uri", one.uri}, {"name", one.name}};
    put(entry, "title", one.title);
    put(entry, "description", one.description);
    put(entry, "mimeType", one.mime_type);
    if (one.size_bytes) entry["size"] = *one.size_bytes;
    list.push_back(std::move(entry));
  }
  return Json{{"resources", std::move(list)}};
}

Step list_templates(const Server& server, const Json& params, const engine::ClientInput&) {
  if (auto refused = bad_cursor(params)) return *std::move(refused);
  Json list = Json::array();
  for (const auto& one : sorted<ResourceTemplate>(server, &Catalog::templates, &ResourceTemplate::uri_template)) {
    Json entry = {{"uriTemplate", one.uri_template}, {"name", one.name}};
    put(entry, "title", one.title);
    put(entry, "description", one.description);
    put(entry, "mimeType", one.mime_type);
    list.push_back(std::move(entry));
  }
  return Json{{"resourceTemplates", std::move(list)}};
}

Step read_resource(const Server& server, const Json& given, const engine::ClientInput& client) {
  const auto read = jsonrpc::read_params<ReadResourceParams>(given);
  if (const auto* refused = std::get_if<ErrorObject>(&read)) return *refused;
  const std::string& uri = std::get<ReadResourceParams>(read).uri;
  for (const auto& catalog : server.catalogs) {
    auto answer = catalog->read(uri, client);
    if (!answer) continue;
    const auto fail = [uri](const Error& error) {
      return error.code == "resource.unknown" ? unknown_resource(uri, told(error)) : as_error(error);
    };
    const auto convert = [](std::vector<ResourceContents> contents) {
      Json list = Json::array();
      for (ResourceContents& one : contents) {
        Json entry = {{"uri", one.uri}, {one.is_blob ? "blob" : "text", std::move(one.text)}};
        put(entry, "mimeType", one.mime_type);
        list.push_back(std::move(entry));
      }
      return Json{{"contents", std::move(list)}};
    };
    return step_of<std::vector<ResourceContents>>(*std::move(answer), convert, fail);
  }
  return unknown_resource(uri, "No resource has the address " + shorten(uri, kNameColumns) +
                                   ". resources/list and resources/templates/list name what there is.");
}

Step list_prompts(const Server& server, const Json& params, const engine::ClientInput&) {
  if (auto refused = bad_cursor(params)) return *std::move(refused);
  Json list = Json::array();
  for (const Prompt& one : sorted<Prompt>(server, &Catalog::prompts, &Prompt::name)) list.push_back(listed(one));
  return Json{{"prompts", std::move(list)}};
}

Step get_prompt(const Server& server, const Json& given, const engine::ClientInput& client) {
  const auto read = jsonrpc::read_params<GetPromptParams>(given);
  if (const auto* refused = std::get_if<ErrorObject>(&read)) return *refused;
  const auto& params = std::get<GetPromptParams>(read);
  const auto arguments = texts(params.arguments);
  if (!arguments) return bad_argument("/params/arguments", "must hold texts alone");
  for (const auto& catalog : server.catalogs) {
    for (const Prompt& prompt : catalog->prompts()) {
      if (prompt.name != params.name) continue;
      for (const PromptArgument& one : prompt.arguments) {
        if (one.required && !arguments->contains(one.name)) {
          return bad_argument("/params/arguments/" + one.name, "must be present");
        }
      }
    }
    auto answer = catalog->prompt(params.name, *arguments, client);
    if (!answer) continue;
    const auto convert = [](PromptMessages made) {
      Json result = {{"messages", std::move(made.messages)}};
      put(result, "description", made.description);
      return result;
    };
    return step_of<PromptMessages>(*std::move(answer), convert, as_error);
  }
  return ErrorObject{jsonrpc::kInvalidParams,
                     "Unknown prompt: " + shorten(params.name, kNameColumns) + ". prompts/list names the prompts.",
                     {{"prompt", shorten(params.name, kNameColumns)}}};
}

Step complete(const Server& server, const Json& given, const engine::ClientInput&) {
  const auto read = jsonrpc::read_params<CompleteParams>(given);
  if (const auto* refused = std::get_if<ErrorObject>(&read)) return *refused;
  const auto& params = std::get<CompleteParams>(read);
  if (params.ref_type != "ref/prompt" && params.ref_type != "ref/resource") {
    return bad_argument("/params/ref/type", "must be ref/prompt or ref/resource");
  }
  auto context = texts(params.context);
  if (!context) return bad_argument("/params/context/arguments", "must hold texts alone");
  const auto as_result = [](Completion completion) {
    const size_t total = completion.values.size();
    if (total > kMaxCompletions) completion.values.resize(kMaxCompletions);
    return Json{{"completion",
                 {{"values", std::move(completion.values)}, {"total", total}, {"hasMore", total > kMaxCompletions}}}};
  };
  const CompletionAsk ask{params.ref_type == "ref/prompt", params.ref, params.argument, params.value,
                          *std::move(context)};
  for (const auto& catalog : server.catalogs) {
    if (auto answer = catalog->complete(ask)) return step_of<Completion>(*std::move(answer), as_result, as_error);
  }
  return as_result({});
}

}  // namespace stepwise::mcp
