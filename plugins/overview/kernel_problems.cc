#include "kernel_problems.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace stepwise::overview {
namespace {

namespace kernel = table::kernel;
using table::Type;

std::optional<double> share(int64_t part_ns, int64_t whole_ns) {
  if (whole_ns <= 0) return std::nullopt;
  return static_cast<double>(part_ns) / static_cast<double>(whole_ns);
}

// The dictionary codes that a group shares, and its problem.
struct Key {
  int32_t problem, op_type, name, core_type, inputs, outputs;
  bool operator==(const Key&) const = default;
};
struct KeyHash {
  size_t operator()(const Key& key) const {
    size_t hash = 0;
    for (const int32_t part : {key.problem, key.op_type, key.name, key.core_type, key.inputs, key.outputs}) {
      hash = (hash ^ static_cast<uint32_t>(part)) * 0x9E3779B97F4A7C15U;
      hash ^= hash >> 31;
    }
    return hash;
  }
};

// What one execution is known to be, beside its columns.
struct Family {
  bool judged = false, format = false, embedding = false, matmul = false, launches_hccl = false;
};

class Finder {
 public:
  Finder(const sdk::TableView& view, const ProblemInputs& inputs, const std::vector<ExposedWait>& waits)
      : view_(view), inputs_(inputs), waits_(waits), families_(name_.dictionary_size()) {}

  void add(uint64_t row, KernelProblems& out) {
    const Family& family = family_of(row);
    if (class_[row] == "communication") {
      // It communicates, but the AI CPU launches it: shown, and part of no share.
      if (family.launches_hccl) count(row, Problem::ai_cpu).in_shares = false;
      return;
    }
    if (class_[row] == "copy" || (inputs_.is_gpu && class_[row] != "compute")) return;
    ++out.operator_rows;
    knows_cores_ = knows_cores_ || !core_type_.is_null(row);
    out.operator_ns += dur_ns_[row];
    computing_.push_back({start_ns_[row], start_ns_[row] + dur_ns_[row]});
    judge_core(row);
    judge_block_dim(row);
    judge_wait(row, out);
    if (family.format) count(row, Problem::format_change);
    if (family.embedding) count(row, Problem::embedding_ops);
    if (op_state_[row] == "dynamic") count(row, Problem::dynamic);
    // Other types gain nothing from HF32.
    const bool could_gain = family.matmul && takes_float(dtypes_.get(row)) != false;
    if (could_gain && hf32_[row] == "NO") count(row, Problem::hf32_off);
  }

  void finish(KernelProblems& out) {
    out.computing_ns = total_ns(unite(std::move(computing_)));
    for (size_t i = 0; i < groups_.size(); ++i) {
      ProblemGroup& group = groups_[i];
      group.value = values_[i].value();
      const Measured measured = kind_of(group.problem).measured;
      if (group.wait_ns) group.value = share(*group.wait_ns, group.total_ns);
      if (measured == Measured::of_computing) group.value = share(group.total_ns, out.computing_ns);
      if (measured == Measured::of_operators || measured == Measured::shapes) {
        group.value = group.in_shares ? share(group.total_ns, out.operator_ns) : std::nullopt;
      }
      out.groups.push_back(group);
    }
    const bool cores = inputs_.cores.cube.cores() || inputs_.cores.vector.cores();
    const auto tell = [&out](Problem problem, bool known, const char* lacks) {
      out.totals[static_cast<size_t>(problem)].known = known;
      out.totals[static_cast<size_t>(problem)].lacks = lacks;
    };
    const bool ascend = !inputs_.is_gpu;
    tell(Problem::ai_cpu, knows_cores_, "core types");
    tell(Problem::scalar, aic_scalar_.any() || aiv_scalar_.any(), "scalar ratios");
    tell(Problem::cube_utilization, cube_.any() && mac_.any(), "cube_utilization(%)");
    tell(Problem::mac, mac_.any(), "aic_mac_ratio");
    tell(Problem::low_block_dim, block_dim_.any() && cores, "Block Dim");
    tell(Problem::host_wait, inputs_.wall_ns > 0, "the time of steps");
    tell(Problem::format_change, ascend, "operator types");
    tell(Problem::dynamic, op_state_.any(), "OP State");
    tell(Problem::hf32_off, hf32_.any(), "HF32 Eligible");
    tell(Problem::embedding_ops, ascend, "operator types");
  }

 private:
  const Family& family_of(uint64_t row) {
    static const Family kNone;
    if (name_.is_null(row)) return kNone;
    Family& family = families_[static_cast<size_t>(name_.code(row))];  // kernels of one name have one type
    if (!family.judged) {
      const std::string_view type = type_of(op_type_.get(row), name_[row]);
      family = {true, changes_format(type), serves_embeddings(type), multiplies_matrices(type),
                type.find("HcclLaunchAicpuKernel") != std::string_view::npos ||
                    name_[row].find("HcclLaunchAicpuKernel") != std::string_view::npos};
    }
    return family;
  }

  void judge_core(uint64_t row) {
    if (core_type_[row] == "AI_CPU") count(row, Problem::ai_cpu);
    const double scalar = std::max(aic_scalar_.get(row).value_or(0), aiv_scalar_.get(row).value_or(0));
    if (scalar >= kScalarAtLeast) count(row, Problem::scalar, scalar);
    const auto mac = mac_.get(row);
    const bool on_cube = mac && *mac > 0 && side_of(core_type_[row]) == CoreSide::cube;
    if (!on_cube) return;
    if (const auto used = cube_.get(row); used && *used < kCubeBelow) count(row, Problem::cube_utilization, used);
    if (*mac < kMacBelow) count(row, Problem::mac, mac);
  }

  void judge_block_dim(uint64_t row) {
    const auto side = side_of(core_type_[row]);
    const auto blocks = block_dim_.get(row);
    const auto cores = side ? inputs_.cores.of(*side).cores() : std::nullopt;
    if (!cores || !blocks || *blocks <= 0) return;
    const double most = kLowBlockOfCores * static_cast<double>(*cores);
    const auto used = static_cast<double>(*blocks);
    if (used <= most) count(row, Problem::low_block_dim, used).threshold = most;
  }

  void judge_wait(uint64_t row, KernelProblems& out) {
    const ExposedWait& wait = waits_[row];
    if (static_cast<double>(wait.wait_ns) <= kWaitTimesDuration * static_cast<double>(dur_ns_[row])) return;
    ProblemGroup& group = count(row, Problem::host_wait);
    group.wait_ns = group.wait_ns.value_or(0) + wait.wait_ns;
    out.host_wait_ns += wait.wait_ns;
    const bool launched_late = !inputs_.launch_ns.empty() && inputs_.launch_ns[row] > wait.previous_end_ns;
    if (launched_late) out.host_bound_ns += wait.wait_ns;
  }

  ProblemGroup& count(uint64_t row, Problem problem, std::optional<double> value = {}) {
    const Key key{static_cast<int32_t>(problem), op_type_.code(row),      name_.code(row),
                  core_type_.code(row),          inputs_cells_.code(row), outputs_cells_.code(row)};
    const auto [it, added] = index_.try_emplace(key, groups_.size());
    if (added) {
      groups_.push_back({problem, op_type_.get(row), name_.get(row), core_type_.get(row), inputs_cells_.get(row),
                         outputs_cells_.get(row)});
      if (kind_of(problem).measured == Measured::each) groups_.back().threshold = kind_of(problem).threshold;
      if (problem == Problem::host_wait) groups_.back().threshold = kWaitTimesDuration;
      groups_.back().shapes_vary = inputs_.shapes.names.count(name_.code(row)) > 0;
      values_.emplace_back();
    }
    ProblemGroup& group = groups_[it->second];
    const int64_t ns = dur_ns_[row];
    if (value) values_[it->second].add(*value, ns);
    if (group.count++ == 0 || ns > group.max_ns) {
      group.max_ns = ns;
      group.row = src_pos_[row];
    }
    group.total_ns += ns;
    return group;
  }

  const sdk::TableView& view_;
  const ProblemInputs& inputs_;
  const std::vector<ExposedWait>& waits_;
  sdk::Column<Type::code> name_ = view_[kernel::name], op_type_ = view_[kernel::op_type],
                          core_type_ = view_[kernel::core_type], class_ = view_[kernel::class_],
                          inputs_cells_ = view_[kernel::input_shapes], outputs_cells_ = view_[kernel::output_shapes],
                          dtypes_ = view_[kernel::input_dtypes], op_state_ = view_[kernel::op_state],
                          hf32_ = view_[kernel::hf32];
  sdk::Column<Type::i64> start_ns_ = view_[kernel::start_ns], dur_ns_ = view_[kernel::dur_ns],
                         block_dim_ = view_[kernel::block_dim], src_pos_ = view_[kernel::src_pos];
  sdk::Column<Type::f64> aic_scalar_ = view_[kernel::aic_scalar_ratio], aiv_scalar_ = view_[kernel::aiv_scalar_ratio],
                         mac_ = view_[kernel::aic_mac_ratio], cube_ = view_[kernel::cube_utilization_ratio];
  std::vector<Family> families_;
  std::unordered_map<Key, size_t, KeyHash> index_;
  std::vector<ProblemGroup> groups_;
  std::vector<WeightedRatio> values_;
  Intervals computing_;
  bool knows_cores_ = false;  // of operators; Level0 tells it of communication alone
};

}  // namespace

KernelProblems kernel_problems(const sdk::Call& call, const sdk::TableView& view, const ProblemInputs& inputs) {
  KernelProblems out;
  out.file = view.source_file();
  const KernelSteps steps(view, inputs.timed);
  const std::vector<ExposedWait> waits = exposed_waits(call, view, steps, inputs.step);
  Finder finder(view, inputs, waits);
  call.for_each_row(view.rows(), [&](uint64_t row) {
    if (!inputs.step || steps.of(row) == inputs.step) finder.add(row, out);
  });
  finder.finish(out);
  return out;
}

void settle_totals(const ProblemInputs& inputs, KernelProblems& out) {
  std::array<int64_t, kProblems> operator_ns{};
  for (const ProblemGroup& group : out.groups) {
    ProblemTotal& total = out.totals[static_cast<size_t>(group.problem)];
    total.count += group.count;
    total.total_ns += group.total_ns;
    if (group.in_shares) operator_ns[static_cast<size_t>(group.problem)] += group.total_ns;
  }
  for (const ProblemKind& kind : kProblemKinds) {
    ProblemTotal& total = out.totals[static_cast<size_t>(kind.problem)];
    if (!total.known) continue;
    const int64_t ns = operator_ns[static_cast<size_t>(kind.problem)];
    total.value = share(ns, is_of_computing(kind) ? out.computing_ns : out.operator_ns);
    if (kind.measured == Measured::of_step) total.value = share(out.host_wait_ns, inputs.wall_ns);
    if (kind.problem == Problem::low_block_dim) {
      total.found = total.value.value_or(0) > kLowBlockOfComputing;  // above it, not at it
    } else if (kind.measured == Measured::each) {
      total.found = total.count > 0 && total.value.value_or(0) >= kind.share_at_least.value_or(0);
    } else if (kind.measured == Measured::shapes) {
      // That kernels were compiled for dynamic shapes says nothing: those of static networks are, too.
      if (total.count == 0) total.found = false;
      if (total.count > 0) total.found = inputs.shapes.vary;
    } else {
      total.found = total.value.value_or(0) > kind.threshold.value_or(0);
    }
  }
  const auto ranked = [](const ProblemGroup& g) {
    return std::tie(g.problem, g.op_type, g.name, g.task_type, g.input_shapes, g.output_shapes);
  };
  std::sort(out.groups.begin(), out.groups.end(), [&ranked](const ProblemGroup& a, const ProblemGroup& b) {
    return a.total_ns != b.total_ns ? a.total_ns > b.total_ns : ranked(a) < ranked(b);
  });
}

}  // namespace stepwise::overview
