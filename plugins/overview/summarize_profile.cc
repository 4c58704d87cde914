#include "overview.h"
#include "summary.h"

namespace stepwise::overview {

int32_t summarize_profile(sdk::Call& call) {
  const auto summary = gather_summary(call);
  // What went wrong is with the host already, or the call was cancelled: both answers are emit's.
  sdk::JsonWriter w;
  if (summary) write_summary(w, *summary);
  return call.emit(w);
}

}  // namespace stepwise::overview
