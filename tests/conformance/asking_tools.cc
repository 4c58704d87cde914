#include "tests/conformance/asking_tools.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "tests/conformance/client_questions.h"
#include "tests/conformance/content.h"

namespace stepwise::conformance {
namespace {

using engine::ClientInput;
using engine::ToolResult;

Json text_field(const char* description) { return {{"type", "string"}, {"description", description}}; }

Question ask_name() { return elicit("user_name", "What is your name?", {{"name", text_field("Your name")}}, {"name"}); }

Question ask_capital() { return sample("capital_question", "What is the capital of France?", 100); }

Question ask_confirmation() {
  return elicit("confirm", "Please confirm", {{"ok", {{"type", "boolean"}, {"description", "Go on?"}}}}, {"ok"});
}

Error needs(const std::string& capability) {
  return {ErrorKind::usage, engine::kNeedsCapability, "This tool asks the client, which does not declare " + capability,
          "Declare the capability.", capability};
}

/// What is to be asked still; nullopt: everything is answered.
std::optional<Result<ToolResult>> ask_first(const std::vector<Question>& questions, const ClientInput& client,
                                            const std::string& state = "") {
  const auto left = unanswered(questions, client);
  if (left.empty() && client.state == state) return std::nullopt;
  const auto& asked = left.empty() ? questions : left;
  for (const Question& one : asked) {
    if (!client.capabilities.contains(one.capability)) return needs(one.capability);
  }
  ToolResult result;
  result.ask = to_ask(asked, state);
  return result;
}

std::string name_of(const ClientInput& client) {
  const Json content = client.responses["user_name"].value("content", Json::object());
  return content.value("name", Json()).is_string() ? content["name"].get<std::string>() : "stranger";
}

std::string told(const Json& response) {
  return "action=" + response["action"].get<std::string>() +
         ", content=" + dump_json(response.value("content", Json::object()));
}

/// One round: the questions, then what the answers make.
template <class Answer>
Result<ToolResult> one_round(const std::vector<Question>& questions, const ClientInput& client, Answer answer,
                             const std::string& state = "") {
  if (auto asked = ask_first(questions, client, state)) return *std::move(asked);
  return said(answer());
}

Result<ToolResult> call_sampling(const Json& arguments, const ClientInput& client) {
  return one_round({sample("answer", arguments.value("prompt", ""), 100)}, client,
                   [&] { return "LLM response: " + sampled_text(client.responses["answer"]); });
}

Result<ToolResult> call_elicitation(const Json& arguments, const ClientInput& client) {
  const Json properties = {{"username", text_field("User's response")}, {"email", text_field("User's email address")}};
  return one_round({elicit("user", arguments.value("message", ""), properties, {"username", "email"})}, client,
                   [&] { return "User response: " + told(client.responses["user"]); });
}

Result<ToolResult> call_defaults(const Json&, const ClientInput& client) {
  const Json properties = {
      {"name", {{"type", "string"}, {"default", "John Doe"}}},
      {"age", {{"type", "integer"}, {"default", 30}}},
      {"score", {{"type", "number"}, {"default", 95.5}}},
      {"status", {{"type", "string"}, {"enum", {"active", "inactive", "pending"}}, {"default", "active"}}},
      {"verified", {{"type", "boolean"}, {"default", true}}}};
  return one_round({elicit("user", "Please review these values", properties, {})}, client,
                   [&] { return "Elicitation completed: " + told(client.responses["user"]); });
}

Json titled(const char* title, int count) {
  Json choices = Json::array();
  const char* const ordinals[] = {"First", "Second", "Third"};
  for (int i = 0; i < count; ++i) {
    choices.push_back({{"const", "value" + std::to_string(i + 1)}, {"title", std::string(ordinals[i]) + " " + title}});
  }
  return choices;
}

Result<ToolResult> call_enums(const Json&, const ClientInput& client) {
  const Json options = {"option1", "option2", "option3"};
  const Json properties = {{"untitledSingle", {{"type", "string"}, {"enum", options}}},
                           {"titledSingle", {{"type", "string"}, {"oneOf", titled("Option", 3)}}},
                           {"legacyEnum",
                            {{"type", "string"},
                             {"enum", {"opt1", "opt2", "opt3"}},
                             {"enumNames", {"Option One", "Option Two", "Option Three"}}}},
                           {"untitledMulti", {{"type", "array"}, {"items", {{"type", "string"}, {"enum", options}}}}},
                           {"titledMulti", {{"type", "array"}, {"items", {{"anyOf", titled("Choice", 3)}}}}}};
  return one_round({elicit("user", "Please choose", properties, {})}, client,
                   [&] { return "Elicitation completed: " + told(client.responses["user"]); });
}

Result<ToolResult> call_greeting(const Json&, const ClientInput& client) {
  return one_round({ask_name()}, client, [&] { return "Hello, " + name_of(client) + "!"; });
}

Result<ToolResult> call_capital(const Json&, const ClientInput& client) {
  return one_round({ask_capital()}, client, [&] { return sampled_text(client.responses["capital_question"]); });
}

Result<ToolResult> call_roots(const Json&, const ClientInput& client) {
  return one_round({list_roots("client_roots")}, client, [&] {
    std::string text = "The client's roots:";
    for (const Json& root : client.responses["client_roots"]["roots"]) text += " " + root.value("uri", "");
    return text;
  });
}

Result<ToolResult> call_with_state(const Json&, const ClientInput& client) {
  return one_round(
      {ask_confirmation()}, client, [] { return std::string("state-ok"); }, "asked once");
}

Result<ToolResult> call_many(const Json&, const ClientInput& client) {
  return one_round(
      {ask_name(), sample("greeting", "Generate a greeting", 50), list_roots("client_roots")}, client,
      [&] { return sampled_text(client.responses["greeting"]) + " " + name_of(client); }, "asked three");
}

/// Two questions one after the other; the state says which was asked, and holds the first one's answer.
Result<ToolResult> call_rounds(const Json&, const ClientInput& client) {
  const Question first = elicit("step1", "Step 1: What is your name?", {{"name", text_field("Your name")}}, {"name"});
  const Question second =
      elicit("step2", "Step 2: What is your favorite color?", {{"color", text_field("A color")}}, {"color"});
  const std::string at_second = "step2";
  if (client.state != at_second) {
    if (auto asked = ask_first({first}, client, "step1")) return *std::move(asked);
  }
  if (auto asked = ask_first({second}, client, at_second)) return *std::move(asked);
  return said("Both steps are done: " + told(client.responses["step2"]));
}

/// Asks only what the client has declared.
Result<ToolResult> call_what_is_declared(const Json&, const ClientInput& client) {
  std::vector<Question> questions;
  for (Question one : {ask_name(), ask_capital()}) {
    if (client.capabilities.contains(one.capability)) questions.push_back(std::move(one));
  }
  return one_round(questions, client, [] { return std::string("Everything that could be asked is answered."); });
}

Result<ToolResult> call_needing_sampling(const Json&, const ClientInput& client) {
  if (!client.capabilities.contains("sampling")) return needs("sampling");
  return said("The client has sampling.");
}

}  // namespace

const std::vector<AskingTool>& asking_tools() {
  static const std::vector<AskingTool> tools = {
      {"test_sampling", "Asks the client's model.", {"prompt"}, call_sampling},
      {"test_elicitation", "Asks the user for a name and an address.", {"message"}, call_elicitation},
      {"test_elicitation_sep1034_defaults", "Asks with a default of each kind.", {}, call_defaults},
      {"test_elicitation_sep1330_enums", "Asks with each of the five shapes of a choice.", {}, call_enums},
      {"test_missing_capability", "Needs sampling.", {}, call_needing_sampling},
      {"test_streaming_elicitation", "Asks the user for a name.", {}, call_greeting},
      {"test_input_required_result_elicitation", "Asks the user for a name.", {}, call_greeting},
      {"test_input_required_result_sampling", "Asks the client's model for a capital.", {}, call_capital},
      {"test_input_required_result_list_roots", "Asks for the client's roots.", {}, call_roots},
      {"test_input_required_result_request_state", "Asks and keeps state.", {}, call_with_state},
      {"test_input_required_result_multiple_inputs", "Asks three things at once.", {}, call_many},
      {"test_input_required_result_multi_round", "Asks twice.", {}, call_rounds},
      {"test_input_required_result_tampered_state", "Asks and keeps state.", {}, call_with_state},
      {"test_input_required_result_capabilities", "Asks what the client can be asked.", {}, call_what_is_declared},
  };
  return tools;
}

}  // namespace stepwise::conformance
