// What each figure of a text claims: of what, and how it is taken. Internal to core/advice/draft.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/advice/draft/quantities.h"

namespace stepwise::advice {

struct FigureClaim {
  std::string subject;         // as Quantities has it; empty: what it is of cannot be told for sure
  std::optional<Taken> taken;  // nullopt: not said
  bool is_about = false;       // "about 12 ms"
};

/// One for each figure, in order: out of the words before and behind it, up to a comma or to the figures beside it. A
/// word that is not in the list leaves it open, and so does a condition or a wish elsewhere in the sentence. A figure
/// in a row of them ("14.3 ms, 44 %") has the subject of the one before. Linear.
std::vector<FigureClaim> figure_claims(std::string_view text, const std::vector<QuotedFigure>& figures,
                                       const Quantities& quantities);

}  // namespace stepwise::advice
