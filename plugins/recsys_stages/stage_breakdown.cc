#include "breakdown_json.h"
#include "recsys_stages.h"
#include "step_model.h"

namespace stepwise::recsys_stages {

int32_t stage_breakdown(sdk::Call& call) {
  int32_t returned = 0;
  const auto model = read_step_model(call, WithDevice::yes, returned);
  if (!model) return returned;
  const Sources sources = model->sources();
  // The tree is of one real step, not of a mean.
  const uint32_t window = model->median_window();
  const Answer answer{*model, sources, break_down(call, sources, model->chosen),
                      build_call_tree(call, sources, window, call.args().integer("depth")), window};
  sdk::JsonWriter w;
  write_answer(w, answer);
  return call.emit(w);
}

}  // namespace stepwise::recsys_stages
