#include "core/ingest/timeline/kernel_links.h"

#include <algorithm>

#include "stepwise/tables_device.hpp"

namespace stepwise::ingest {
namespace {

namespace column = table::kernel_link;

const char* to_string(Launch::How how) {
  switch (how) {
    case Launch::How::correlation:
      return "correlation";
    case Launch::How::external_id:
      return "external_id";
    case Launch::How::connection:
      return "connection";
    case Launch::How::flow:
      return "flow";
    case Launch::How::time:
    case Launch::How::unknown:
      break;
  }
  return "time";
}

template <size_t I>
void row_or_null(store::TableBuilder& rows, table::Col<table::Type::i64, I> col, uint32_t row) {
  if (row == Launch::kNone) {
    rows.null(col);
  } else {
    rows.append(col, int64_t{row});
  }
}

uint32_t at_or_none(const std::vector<uint32_t>& rows, uint32_t row) {
  return row < rows.size() ? rows[row] : Launch::kNone;
}

}  // namespace

void fill_kernel_links(const std::vector<Launch>& launches, const PythonOf& python, store::SegmentBuilder& out) {
  if (std::none_of(launches.begin(), launches.end(), [](const Launch& launch) { return launch.is_row(); })) return;
  store::TableBuilder& rows = out.table(column::kTable);
  for (size_t kernel = 0; kernel < launches.size(); ++kernel) {
    const Launch& launch = launches[kernel];
    if (!launch.is_row()) continue;
    rows.append(column::kernel_id, static_cast<int64_t>(kernel));
    row_or_null(rows, column::host_op_id, launch.host_op);
    row_or_null(rows, column::runtime_api_id, launch.call);
    row_or_null(rows, column::python_call_id,
                launch.host_op == Launch::kNone ? at_or_none(python.call, launch.call)
                                                : at_or_none(python.host_op, launch.host_op));
    row_or_null(rows, column::device_task_id, launch.slice);
    if (launch.step == kNoNumber) {
      rows.null(column::step);
    } else {
      rows.append(column::step, launch.step);
    }
    rows.append(column::how, to_string(launch.how));
    rows.end_row();
  }
}

void report_launches(const std::vector<Launch>& launches, std::span<const int64_t> kernel_start_ns,
                     std::span<const int64_t> call_start_ns, const std::string& file, Diagnostics& diagnostics) {
  uint64_t unlinked = 0, called = 0, early = 0;
  int64_t most_ns = 0;
  for (size_t kernel = 0; kernel < launches.size(); ++kernel) {
    const Launch& launch = launches[kernel];
    unlinked += launch.is_known() ? 0 : 1;
    if (launch.call == Launch::kNone) continue;
    ++called;
    const int64_t early_ns = call_start_ns[launch.call] - kernel_start_ns[kernel];
    if (early_ns <= 0) continue;
    ++early;
    most_ns = std::max(most_ns, early_ns);
  }
  diagnostics.count(Diag::kernel_unlinked, file, std::nullopt, unlinked,
                    "They are " + std::to_string(unlinked) + " of " + std::to_string(launches.size()) + ".");
  diagnostics.count(early * 2 > called ? Diag::launch_clocks_differ : Diag::launch_after_kernel, file, std::nullopt,
                    early,
                    "They are " + std::to_string(early) + " of " + std::to_string(called) + ", by up to " +
                        std::to_string(most_ns) + " ns.");
}

void report_lost_launches(uint64_t lost, uint64_t launching, std::optional<int64_t> first, const std::string& file,
                          Diagnostics& diagnostics) {
  if (!is_large_share(lost, launching)) return;
  diagnostics.count(Diag::launch_without_kernel, file, first, lost,
                    "They are " + std::to_string(lost) + " of " + std::to_string(launching) + ".");
}

}  // namespace stepwise::ingest
