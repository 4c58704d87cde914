// advise: what could be done about a profile, ranked by the share of the step that it could give back at most. Every
// row comes out of the gate (core/advice/gate).
#pragma once

#include <memory>

#include "core/advice/gate/gate.h"
#include "core/advice/rules/rule_book.h"
#include "core/engine/provider.h"

namespace stepwise::engine {

Json advise_declaration();
/// Errors: cancelled; usage `args.focus`.
Result<ToolResult> advise(const advice::RuleBook& book, const std::shared_ptr<const advice::Knowledge>& knowledge,
                          const Json& arguments, CallHost& host);

/// All that advise may give for a profile, in both languages: {"rows": [...]}, for drafts that quote it.
Json quotable_advice(const advice::RuleBook& book, const advice::Gate& gate, const advice::Answers& answers);

}  // namespace stepwise::engine
