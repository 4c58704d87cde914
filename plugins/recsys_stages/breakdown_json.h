// The answer of stage_breakdown as JSON.
#pragma once

#include "breakdown.h"
#include "call_tree.h"
#include "step_model.h"

namespace stepwise::recsys_stages {

struct Answer {
  const StepModel& model;
  const Sources& sources;
  Breakdown breakdown;
  CallTree tree;
  uint32_t tree_window = 0;
};

void write_answer(sdk::JsonWriter& w, const Answer& answer);

}  // namespace stepwise::recsys_stages
