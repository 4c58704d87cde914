#include "core/report/plan.h"

#include <algorithm>

namespace stepwise::report {
namespace {

constexpr PlannedCall kPlan[] = {
    {"core_metrics", "detect_scenario", "{}"},
    {"core_metrics", "detect_execution_mode", "{}"},
    {"core_metrics", "summarize_profile", "{}"},
    {"operator_types", "top_operators", R"({"by": "type", "limit": 1000})"},
    {"top_operators", "top_operators", R"({"by": "shape", "limit": 20})"},
    {"operator_names", "top_operators", R"({"by": "name", "limit": 20})"},
};

}  // namespace

std::span<const PlannedCall> plan() { return kPlan; }

bool is_planned(std::string_view tool) { return std::ranges::find(kPlan, tool, &PlannedCall::tool) != std::end(kPlan); }

}  // namespace stepwise::report
