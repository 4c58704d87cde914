#include "core/advice/gate/carriers.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace stepwise::advice {
namespace {

// Modules that entries leave out.
constexpr auto kModules = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"DistributedDataParallel", "torch.nn.parallel."},
     {"DistributedDataParallel", "torch.nn.parallel.distributed."},
     {"CompilerConfig", "torchair."},
     {"CompilerConfig", "torchair.configs.compiler_config."}});
constexpr std::string_view kCollectives = "torch.distributed collectives";
// Those of torch.distributed that take async_op.
constexpr auto kCollectiveNames =
    std::to_array<std::string_view>({"all_reduce", "all_reduce_coalesced", "all_gather", "all_gather_into_tensor",
                                     "all_gather_coalesced", "reduce_scatter", "reduce_scatter_tensor", "all_to_all",
                                     "all_to_all_single", "broadcast", "reduce", "gather", "scatter", "barrier"});

/// "DistributedDataParallel" of "DistributedDataParallel(static_graph=...)", "CompilerConfig" of "CompilerConfig.mode";
/// empty: the name is whole by itself.
std::string_view carrier_of(std::string_view name, ParameterKind kind) {
  if (const size_t open = name.find('('); open != name.npos && kind == ParameterKind::option) {
    const std::string_view before = name.substr(0, open);
    return before.find(' ') == before.npos ? before : std::string_view{};
  }
  const size_t dot = name.find('.');
  const bool is_class = std::isupper(static_cast<unsigned char>(name[0])) != 0;
  return kind == ParameterKind::config && is_class && dot != name.npos ? name.substr(0, dot) : std::string_view{};
}

}  // namespace

Carriers::Carriers(const Knowledge& knowledge) {
  for (const Parameter& one : knowledge.parameters()) {
    if (one.status != Status::verified || one.name.empty()) continue;
    if (one.name.starts_with(kCollectives)) {
      for (const std::string_view name : kCollectiveNames) names_.insert("torch.distributed." + std::string(name));
    }
    const std::string_view carrier = carrier_of(one.name, one.kind);
    if (carrier.empty()) continue;
    names_.emplace(carrier);
    if (const size_t dot = carrier.rfind('.'); dot != carrier.npos) names_.emplace(carrier.substr(dot + 1));
    for (const auto& [name, module] : kModules) {
      if (carrier == name) names_.insert(std::string(module) + std::string(name));
    }
  }
}

}  // namespace stepwise::advice
