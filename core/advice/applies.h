// Whether what a parameter is for fits where it is to be used: rule R2 of docs/tools.md.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/advice/parameter.h"

namespace stepwise::advice {

/// What is known of the run; empty: unknown. Words of "Closed vocabularies" in docs/tools.md.
struct Context {
  std::string mode{}, toolchain{}, scenario{}, framework{};
  bool on_gpu = false;
  bool has_eager_part = false;  // of a mode of captured graphs: a part runs operator by operator beside them
  std::string chip{};           // as the profiler names it
  std::optional<bool> shapes_vary{};
  std::map<std::string, std::string, std::less<>> set{};  // environment variables that were set, as collected
  std::vector<std::string> enabled{};                     // ids of parameters that the profile shows at work
};

struct Applies {
  enum class Answer : uint8_t { yes, unknown, no } answer = Answer::yes;
  std::string why{};  // unless yes
};

/// An entry fits if one of its modes fits; a mode of graph compilation fits only with one of its toolchains, where the
/// toolchain is known. An eager part beside graphs is eager too. Nobody can tell for an undetermined mode, nor for one
/// that only a dumped graph proves.
Applies applies(const Parameter& parameter, const Context& context);

/// It fits no mode of the run but that of the part that runs eagerly beside its graphs.
bool is_for_eager_part(const Parameter& parameter, const Context& context);

}  // namespace stepwise::advice
