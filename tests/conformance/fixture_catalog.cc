#include "tests/conformance/fixture_catalog.h"

#include <string_view>
#include <utility>

#include "tests/conformance/client_questions.h"
#include "tests/conformance/content.h"

namespace stepwise::conformance {
namespace {

using Contents = std::vector<mcp::ResourceContents>;

constexpr std::string_view kScheme = "test://";
constexpr std::string_view kTemplateStart = "test://template/";
constexpr std::string_view kTemplateEnd = "/data";
constexpr const char* kTemplate = "test://template/{id}/data";

/// "" : the address is not of the template.
std::string id_of(std::string_view uri) {
  if (!uri.starts_with(kTemplateStart) || !uri.ends_with(kTemplateEnd)) return "";
  if (uri.size() <= kTemplateStart.size() + kTemplateEnd.size()) return "";
  const auto id = uri.substr(kTemplateStart.size(), uri.size() - kTemplateStart.size() - kTemplateEnd.size());
  return id.find('/') == std::string_view::npos ? std::string(id) : "";
}

Json from_user(Json content) { return {{"role", "user"}, {"content", std::move(content)}}; }

mcp::PromptMessages messages(Json list) { return {"", std::move(list)}; }

mcp::CatalogAnswer<mcp::PromptMessages> asking_prompt(const engine::ClientInput& client) {
  const Question question =
      elicit("user_context", "What context should the prompt use?", {{"context", {{"type", "string"}}}}, {"context"});
  if (!is_answered(question, client)) {
    if (client.capabilities.contains("elicitation")) return to_ask({question});
    return Error{ErrorKind::usage, engine::kNeedsCapability, "This prompt asks the user.", "", "elicitation"};
  }
  const Json content = client.responses["user_context"].value("content", Json::object());
  return messages(Json::array({from_user(text_block("Use this context: " + dump_json(content)))}));
}

}  // namespace

std::vector<mcp::Resource> FixtureCatalog::resources() const {
  const auto resource = [](const char* uri, const char* name, const char* description, const char* mime_type) {
    return mcp::Resource{uri, name, "", description, mime_type, std::nullopt};
  };
  return {resource("test://static-binary", "static-binary", "A picture that never changes.", "image/png"),
          resource("test://static-text", "static-text", "A text that never changes.", "text/plain"),
          resource(kWatchedResource, "watched-resource", "A text that can be subscribed to.", "text/plain")};
}

std::vector<mcp::ResourceTemplate> FixtureCatalog::templates() const {
  return {{kTemplate, "template", "", "Data for an id.", "application/json"}};
}

std::optional<mcp::CatalogAnswer<Contents>> FixtureCatalog::read(const std::string& uri,
                                                                 const engine::ClientInput&) const {
  if (uri == "test://static-text") {
    return Contents{{uri, "text/plain", "This is the content of the static text resource.", false}};
  }
  if (uri == "test://static-binary") return Contents{{uri, "image/png", kPicture, true}};
  if (uri == kWatchedResource) return Contents{{uri, "text/plain", "Watched resource content.", false}};
  if (const std::string id = id_of(uri); !id.empty()) {
    const Json data = {{"id", id}, {"templateTest", true}, {"data", "Data for ID: " + id}};
    return Contents{{uri, "application/json", dump_json(data), false}};
  }
  if (!uri.starts_with(kScheme)) return std::nullopt;
  return Error{ErrorKind::not_found, "resource.unknown", "There is no resource " + uri + ".", "", uri};
}

std::vector<mcp::Prompt> FixtureCatalog::prompts() const {
  const auto prompt = [](const char* name, const char* description, std::vector<mcp::PromptArgument> arguments = {}) {
    return mcp::Prompt{name, "", description, std::move(arguments)};
  };
  return {prompt("test_input_required_result_prompt", "Asks the user first."),
          prompt("test_prompt_with_arguments", "Says its arguments.",
                 {{"arg1", "First test argument", true}, {"arg2", "Second test argument", true}}),
          prompt("test_prompt_with_embedded_resource", "Holds a resource.",
                 {{"resourceUri", "Address of the resource", true}}),
          prompt("test_prompt_with_image", "Holds a picture."), prompt("test_simple_prompt", "Says a sentence.")};
}

std::optional<mcp::CatalogAnswer<mcp::PromptMessages>> FixtureCatalog::prompt(
    const std::string& name, const std::map<std::string, std::string>& arguments,
    const engine::ClientInput& client) const {
  if (name == "test_input_required_result_prompt") return asking_prompt(client);
  if (name == "test_simple_prompt") {
    return messages(Json::array({from_user(text_block("This is a simple prompt for testing."))}));
  }
  if (name == "test_prompt_with_arguments") {
    const std::string text =
        "Prompt with arguments: arg1='" + arguments.at("arg1") + "', arg2='" + arguments.at("arg2") + "'";
    return messages(Json::array({from_user(text_block(text))}));
  }
  if (name == "test_prompt_with_embedded_resource") {
    const Json resource =
        resource_block(arguments.at("resourceUri"), "text/plain", "Embedded resource content for testing.");
    return messages({from_user(resource), from_user(text_block("Please process the embedded resource above."))});
  }
  if (name == "test_prompt_with_image") {
    return messages({from_user(picture_block()), from_user(text_block("Please analyze the image above."))});
  }
  return std::nullopt;
}

std::optional<mcp::CatalogAnswer<mcp::Completion>> FixtureCatalog::complete(const mcp::CompletionAsk& ask) const {
  const bool known = ask.of_prompt ? ask.ref == "test_prompt_with_arguments" : ask.ref == kTemplate;
  if (!known) return std::nullopt;
  mcp::Completion completion;
  for (const char* word : {"paris", "park", "party", "test", "tests"}) {
    if (std::string_view(word).starts_with(ask.value)) completion.values.emplace_back(word);
  }
  return completion;
}

}  // namespace stepwise::conformance
