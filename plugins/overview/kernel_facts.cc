#include "kernel_facts.h"

#include <functional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace stepwise::overview {
namespace {

namespace kernel = table::kernel;

uint64_t commonest(const std::vector<uint64_t>& counts) {
  std::map<uint64_t, uint64_t> names_of_count;
  for (const uint64_t count : counts) {
    if (count > 0) ++names_of_count[count];
  }
  uint64_t best = 0, most_names = 0;
  for (const auto& [count, names] : names_of_count) {  // ascending: ties go to the smaller count
    if (names > most_names) {
      best = count;
      most_names = names;
    }
  }
  return best;
}

struct Position {
  int64_t step, stream;
  int32_t name;
  uint32_t occurrence;
  bool operator==(const Position&) const = default;
};
struct PositionHash {
  size_t operator()(const Position& p) const {
    size_t hash = 0;
    for (const int64_t part : {p.step, p.stream, int64_t{p.name}, int64_t{p.occurrence}}) {
      hash = (hash ^ static_cast<size_t>(part)) * 0x9E3779B97F4A7C15U;
      hash ^= hash >> 29;
    }
    return hash;
  }
};

}  // namespace

std::optional<bool> KernelFacts::dynamic_shape() const {
  if (dynamic_rows == 0 && static_rows == 0) return std::nullopt;
  return dynamic_rows > 0;
}

KernelFacts kernel_facts(const sdk::Call& call, const sdk::TableView& view, bool is_gpu) {
  const auto step = view[kernel::step];
  const auto name = view[kernel::name];
  const auto class_ = view[kernel::class_];
  const auto dur_ns = view[kernel::dur_ns];
  const auto op_state = view[kernel::op_state];
  const auto src_pos = view[kernel::src_pos];
  KernelFacts facts;
  facts.file = view.source_file();
  std::vector<uint64_t> graph_names(name.dictionary_size(), 0);
  call.for_each_row(view.rows(), [&](uint64_t row) {
    if (op_state[row] == "dynamic") {
      if (facts.dynamic_rows++ == 0) facts.first_dynamic_row = src_pos[row];
    } else if (op_state[row] == "static") {
      ++facts.static_rows;
    }
    if (class_[row] == "communication") {
      ++facts.communication_rows;
      return;
    }
    if (class_[row] == "copy" || (is_gpu && class_[row] != "compute")) return;
    ++facts.operator_rows;
    facts.operator_ns += dur_ns[row];
    if (const auto n = step.get(row)) facts.operator_ns_of_step[*n] += dur_ns[row];
    const bool names_one_node = !is_gpu && name[row].rfind("aclnn", 0) != 0;
    if (names_one_node && !name.is_null(row)) ++graph_names[static_cast<size_t>(name.code(row))];
  });
  facts.commonest_name_count = commonest(graph_names);
  return facts;
}

ShapesVary shapes_vary(const sdk::Call& call, const sdk::TableView& view) {
  ShapesVary out;
  const auto step = view[kernel::step];
  const auto stream = view[kernel::stream];
  const auto name = view[kernel::name];
  const auto class_ = view[kernel::class_];
  const auto shapes = view[kernel::input_shapes];
  const auto src_pos = view[kernel::src_pos];
  if (!shapes.any() || !step.any()) return out;

  std::set<int64_t> steps;
  std::unordered_map<Position, uint32_t, PositionHash> executions;  // of (step, stream, name) so far
  std::unordered_map<Position, int32_t, PositionHash> shape_at;     // of (stream, name, occurrence), any step
  call.for_each_row(view.rows(), [&](uint64_t row) {
    const auto n = step.get(row);
    if (!n || shapes.is_null(row) || class_[row] == "communication") return;
    steps.insert(*n);
    const int64_t on = stream[row];
    const uint32_t occurrence = executions[{*n, on, name.code(row), 0}]++;
    const auto [it, added] = shape_at.try_emplace({0, on, name.code(row), occurrence}, shapes.code(row));
    if (added || it->second == shapes.code(row)) return;
    if (out.names.empty()) {
      out.name = name[row];
      out.row = src_pos[row];
    }
    out.names.insert(name.code(row));
  });
  if (!out.names.empty()) {
    out.vary = true;
  } else if (steps.size() > 1) {
    out.vary = false;
  }
  return out;
}

}  // namespace stepwise::overview
