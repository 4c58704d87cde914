// The answer of stage_breakdown as JSON.
#pragma once

#include "breakdown.h"
#include "call_tree.h"

namespace stepwise::recsys_stages {

struct Answer {
  const Sources& sources;
  Breakdown breakdown;
  CallTree tree;
  uint32_t tree_window = 0;
  uint32_t rank = 0;
  bool one_step = false;  // the caller named it
  bool has_driver_calls = false;
};

void write_answer(sdk::JsonWriter& w, const Answer& answer);

}  // namespace stepwise::recsys_stages
