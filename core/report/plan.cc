#include "core/report/plan.h"

#include <algorithm>

namespace stepwise::report {
namespace {

constexpr PlannedCall kPlan[] = {
    {"core_metrics", "detect_scenario", "{}", Asked::always},
    {"core_metrics", "detect_execution_mode", "{}", Asked::always},
    {"core_metrics", "summarize_profile", "{}", Asked::always},
    {"operator_types", "top_operators", R"({"by": "type", "limit": 1000})", Asked::always},
    {"top_operators", "top_operators", R"({"by": "shape", "limit": 20})", Asked::always},
    {"operator_names", "top_operators", R"({"by": "name", "limit": 20})", Asked::always},
    {"problem_operators", "problem_operators", R"({"limit": 50})", Asked::always},
    {"host_api", "host_api", R"({"limit": 15})", Asked::always},
    {"memory", "memory", R"({"limit": 15})", Asked::where_it_applies},
    {"stages", "stage_breakdown", "{}", Asked::where_it_applies},
    {"framework_calls", "ir_tree", "{}", Asked::where_it_applies},
    {"stage_async", "stage_async", "{}", Asked::where_it_applies},
    {"communication", "comm_overlap", R"({"limit": 10})", Asked::where_it_applies},
    {"ranks", "find_stragglers", R"({"limit": 20})", Asked::where_it_applies},
    {"ranks", "cluster_summary", R"({"shown": 20})", Asked::where_it_applies},
    {"graphs", "repeated_subgraphs", R"({"limit": 10})", Asked::where_it_applies},
    {"advice", "advise", R"({"limit": 50})", Asked::always},
};

}  // namespace

std::span<const PlannedCall> plan() { return kPlan; }

bool is_planned(std::string_view tool) { return std::ranges::find(kPlan, tool, &PlannedCall::tool) != std::end(kPlan); }

}  // namespace stepwise::report
