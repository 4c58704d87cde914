#include "core/ingest/kineto_links.h"

#include <algorithm>
#include <utility>

#include "stepwise/tables_device.hpp"

namespace stepwise::ingest {
namespace {

/// Rows by an id of theirs.
class RowsById {
 public:
  /// Ids below `least` mean nothing.
  RowsById(const std::vector<int64_t>& ids, int64_t least) {
    for (size_t row = 0; row < ids.size(); ++row) {
      if (ids[row] >= least) rows_.emplace_back(ids[row], static_cast<uint32_t>(row));
    }
    std::sort(rows_.begin(), rows_.end());
  }
  /// Of several rows with one id the last that starts at or before the time, else the first.
  uint32_t find(int64_t id, int64_t time_ns, std::span<const int64_t> start_ns) const {
    // Rows are in order of start, so those of one id are too.
    const auto begin = std::lower_bound(rows_.begin(), rows_.end(), std::pair(id, uint32_t{0}));
    if (begin == rows_.end() || begin->first != id) return Launch::kNone;
    const auto behind = std::partition_point(
        begin, rows_.end(), [&](const auto& one) { return one.first == id && start_ns[one.second] <= time_ns; });
    return behind == begin ? begin->second : behind[-1].second;
  }

 private:
  std::vector<std::pair<int64_t, uint32_t>> rows_;
};

/// Of each call the innermost host operator on its thread that holds its start.
std::vector<uint32_t> innermost_host_ops(const LaunchSources& sources) {
  const SliceColumns ops = sources.host_ops.slices(), calls = sources.calls.slices();
  struct Open {
    int64_t end_ns;
    uint32_t row;
  };
  std::vector<std::vector<Open>> open_on(sources.track_count);
  const auto close_until = [&](std::vector<Open>& open, int64_t time_ns) {
    while (!open.empty() && open.back().end_ns <= time_ns) open.pop_back();
  };
  std::vector<uint32_t> innermost(calls.start_ns.size(), Launch::kNone);
  size_t next = 0;
  for (size_t call = 0; call < innermost.size(); ++call) {
    const int64_t start = calls.start_ns[call];
    for (; next < ops.start_ns.size() && ops.start_ns[next] <= start; ++next) {
      std::vector<Open>& open = open_on[ops.track[next]];
      close_until(open, ops.start_ns[next]);
      open.push_back({ops.start_ns[next] + ops.dur_ns[next], static_cast<uint32_t>(next)});
    }
    std::vector<Open>& open = open_on[calls.track[call]];
    close_until(open, start);
    if (!open.empty()) innermost[call] = open.back().row;
  }
  return innermost;
}

/// For some years External id of a kernel repeated its correlation id, and named no operator.
bool external_ids_name_operators(const KernelTable& kernels) {
  const std::vector<int64_t>&external = kernels.external_ids(), &correlation = kernels.correlation_ids();
  for (size_t row = 0; row < external.size(); ++row) {
    if (external[row] != kNoNumber && external[row] != correlation[row]) return true;
  }
  return false;
}

}  // namespace

std::vector<Launch> find_launches(const LaunchSources& sources) {
  const SliceColumns kernels = sources.kernels.slices(), ops = sources.host_ops.slices(),
                     calls = sources.calls.slices();
  const std::vector<int64_t>&correlation = sources.kernels.correlation_ids(),
        &external = sources.kernels.external_ids();
  // Correlation 0 and External id 0 stand where there is none.
  const RowsById call_of(sources.calls.link_ids(), 1), op_of(sources.host_ops.external_ids(), 1);
  const std::vector<uint32_t> innermost = innermost_host_ops(sources);
  const bool use_external = external_ids_name_operators(sources.kernels);

  std::vector<Launch> launches(kernels.start_ns.size());
  for (size_t row = 0; row < launches.size(); ++row) {
    Launch& launch = launches[row];
    const int64_t start = kernels.start_ns[row];
    launch.call = call_of.find(correlation[row], start, calls.start_ns);
    if (launch.call != Launch::kNone) {
      launch.how = Launch::How::correlation;
      launch.host_op = innermost[launch.call];
      launch.step = sources.steps.step_at(calls.start_ns[launch.call]);
    }
    if (launch.host_op != Launch::kNone || !use_external) continue;
    launch.host_op = op_of.find(external[row], start, ops.start_ns);
    if (launch.host_op == Launch::kNone || launch.how == Launch::How::correlation) continue;
    launch.how = Launch::How::external_id;
    launch.step = sources.steps.step_at(ops.start_ns[launch.host_op]);
  }
  return launches;
}

std::vector<int64_t> steps_of_kernels(const LaunchSources& sources, const std::vector<Launch>& launches) {
  const SliceColumns kernels = sources.kernels.slices();
  std::vector<int64_t> steps;
  steps.reserve(launches.size());
  for (size_t row = 0; row < launches.size(); ++row) {
    const bool is_known = launches[row].how != Launch::How::unknown;
    steps.push_back(is_known ? launches[row].step : sources.steps.step_at(kernels.start_ns[row]));
  }
  return steps;
}

void fill_kernel_links(const std::vector<Launch>& launches, store::SegmentBuilder& out) {
  namespace column = table::kernel_link;
  const auto row_or_null = [](store::TableBuilder& rows, auto col, uint32_t row) {
    if (row == Launch::kNone) {
      rows.null(col);
    } else {
      rows.append(col, int64_t{row});
    }
  };
  for (size_t kernel = 0; kernel < launches.size(); ++kernel) {
    const Launch& launch = launches[kernel];
    if (launch.how == Launch::How::unknown) continue;
    store::TableBuilder& rows = out.table(column::kTable);
    rows.append(column::kernel_id, static_cast<int64_t>(kernel));
    row_or_null(rows, column::host_op_id, launch.host_op);
    row_or_null(rows, column::runtime_api_id, launch.call);
    if (launch.step == kNoNumber) {
      rows.null(column::step);
    } else {
      rows.append(column::step, launch.step);
    }
    rows.append(column::how, launch.how == Launch::How::correlation ? "correlation" : "external_id");
    rows.end_row();
  }
}

}  // namespace stepwise::ingest
