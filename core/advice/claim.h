// A statement that is often made and does not hold: what it says, what is true, and how a sentence that makes it is
// recognised, in English and in Chinese.
//
//   {"says": "...", "truth": "...",
//    "trigger": [{"all": ["eager", "fus|融合"], "unless": ["LAZY_FUSION"]}],
//    "makes": ["a sentence that makes it"], "makes_not": ["one that is near and does not"]}
//
// Patterns are RE2, without regard to case, found anywhere in the sentence. Immutable; any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace stepwise::advice {

class Entry;

struct Claim {
  std::string says, truth;
  std::vector<std::string> makes, makes_not;  // examples; each is as it should be when the entry has no fault

  /// The sentence as plain_letters gives it. Linear in its length.
  bool is_made_in(std::string_view plain_sentence) const;

  struct Trigger;
  std::shared_ptr<const std::vector<Trigger>> triggers;  // any of them
};

/// Faults: bad_data `knowledge.entry`, also for a pattern that is no RE2 and for an example that is not as it should
/// be.
Claim claim_from(Entry& entry);

}  // namespace stepwise::advice
