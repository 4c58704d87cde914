#include "tests/conformance/client_questions.h"

#include <algorithm>
#include <utility>

namespace stepwise::conformance {
namespace {

bool is_elicited(const Json& response, const Json& required) {
  const Json action = response.value("action", Json());
  if (action == "decline" || action == "cancel") return true;
  if (action != "accept") return false;
  const Json content = response.value("content", Json());
  return content.is_object() && std::all_of(required.begin(), required.end(), [&](const Json& name) {
           return content.contains(name.get<std::string>());
         });
}

}  // namespace

Question elicit(std::string key, const std::string& message, Json properties,
                const std::vector<std::string>& required) {
  const Json schema = {{"type", "object"}, {"properties", std::move(properties)}, {"required", required}};
  return {std::move(key),
          "elicitation",
          {{"method", "elicitation/create"}, {"params", {{"message", message}, {"requestedSchema", schema}}}}};
}

Question sample(std::string key, const std::string& prompt, int max_tokens) {
  Json messages = Json::array();
  messages.push_back({{"role", "user"}, {"content", {{"type", "text"}, {"text", prompt}}}});
  return {std::move(key),
          "sampling",
          {{"method", "sampling/createMessage"}, {"params", {{"messages", messages}, {"maxTokens", max_tokens}}}}};
}

Question list_roots(std::string key) {
  return {std::move(key), "roots", {{"method", "roots/list"}, {"params", Json::object()}}};
}

bool is_answered(const Question& question, const engine::ClientInput& client) {
  const auto found = client.responses.find(question.key);
  if (found == client.responses.end() || !found->is_object()) return false;
  if (question.capability == "elicitation") {
    return is_elicited(*found, question.request["params"]["requestedSchema"]["required"]);
  }
  if (question.capability == "sampling") return found->contains("role") && found->contains("content");
  return found->value("roots", Json()).is_array();
}

std::vector<Question> unanswered(const std::vector<Question>& questions, const engine::ClientInput& client) {
  std::vector<Question> left;
  std::copy_if(questions.begin(), questions.end(), std::back_inserter(left),
               [&](const Question& one) { return !is_answered(one, client); });
  return left;
}

engine::ClientAsk to_ask(const std::vector<Question>& questions, std::string state) {
  engine::ClientAsk ask;
  ask.state = std::move(state);
  for (const Question& one : questions) ask.requests[one.key] = one.request;
  return ask;
}

std::string sampled_text(const Json& response) {
  Json blocks = response.value("content", Json::array());
  if (blocks.is_object()) blocks = Json::array({blocks});
  std::string text;
  for (const Json& block : blocks) {
    if (block.is_object()) text += block.value("text", "");
  }
  return text;
}

}  // namespace stepwise::conformance
