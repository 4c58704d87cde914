#include <algorithm>
#include <array>

#include "alignment.h"

namespace stepwise::comm_overlap {
namespace {

using sdk::Call;

constexpr size_t kMaxRows = 10'000;  // what a result may hold; the rest goes into `other`
constexpr size_t kNamesOfSpan = 4;
constexpr int64_t kListedByDefault = 4;  // so that an answer is read at once

bool has_step(const Overlap& overlap, std::optional<int64_t> step) {
  return std::any_of(overlap.windows.begin(), overlap.windows.end(),
                     [step](const Breakdown& one) { return one.step == step; });
}

// Where nothing says when the host's steps end, a step's last kernel is no end of it: the profiler's own sums know the
// time behind, and the kernels where in the step communication is not hidden.
std::optional<Overlap> overlap_of_file_and_kernels(Call& call, uint32_t rank) {
  auto file = overlap_of_step_file(call, rank), kernels = overlap_of_kernels(call, rank);
  if (!kernels) return file;
  const auto in_file = [&file](const Breakdown& one) { return has_step(*file, one.step); };
  if (!file || !std::all_of(kernels->windows.begin(), kernels->windows.end(), in_file)) return kernels;
  file->uncovered = std::move(kernels->uncovered);
  return file;
}

// The most exact source that the profile has.
std::optional<Overlap> overlap_of(Call& call, const Answer& answer) {
  if (answer.is_gpu) return overlap_of_device_rows(call, answer.rank, answer.step);
  auto overlap = overlap_of_timeline(call, answer.rank);
  if (!overlap) overlap = overlap_of_host_steps(call, answer.rank);
  if (!overlap) overlap = overlap_of_file_and_kernels(call, answer.rank);
  return overlap;
}

std::string list_steps(const std::vector<Breakdown>& windows) {
  constexpr size_t kShown = 8;
  std::string text;
  for (size_t i = 0; i < windows.size() && i < kShown; ++i) {
    text += (i > 0 ? ", " : "") + (windows[i].step ? std::to_string(*windows[i].step) : std::string("unnumbered"));
  }
  if (windows.size() > kShown) text += ", ... " + std::to_string(windows.size()) + " in all";
  return text;
}

bool has_rows(Call& call, uint32_t rank, const table::TableDecl& decl) {
  const auto view = call.table(rank, decl);
  return view && view->rows() > 0;
}

// False: there is no such step, and the call has failed.
bool narrow_to_step(Call& call, uint32_t rank, int64_t step, std::optional<Overlap>& overlap) {
  const std::vector<Breakdown> all = overlap ? overlap->windows : std::vector<Breakdown>{};
  if (overlap) {
    std::erase_if(overlap->windows, [step](const Breakdown& window) { return window.step != step; });
    std::erase_if(overlap->uncovered, [step](const Uncovered& one) { return one.step != step; });
    if (!overlap->windows.empty()) return true;
  } else if (!has_rows(call, rank, table::kernel::kTable) && !has_rows(call, rank, table::comm_op::kTable)) {
    return true;  // of no step is anything known of the device
  }
  if (!call.cancelled()) {
    const bool numbered =
        std::any_of(all.begin(), all.end(), [](const Breakdown& one) { return one.step.has_value(); });
    const bool undivided = !all.empty() && !numbered;
    call.fail(sdk::Fault::not_found, "step.unknown",
              undivided ? "Nothing tells which of the device's work is of step " + std::to_string(step) + "."
                        : "The profile has no step " + std::to_string(step) + ".",
              numbered ? "Its steps: " + list_steps(all) + "." : std::string("Leave `step` out."));
  }
  return false;
}

std::optional<FileDifference> difference_to_file(Call& call, const Answer& answer) {
  const Overlap& own = *answer.overlap;
  if (answer.is_gpu || own.of_step_file) return std::nullopt;
  namespace step = table::step;
  const auto view = call.table(answer.rank, step::kTable);
  if (!view) return std::nullopt;
  FileDifference out;
  out.file = view->source_file();
  call.for_each_row(view->rows(), [&](uint64_t row) {
    const auto number = (*view)[step::step].get(row);
    const auto window =
        std::find_if(own.windows.begin(), own.windows.end(), [&](const Breakdown& one) { return one.step == number; });
    if (window == own.windows.end() || !(*view)[step::computing_ns].get(row)) return;
    ++out.steps;
    struct Figure {
      const char* name;
      int64_t here_ns;
      std::optional<int64_t> in_file_ns;
    };
    const std::array<Figure, 5> figures = {
        {{"computing", window->computing_ns, (*view)[step::computing_ns].get(row)},
         {"not_overlapped", window->not_overlapped_ns, (*view)[step::not_overlapped_ns].get(row)},
         {"overlapped", window->overlapped_ns, (*view)[step::overlapped_ns].get(row)},
         {"free", window->free_ns, (*view)[step::free_ns].get(row)},
         {"stage", window->stage_ns(), (*view)[step::stage_ns].get(row)}}};
    for (const Figure& one : figures) {
      const auto size = [](int64_t a, int64_t b) { return a > b ? a - b : b - a; };
      if (!one.in_file_ns) continue;
      if (!out.figure.empty() && size(one.here_ns, *one.in_file_ns) <= size(out.here_ns, out.in_file_ns)) continue;
      out.figure = one.name;
      out.step = number;
      out.here_ns = one.here_ns;
      out.in_file_ns = *one.in_file_ns;
      out.row = (*view)[step::src_pos][row];
    }
  });
  if (out.steps == 0) return std::nullopt;
  return out;
}

void rank_spans(Call& call, Answer& answer) {
  const std::vector<Uncovered>& all = answer.overlap->uncovered;
  std::vector<Uncovered> longest = all;
  const auto length = [](const Uncovered& one) { return one.when.end_ns - one.when.start_ns; };
  std::stable_sort(longest.begin(), longest.end(),
                   [&length](const Uncovered& a, const Uncovered& b) { return length(a) > length(b); });
  if (longest.size() > kMaxRows) longest.resize(kMaxRows);
  const DeviceNames names(call, answer.rank);
  for (const Uncovered& one : longest) {
    SpanRow row;
    row.span = one;
    for (const std::string_view name : names.collectives_in(one.when, kNamesOfSpan)) row.collectives.emplace_back(name);
    if (const auto next = names.computation_from(one.when.end_ns, one.step)) row.compute_waiting = std::string(*next);
    answer.rows.push_back(std::move(row));
    answer.rows_ns += length(one);
  }
}

}  // namespace

std::string Answer::window_text() const {
  const std::vector<Breakdown>& windows = overlap->windows;
  if (windows.size() > 1) {
    return "mean of " + std::to_string(windows.size()) + " steps (" + list_steps(windows) + "), each " +
           overlap->extent;
  }
  const auto number = windows.front().step;
  return (number ? "step " + std::to_string(*number) : std::string("the whole run")) + ", " + overlap->extent;
}

bool Answer::is_of_steps() const {
  return overlap && (is_gpu || overlap->of_step_file || overlap->windows.front().step.has_value());
}

std::optional<Answer> gather(Call& call, uint32_t rank) {
  Answer answer;
  answer.rank = rank;
  const sdk::ProfileInfo profile = call.args().profile();
  answer.is_gpu = profile.kind == "kineto";
  answer.step = call.args().integer("step");
  answer.limit =
      static_cast<size_t>(std::clamp<int64_t>(call.args().integer("limit").value_or(kListedByDefault), 1, 1000));
  answer.overlap = overlap_of(call, answer);
  if (answer.step && !narrow_to_step(call, rank, *answer.step, answer.overlap)) return std::nullopt;
  std::optional<int64_t> wall_ns;
  if (answer.overlap) {
    for (const Breakdown& window : answer.overlap->windows) answer.sum.add(window);
    answer.difference = difference_to_file(call, answer);
    rank_spans(call, answer);
    wall_ns = answer.sum.wall_ns;
    answer.origin_ns = profile.origin_ns;
    answer.own_origin = !profile.origin_ns && !answer.overlap->uncovered.empty();
    if (answer.own_origin) answer.origin_ns = answer.overlap->uncovered.front().when.start_ns;
  }
  answer.operations = operations_of_file(call, rank, answer.step);
  if (!answer.operations) answer.operations = operations_of_kernels(call, rank, answer.step);
  if (const auto groups = read_groups(call, answer.step)) {
    answer.groups = groups->judge(wall_ns);
    if (answer.operations) compare_operations(*groups, wall_ns, answer.limit, *answer.operations);
  }
  answer.several_ranks = call.args().all_ranks().size() > 1;
  // Whoever asks about a rank looks for its own groups first; among those what waiting costs decides, as before.
  if (answer.groups) {
    std::stable_partition(answer.groups->begin(), answer.groups->end(),
                          [rank](const sdk::CommGroup& one) { return has_rank(one, rank); });
  }
  if (!align_with_stages(call, answer)) return std::nullopt;
  if (call.cancelled()) return std::nullopt;
  return answer;
}

}  // namespace stepwise::comm_overlap
