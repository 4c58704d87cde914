// Sentences of a draft that state what is known not to hold: the `claim` entries of the knowledge base.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/advice/knowledge.h"

namespace stepwise::advice {

struct FalseClaim {
  std::string_view sentence;         // part of the text
  const Parameter* claim = nullptr;  // lives as long as the knowledge
};

/// In the order of the text, one a sentence. Gains in figures are not among them: see find_claimed_gains. Linear.
std::vector<FalseClaim> find_false_claims(std::string_view text, const Knowledge& knowledge);

/// The text with what is true in place of such sentences.
std::string without_false_claims(std::string_view text, const Knowledge& knowledge);

}  // namespace stepwise::advice
