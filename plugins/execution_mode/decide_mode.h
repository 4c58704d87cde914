// The verdict on the execution mode from what the profile shows, in the order of proof of docs/metrics.md.
// Pure: same evidence, same verdict.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mode_evidence.h"

namespace stepwise::execution_mode {

/// Why a mode holds or does not.
struct Reason {
  bool speaks_for;
  std::string says;
  std::string file{};  // empty: the caller's words
  int64_t row = 0;     // 0: the file as a whole, e.g. for what is not in it
};

struct Verdict {
  std::string value = "undetermined";
  std::string proof = "none";
  std::optional<std::string> toolchain;
  std::vector<Reason> reasons;
  std::vector<std::string> supply;  // what would decide it
  bool has_eager_part = false;      // CUDA graphs: enough was launched one by one that eager's measures hold for it
  bool needs_host_calls = false;    // the verdict would be surer with api_statistic.csv, which is absent
  std::string declaration_problem;  // empty: none, or it was accepted
};

struct Declared {
  std::optional<std::string> execution_mode, toolchain;
};

/// Rules for GPU traces, in decide_gpu.cc. False: no CUDA graph was launched.
bool decide_by_cuda_graph(const ModeEvidence& evidence, Verdict& verdict);
void decide_gpu_eager(const ModeEvidence& evidence, Verdict& verdict);

/// A dumped graph proves that there is a graph mode, if not which; `eager` is the verdict without it, whose reasons
/// then speak the other way. False: there is no dump.
bool decide_by_dump(const ModeEvidence& evidence, const Verdict& eager, const Declared& declared, Verdict& verdict);

Verdict decide_mode(const ModeEvidence& evidence, std::string_view framework, const Declared& declared);

/// Kinds of measures (the modes of the knowledge base) that hold in a mode, and those that do not.
struct Measures {
  std::vector<std::string> applies, excludes;
};
Measures measures_for(const Verdict& verdict);

}  // namespace stepwise::execution_mode
