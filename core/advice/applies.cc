#include "core/advice/applies.h"
#include "core/advice/words.h"
#include "core/base/text.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace stepwise::advice {
namespace {

Applies no(std::string why) { return {Applies::Answer::no, std::move(why)}; }

bool is_unknown_mode(const std::string& mode) { return mode == "undetermined" || mode == "graph_dump"; }

Applies fits_mode(const Parameter& parameter, const Context& context) {
  if (parameter.modes.empty() || has(parameter.modes, "any") || context.mode.empty()) return {};
  if (is_unknown_mode(context.mode)) {
    return {Applies::Answer::unknown, "The execution mode is " + context.mode + "; " + parameter.name + " applies in " +
                                          joined(parameter.modes) + "."};
  }
  if (!has(parameter.modes, context.mode) && !is_for_eager_part(parameter, context)) {
    return no(parameter.name + " applies in " + joined(parameter.modes) + ", not in " + context.mode + ".");
  }
  const bool is_compiled = context.mode == "ge" || context.mode == "ge_autofuse";
  if (is_compiled && !context.toolchain.empty() && !parameter.toolchains.empty() &&
      !has(parameter.toolchains, context.toolchain)) {
    return no(parameter.name + " belongs to " + joined(parameter.toolchains) + ", not to " + context.toolchain + ".");
  }
  return {};
}

/// Graph engine options reach every framework that compiles by it; ascend: whatever runs on such a device.
bool fits_framework(const Parameter& parameter, const Context& context) {
  const std::vector<std::string>& frameworks = parameter.frameworks;
  if (frameworks.empty() || context.framework.empty() || context.framework == "unknown") return true;
  return has(frameworks, "any") || has(frameworks, context.framework) ||
         (has(frameworks, "ascend") && !context.on_gpu) ||
         (has(frameworks, "ge") && !context.on_gpu && has(parameter.modes, "ge"));
}

}  // namespace

bool is_for_eager_part(const Parameter& parameter, const Context& context) {
  return context.has_eager_part && !has(parameter.modes, context.mode) && has(parameter.modes, "eager");
}

Applies applies(const Parameter& parameter, const Context& context) {
  const bool for_gpu_only = parameter.hardware.size() == 1 && parameter.hardware.front() == "gpu";
  if (for_gpu_only && !context.on_gpu) return no(parameter.name + " is for GPUs.");
  if (context.on_gpu && !parameter.hardware.empty() && !has(parameter.hardware, "gpu")) {
    return no(parameter.name + " is for " + joined(parameter.hardware) + ", not for GPUs.");
  }
  if (!context.scenario.empty() && context.scenario != "undetermined" && !parameter.scenarios.empty() &&
      !has(parameter.scenarios, context.scenario)) {
    return no(parameter.name + " is for " + joined(parameter.scenarios) + ", not for " + context.scenario + ".");
  }
  if (!fits_framework(parameter, context)) {
    return no(parameter.name + " is for " + joined(parameter.frameworks) + ", not for " + context.framework + ".");
  }
  return fits_mode(parameter, context);
}

}  // namespace stepwise::advice
