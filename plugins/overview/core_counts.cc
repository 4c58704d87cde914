#include "core_counts.h"

#include <algorithm>
#include <charconv>

namespace stepwise::overview {
namespace {

namespace kernel = table::kernel;
namespace meta = table::meta;

constexpr int64_t kMostCoresOfAnyChip = 64;

std::optional<int64_t> number_of(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number <= 0) return std::nullopt;
  return number;
}

bool ends_with(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

void read_chip(const sdk::Call& call, const sdk::TableView& view, CoreCounts& counts) {
  const auto keys = view[meta::key], values = view[meta::value];
  call.for_each_row(view.rows(), [&](uint64_t row) {
    CoreCount* const count = ends_with(keys[row], ".ai_core_num") ? &counts.cube
                             : ends_with(keys[row], ".aiv_num")   ? &counts.vector
                                                                  : nullptr;
    if (count != nullptr && !count->of_chip) count->of_chip = number_of(values[row]);
  });
}

void raise(std::optional<int64_t>& largest, int64_t value) {
  if (!largest || value > *largest) largest = value;
}

}  // namespace

std::optional<CoreSide> side_of(std::string_view core_type) {
  if (core_type == "AI_CORE" || core_type == "MIX_AIC") return CoreSide::cube;
  if (core_type == "AI_VECTOR_CORE" || core_type == "MIX_AIV") return CoreSide::vector;
  return std::nullopt;
}

CoreCounts core_counts(const sdk::Call& call, const sdk::TableView& view,
                       const std::optional<sdk::TableView>& meta_table) {
  CoreCounts counts;
  if (meta_table) read_chip(call, *meta_table, counts);
  const auto core_type = view[kernel::core_type];
  const auto block_dim = view[kernel::block_dim];
  call.for_each_row(view.rows(), [&](uint64_t row) {
    const auto side = side_of(core_type[row]);
    const auto blocks = block_dim.get(row);
    if (!side || !blocks || *blocks <= 0) return;
    int64_t& largest = counts.largest_block_dim[std::string(core_type[row])];
    largest = std::max(largest, *blocks);
    if (*blocks > kMostCoresOfAnyChip) return;
    raise(*side == CoreSide::cube ? counts.cube.seen : counts.vector.seen, *blocks);
  });
  return counts;
}

}  // namespace stepwise::overview
