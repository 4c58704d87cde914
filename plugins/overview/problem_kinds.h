// What problem_operators looks for: names, thresholds, and which operator belongs to which family.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace stepwise::overview {

enum class Problem : uint8_t {
  ai_cpu,
  scalar,
  cube_utilization,
  mac,
  low_block_dim,
  host_wait,
  format_change,
  dynamic,
  custom_op_sync,
  hf32_off,
  embedding_ops,
};
inline constexpr size_t kProblems = 11;

/// What a problem's own `value` is compared with.
enum class Measured : uint8_t {
  each,          // the threshold is one of each operator; one that crosses it is a finding
  of_operators,  // share of the operators' time that all of them together hold
  of_computing,  // the same of computing, the union
  of_step,       // waits, of the steps' wall time
  shapes,        // found only where input shapes differ between steps
};

struct ProblemKind {
  Problem problem;
  const char* name;
  Measured measured;
  std::optional<double> threshold;  // of all together, or of each
  bool always_listed;               // else its operators are rows only where it is found, or asked for
  const char* unit;                 // of a row's value and threshold
  // Of each: found only where its operators hold so much of the operators' time; null: a single one is a finding.
  std::optional<double> share_at_least{};
};

// Shares and ratios (docs/metrics.md, Problem operators).
inline constexpr double kScalarAtLeast = 0.30, kCubeBelow = 0.20, kMacBelow = 0.30;
// What crosses a threshold in less of the operators' time than this is not worth anybody's attention.
inline constexpr double kShareWorthTelling = 0.01;
inline constexpr double kWaitTimesDuration = 3, kLowBlockOfCores = 0.25, kLowBlockOfComputing = 0.01;

inline constexpr std::array<ProblemKind, kProblems> kProblemKinds{{
    {Problem::ai_cpu, "ai_cpu", Measured::of_operators, 0.05, true, "of the operators' time"},
    {Problem::scalar, "scalar", Measured::each, kScalarAtLeast, false, "of the core's time", kShareWorthTelling},
    {Problem::cube_utilization, "cube_utilization", Measured::each, kCubeBelow, false, "of the cubes",
     kShareWorthTelling},
    {Problem::mac, "mac", Measured::each, kMacBelow, false, "of the core's time", kShareWorthTelling},
    {Problem::low_block_dim, "low_block_dim", Measured::each, std::nullopt, false, "cores", kLowBlockOfComputing},
    {Problem::host_wait, "host_wait", Measured::of_step, 0.10, false, "times its duration"},
    {Problem::format_change, "format_change", Measured::of_operators, 0.05, false, "of the operators' time"},
    {Problem::dynamic, "dynamic", Measured::shapes, std::nullopt, false, "of the operators' time"},
    {Problem::custom_op_sync, "custom_op_sync", Measured::each, 0.0, true, "waits a call"},
    {Problem::hf32_off, "hf32_off", Measured::of_computing, 0.05, false, "of computing"},
    {Problem::embedding_ops, "embedding_ops", Measured::of_operators, 0.05, false, "of the operators' time"},
}};
/// Whether shares of all together are of computing, the union; else of the operators' time.
constexpr bool is_of_computing(const ProblemKind& kind) {
  return kind.measured == Measured::of_computing || kind.problem == Problem::low_block_dim;
}
constexpr const ProblemKind& kind_of(Problem problem) { return kProblemKinds[static_cast<size_t>(problem)]; }

/// nullopt: no such kind.
std::optional<Problem> problem_named(std::string_view name);

/// The operator type: what the file says, else what the kernel's name ends in (`aclnnCast_CastAiCore_Cast`,
/// `trans_TransData_12`).
std::string_view type_of(std::optional<std::string_view> op_type, std::string_view name);
bool changes_format(std::string_view type);
bool serves_embeddings(std::string_view type);
bool multiplies_matrices(std::string_view type);
/// Whether the first input is in single precision, the only one that HF32 can stand for; null: not known.
std::optional<bool> takes_float(std::optional<std::string_view> input_dtypes);

}  // namespace stepwise::overview
