#include "comm_overlap.h"

#include "answer.h"

namespace stepwise::comm_overlap {

int32_t comm_overlap(sdk::Call& call) {
  const auto ranks = call.args().ranks();
  if (ranks.empty()) return call.fail(sdk::Fault::usage, "args.rank", "The call names no rank.");
  const auto answer = gather(call, ranks.front());
  // What went wrong is with the host already, or the call was cancelled: both answers are emit's.
  sdk::JsonWriter w;
  if (answer && !answer->overlap && !answer->groups && (!answer->operations || answer->operations->list.empty())) {
    w.begin_object().field("status", "not_applicable");
    w.field("why", "The profile holds no device work: steps are timed by the host alone.").end_object();
  } else if (answer) {
    write_answer(w, *answer);
  }
  return call.emit(w);
}

}  // namespace stepwise::comm_overlap
