#include "protocol/jsonrpc/message.h"

#include <utility>

#include "core/base/limits.h"

namespace stepwise::jsonrpc {
namespace {

Refusal invalid(std::optional<Id> id, std::string message) {
  return Refusal{std::move(id), {kInvalidRequest, "Invalid request: " + std::move(message), nullptr}};
}

Response response(std::optional<Id> id, Json& message) {
  Response response{std::move(id), nullptr, std::nullopt};
  if (const auto result = message.find("result"); result != message.end()) response.result = std::move(*result);
  if (const auto error = message.find("error"); error != message.end()) {
    const bool is_object = error->is_object();
    const Json code = is_object ? error->value("code", Json()) : Json();
    const Json text = is_object ? error->value("message", Json()) : Json();
    response.error = ErrorObject{code.is_number_integer() ? code.get<int>() : 0,
                                 text.is_string() ? text.get<std::string>() : "", nullptr};
  }
  return response;
}

std::string envelope(Json members) {
  members["jsonrpc"] = "2.0";
  return dump_json(members);
}

}  // namespace

std::optional<Id> Id::from(const Json& value) {
  if (value.is_number_integer()) return Id(value);
  if (value.is_string() && value.get_ref<const std::string&>().size() <= kMaxIdBytes) return Id(value);
  return std::nullopt;
}

Incoming parse(std::string_view text) {
  if (text.size() > limits::kMaxMessageBytes) {
    return refusal({ErrorKind::limit, "transport.message_too_long",
                    "the message is longer than " + std::to_string(limits::kMaxMessageBytes) + " bytes.", "", ""});
  }
  auto parsed = parse_json(text);
  if (!parsed.ok()) return refusal(parsed.error());
  Json message = std::move(parsed).value();

  if (message.is_array()) return invalid(std::nullopt, "batches are not supported; send one message at a time.");
  if (!message.is_object()) return invalid(std::nullopt, "a message is a JSON object.");

  const auto id_member = message.find("id");
  const bool has_id = id_member != message.end();
  std::optional<Id> id = has_id ? Id::from(*id_member) : std::nullopt;
  const auto method = message.find("method");

  // Answers are never answered, not even bad ones: two peers would refuse each other's refusals for ever.
  const bool answers = message.contains("result") || message.contains("error");
  if (method == message.end() && answers) return response(std::move(id), message);

  const auto version = message.find("jsonrpc");
  if (version == message.end() || *version != "2.0") return invalid(std::move(id), "\"jsonrpc\" must be \"2.0\".");
  if (has_id && !id) return invalid(std::nullopt, "\"id\" must be a string of at most 1024 bytes or an integer.");
  if (method == message.end() || !method->is_string()) return invalid(std::move(id), "\"method\" must be a string.");

  Json params = Json::object();
  if (const auto given = message.find("params"); given != message.end() && !given->is_null()) {
    if (!given->is_structured()) return invalid(std::move(id), "\"params\" must be an object.");
    params = std::move(*given);
  }
  if (!id) return Notification{method->get<std::string>(), std::move(params)};
  return Request{std::move(*id), method->get<std::string>(), std::move(params)};
}

Refusal refusal(const Error& why) {
  if (why.code == "json.syntax") return Refusal{std::nullopt, {kParseError, "Parse error: " + to_text(why), nullptr}};
  return invalid(std::nullopt, to_text(why));
}

std::string result_text(const Id& id, Json result) {
  Json members = Json::object();
  members["id"] = id.json();
  members["result"] = std::move(result);
  return envelope(std::move(members));
}

std::string error_text(const std::optional<Id>& id, const ErrorObject& error) {
  Json body = {{"code", error.code}, {"message", error.message}};
  if (!error.data.is_null()) body["data"] = error.data;
  Json members = Json::object();
  if (id) members["id"] = id->json();
  members["error"] = std::move(body);
  return envelope(std::move(members));
}

std::string request_text(const Id& id, std::string_view method, Json params) {
  Json members = Json::object();
  members["id"] = id.json();
  members["method"] = method;
  members["params"] = std::move(params);
  return envelope(std::move(members));
}

std::string notification_text(std::string_view method, Json params) {
  Json members = Json::object();
  members["method"] = method;
  members["params"] = std::move(params);
  return envelope(std::move(members));
}

}  // namespace stepwise::jsonrpc
