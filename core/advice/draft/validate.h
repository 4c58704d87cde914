// Whether a draft of advice is allowed: the gate over what it proposes, its figures beside the profile's.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/advice/gate/gate.h"
#include "core/advice/rules/metric_set.h"
#include "core/base/json.h"

namespace stepwise::advice {

/// Of Markdown: {"items": [...], "figures": [...]}. An item:
///   text      as written
///   verdict   accepted, downgraded, refused: the worst that the gate says of a parameter in it
///   rule      R1...R6, "" if accepted; reason: a sentence, "" if accepted
///   nearest   names that were perhaps meant, or that are right instead
///   conditions  what accepted parameters depend on that is not known of the run: a chip, a version; absent if nothing
///   parameters  each that was not accepted: name, value, verdict, rule, reason, nearest; absent if accepted
///   lacks     of trigger, gain, example, source
///   rewrite   the item as it may be said: no parameter that the gate does not accept, nothing hidden, no gain that
///             nobody measured, and what it lacks named. Validated again no item of it is refused, none lacks anything.
/// A sentence that states what is known not to hold is an item of its own besides, refused, with what is true; a gain
/// that is claimed in figures is one too, downgraded. figures: [{text, claimed, measured, ok,
/// where}] (figures.h). `lang` of what is added: en, zh; empty: each item's own. Linear in the draft.
Json validate(const Gate& gate, const Answers& answers, std::string_view markdown, std::string_view lang);
/// Each text is one item.
Json validate(const Gate& gate, const Answers& answers, std::span<const std::string> items, std::string_view lang);

}  // namespace stepwise::advice
