// What the tools' answers say besides their `metrics`, under names of docs/metrics.md ("What rules ask for").
#pragma once

#include <string>
#include <vector>

#include "core/advice/rules/metric_set.h"

namespace stepwise::advice {

struct Fact {
  std::string name;
  Json value;        // null: the answer is there and does not know
  std::string tool;  // whose answer it is read from
};

std::vector<Fact> facts_of(const Answers& answers);

}  // namespace stepwise::advice
