#include "core/advice/gate/gate_value.h"

#include "core/advice/call_arguments.h"
#include "core/base/text.h"

namespace stepwise::advice {
namespace {

void set(Verdict& verdict, Decision decision, GateRule rule, const char* code, std::string reason) {
  verdict.decision = decision;
  verdict.rule = rule;
  verdict.code = code;
  verdict.reason = std::move(reason);
}

/// The default is what holds unless the run had set something else.
void judge_no_op(const Parameter& parameter, const std::string& value, const Context& context, Verdict& verdict) {
  const auto collected = context.set.find(parameter.name);
  const bool is_set = collected != context.set.end() && !collected->second.empty();
  if (is_set && is_same_value(collected->second, value)) {
    return set(verdict, Decision::refused, GateRule::r2, "already_set",
               parameter.name + " was " + value + " in this run already.");
  }
  if (!is_set && parameter.default_value && is_same_value(*parameter.default_value, value)) {
    set(verdict, Decision::refused, GateRule::r2, "default",
        value + " is the default of " + parameter.name + ": writing it changes nothing.");
  }
}

}  // namespace

bool is_same_value(std::string_view a, std::string_view b) {
  a = unquoted(a);
  b = unquoted(b);
  if (a == b) return true;
  const std::string low = to_lower(a);
  return (low == "true" || low == "false") && low == to_lower(b);
}

void judge_value(const Parameter& parameter, const std::string& value, const Context& context, Verdict& verdict) {
  if (!parameter.value) {
    return set(verdict, Decision::downgraded, GateRule::r1, "value_unknown",
               "The values of " + parameter.name + " are not known in a form that can be checked" +
                   (parameter.value_says.empty() ? "." : ": " + parameter.value_says + "."));
  }
  const ValueVerdict fit = parameter.value->check(value);
  if (fit.fit == Fit::no) {
    // The name is right; of a flag within it, the flag's.
    const bool is_flag = fit.piece.starts_with("--");
    verdict.nearest = {is_flag ? fit.piece.substr(0, fit.piece.find('=')) : parameter.name};
    return set(verdict, Decision::refused, GateRule::r1, "value",
               "\"" + std::string(unquoted(value)) + "\" is no value of " + parameter.name + ": " + fit.why);
  }
  if (fit.fit == Fit::undocumented) verdict.conditions.push_back("Found in source code only: " + fit.why);
  judge_no_op(parameter, value, context, verdict);
}

}  // namespace stepwise::advice
