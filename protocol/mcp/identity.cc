#include "protocol/mcp/identity.h"

namespace stepwise::mcp {

Json server_info() { return {{"name", "stepwise"}, {"title", "Stepwise"}, {"version", STEPWISE_VERSION}}; }

std::string_view instructions() {
  return "Stepwise answers questions about performance profiles of training and inference on accelerators, Ascend NPUs "
         "first: where a step's time goes, which operators cost most, what to change. Usual order: open_profile with "
         "the profile's directory, summarize_profile for the whole picture, then the calls that an answer lists under "
         "`next`; list_analyses names everything else. Take changes from advise, and have your own checked by "
         "validate_advice: only verified parameters pass. Rows are ranked, most expensive first; `limit` and `cursor` "
         "show more. Times are in microseconds (`_us`), ratios run from 0 to 1. `missing` says which absent input "
         "narrowed an answer. Status `running`: a large profile is still being read; the same call again joins that "
         "work. Profiles are read, never changed.";
}

}  // namespace stepwise::mcp
