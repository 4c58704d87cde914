// validate_advice: whether somebody's draft of advice for a profile is allowed, and how it may be said.
#pragma once

#include <memory>

#include "core/advice/rules/rule_book.h"
#include "core/engine/provider.h"

namespace stepwise::engine {

Json validate_advice_declaration();
/// Errors: cancelled; usage `args.draft`.
Result<ToolResult> validate_advice(const advice::RuleBook& book,
                                   const std::shared_ptr<const advice::Knowledge>& knowledge, const Json& arguments,
                                   CallHost& host);

}  // namespace stepwise::engine
