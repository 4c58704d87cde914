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
    {"stages", "stage_breakdown", "{}", Asked::where_it_applies},
    {"communication", "comm_overlap", R"({"limit": 10})", Asked::where_it_applies},
    {"graphs", "repeated_subgraphs", R"({"limit": 10})", Asked::where_it_applies},
};

}  // namespace

std::span<const PlannedCall> plan() { return kPlan; }

bool is_planned(std::string_view tool) { return std::ranges::find(kPlan, tool, &PlannedCall::tool) != std::end(kPlan); }

}  // namespace stepwise::report
