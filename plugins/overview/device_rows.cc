#include "device_rows.h"

#include <algorithm>
#include <map>

namespace stepwise::overview {
namespace {

namespace kernel = table::kernel;

Interval row_interval(const sdk::TableView& view, uint64_t row) {
  const int64_t start_ns = view[kernel::start_ns][row];
  return {start_ns, start_ns + view[kernel::dur_ns][row]};
}

}  // namespace

bool is_gpu(const sdk::Call& call) { return call.args().profile().kind == "kineto"; }

std::optional<Window> window_of_device_rows(const sdk::Call& call, const sdk::TableView& kernels,
                                            std::optional<int64_t> step) {
  const auto step_of = kernels[kernel::step];
  const auto class_ = kernels[kernel::class_];
  Intervals computing, communication, copies;
  call.for_each_row(kernels.rows(), [&](uint64_t row) {
    if (step && step_of.get(row) != step) return;
    Intervals& kind = class_[row] == "communication" ? communication : class_[row] == "copy" ? copies : computing;
    kind.push_back(row_interval(kernels, row));
  });
  Intervals all = computing;
  for (const Intervals* kind : {&communication, &copies}) all.insert(all.end(), kind->begin(), kind->end());
  all = unite(std::move(all));
  if (all.empty()) return std::nullopt;
  computing = unite(std::move(computing));
  communication = unite(std::move(communication));
  const Intervals exposed = subtract(communication, computing);

  Step one;
  one.number = step;
  one.computing_ns = total_ns(computing);
  one.communication_ns = total_ns(communication);
  one.not_overlapped_ns = total_ns(exposed);
  one.overlapped_ns = one.communication_ns - one.not_overlapped_ns;
  one.copy_not_overlapped_ns = total_ns(all) - one.computing_ns - one.not_overlapped_ns;
  one.stage_ns = all.back().end_ns - all.front().start_ns;
  one.free_ns = one.stage_ns - total_ns(all);
  Window window;
  window.steps = {one};
  window.sum = one;
  window.file = kernels.source_file();
  window.tells_copies = true;
  window.text = (step ? "the device rows that step " + std::to_string(*step) + " launched" : "all device rows") +
                std::string(", from the first start to the last end");
  return window;
}

Steps steps_of_host(const sdk::Call& call, const sdk::TableView& step_table,
                    const std::optional<sdk::TableView>& kernels) {
  namespace step = table::step;
  std::map<int64_t, Intervals> computing_of;
  if (kernels) {
    const auto step_of = (*kernels)[kernel::step];
    const auto class_ = (*kernels)[kernel::class_];
    call.for_each_row(kernels->rows(), [&](uint64_t row) {
      const auto n = step_of.get(row);
      if (n && class_[row] != "communication" && class_[row] != "copy") {
        computing_of[*n].push_back(row_interval(*kernels, row));
      }
    });
  }
  Steps out;
  out.file = step_table.source_file();
  out.by_host = true;
  call.for_each_row(step_table.rows(), [&](uint64_t row) {
    const auto number = step_table[step::step].get(row), start_ns = step_table[step::start_ns].get(row),
               end_ns = step_table[step::end_ns].get(row);
    if (!number || !start_ns || !end_ns) return;
    Step one;
    one.number = number;
    one.stage_ns = total_ns({{*start_ns, *end_ns}});
    one.row = step_table[step::src_pos][row];
    if (const auto it = computing_of.find(*number); it != computing_of.end()) {
      one.computing_ns = total_ns(unite(it->second));
    }
    out.steps.push_back(one);
  });
  std::stable_sort(out.steps.begin(), out.steps.end(),
                   [](const Step& a, const Step& b) { return a.number < b.number; });
  return out;
}

}  // namespace stepwise::overview
