// Questions of fixtures to the client, and whether an answer to one can be used.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/engine/client.h"

namespace stepwise::conformance {

struct Question {
  std::string key;
  std::string capability;  // what the client must have declared: elicitation, sampling, roots
  Json request;
};

/// Asks the user for these properties (flat schemas by name), of which `required` must be there.
Question elicit(std::string key, const std::string& message, Json properties, const std::vector<std::string>& required);
/// Asks the client's model.
Question sample(std::string key, const std::string& prompt, int max_tokens);
Question list_roots(std::string key);

/// The answer is there and has the question's form. What is not is asked again: clients may send anything.
bool is_answered(const Question& question, const engine::ClientInput& client);

/// The questions that are not answered yet. Empty: there is nothing to ask.
std::vector<Question> unanswered(const std::vector<Question>& questions, const engine::ClientInput& client);

engine::ClientAsk to_ask(const std::vector<Question>& questions, std::string state = "");

/// The text of an answer of sampling, "" without any.
std::string sampled_text(const Json& response);

}  // namespace stepwise::conformance
