// The words that may stand beside a figure, in both languages. Internal to core/advice/draft.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/advice/draft/quantities.h"

namespace stepwise::advice {

enum class Says : uint8_t {
  nothing,  // "the", "takes", 耗时: they change no meaning
  unknown,  // any word that is not in the list: what the figure is of is then not known for sure
  subject,  // text: as Quantities has it
  rank,     // text: its number
  not_hidden,
  hidden,
  wait,
  step,       // the word alone; its own subject, where there is no other
  operators,  // the same
  taken,      // how it is taken
  about,      // what fits is right; what does not may still be meant
  mean,       // per call of what is called, per step of what a step has
};

struct FigureWord {
  Says says = Says::unknown;
  std::string text;
  Taken taken = Taken::otherwise;
};

/// All of a clause, in order. Names of operators, calls and metrics are those that were measured. Linear.
std::vector<FigureWord> figure_words(std::string_view clause, const Quantities& quantities);

}  // namespace stepwise::advice
