#include "core/engine/perform.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "core/base/log.h"
#include "core/engine/completeness.h"
#include "core/engine/prose_guard.h"
#include "core/engine/render.h"
#include "core/engine/schema.h"
#include "core/ingest/discovery/layout.h"
#include "core/store/table_view.h"
#include "stepwise/tables.hpp"

namespace stepwise::engine {
namespace {

struct CallScope {
  const LoadedSegments& segments;
  Performer& performer;
  const CancelFlag& cancel;
  ProgressGauge& progress;
  WantedSegments& wanted;
  const std::function<void(LogMessage)>& log;
};

// Ranks that a tool asks for one after the other (a join names them) are read all at once from then on.
constexpr size_t kRanksReadOneByOne = 4;

Result<ResultPtr> perform_at(const CallPlan& plan, const CallScope& scope, int depth);

Error call_again() {
  return {ErrorKind::bug, "call.again", "The call begins again when more of the profile has been read.", "", ""};
}

class RunningCall : public CallHost {
 public:
  RunningCall(const CallPlan& plan, const CallScope& scope, int depth) : plan_(plan), scope_(scope), depth_(depth) {
    for (const auto& any_of : plan.tool->decl.needs) declared_.insert(any_of.begin(), any_of.end());
    for (const ToolUse& use : plan.tool->decl.uses) {
      declared_.insert(use.table);
      if (use.of_all_ranks) of_all_ranks_.insert(use.table);
    }
  }

  const CancelFlag& cancel() const override { return scope_.cancel; }
  ProgressGauge& progress() override { return scope_.progress; }
  const OpenProfile* profile() const override { return plan_.profile.get(); }
  const ClientInput& client() const override { return plan_.client; }
  void log(LogMessage message) override { scope_.log(std::move(message)); }

  const LoadedSegment* segment(uint32_t rank, table::Group group) const override {
    const auto it = scope_.segments.find({rank, group});
    return it == scope_.segments.end() ? nullptr : &it->second;
  }

  Result<void> read(std::span<const uint32_t> ranks, std::string_view name) override {
    asked_.emplace(name);
    if (name == table::diagnostic::kTable.name) return read_all(ranks);
    const ingest::ProfileLayout& layout = plan_.profile->layout;
    const table::Group group = ingest::group_of(layout.kind, name);
    const auto is_wanted = [&](const ingest::RankLayout& one) {
      return segment(one.rank, group) == nullptr && ingest::could_have(layout, one, name);
    };
    const bool all = ranks_read(group) >= kRanksReadOneByOne;
    bool lacks = false;
    for (const ingest::RankLayout& one : layout.ranks) {
      const bool asked = std::find(ranks.begin(), ranks.end(), one.rank) != ranks.end();
      lacks = lacks || (asked && is_wanted(one));
    }
    if (!lacks) return {};
    for (const ingest::RankLayout& one : layout.ranks) {
      const bool asked = all || std::find(ranks.begin(), ranks.end(), one.rank) != ranks.end();
      if (asked && is_wanted(one)) scope_.wanted.emplace(one.rank, group);
    }
    return call_again();
  }

  Result<const sw_table*> table(uint32_t rank, std::string_view name) override {
    const sw_table* const none = nullptr;
    if (plan_.profile == nullptr) return none;
    if (plan_.tool->decl.on_demand) {
      const LoadedSegment* loaded = segment(rank, ingest::group_of(plan_.profile->layout.kind, name));
      return loaded == nullptr ? none : loaded->segment->table(name);
    }
    if (declared_.find(name) == declared_.end()) {
      // What is not declared is not read beforehand, so an answer here would depend on what else was read.
      return Error{ErrorKind::plugin, "plugin.table",
                   "`" + plan_.tool->decl.name + "` asks for the table `" + std::string(name) +
                       "`, which its manifest lists in neither needs nor uses.",
                   "", ""};
    }
    if (!is_read_for_call(rank, name)) return none;  // also where it happens to be at hand
    const bool is_own = std::find(plan_.ranks.begin(), plan_.ranks.end(), rank) != plan_.ranks.end();
    if (!is_own && of_all_ranks_.find(name) == of_all_ranks_.end()) return none;
    const LoadedSegment* loaded = segment(rank, ingest::group_of(plan_.profile->layout.kind, name));
    if (loaded == nullptr) return none;
    return loaded->segment->table(name);
  }

  Result<Json> call(std::string_view tool, Json arguments) override {
    SW_ASSIGN_OR_RETURN(const Nested nested, nested_call(tool, arguments));
    return to_json(*nested.result);
  }

  Result<Json> answer(std::string_view tool, Json arguments) override {
    SW_ASSIGN_OR_RETURN(const Nested nested, nested_call(tool, arguments));
    SW_ASSIGN_OR_RETURN(Page page, render(nested.plan, *nested.result, Reader::program));
    return std::move(page.structured);
  }

  /// Tables that the tool read on demand.
  const std::set<std::string, std::less<>>& asked() const { return asked_; }

 private:
  /// Whether the plan saw to the table: it is used in profiles of this kind, or it lies in the segment that meets a
  /// need.
  bool is_read_for_call(uint32_t rank, std::string_view name) const {
    const ingest::ProfileLayout& layout = plan_.profile->layout;
    const std::string_view kind = ingest::to_string(layout.kind);
    for (const ToolUse& use : plan_.tool->decl.uses) {
      if (use.table == name && use.applies_to(kind)) return true;
    }
    const ingest::RankLayout* const files = plan_.profile->find_rank(rank);
    if (files == nullptr) return false;
    for (const auto& any_of : plan_.tool->decl.needs) {
      if (std::find(any_of.begin(), any_of.end(), name) == any_of.end()) continue;
      const auto first = std::find_if(any_of.begin(), any_of.end(), [&](const std::string& table) {
        return ingest::could_have(layout, *files, table);
      });
      if (first != any_of.end() && ingest::group_of(layout.kind, *first) == ingest::group_of(layout.kind, name)) {
        return true;
      }
    }
    return false;
  }

  struct Nested {
    CallPlan plan;
    ResultPtr result;
  };

  Result<Nested> nested_call(std::string_view tool, const Json& arguments) {
    if (depth_ >= limits::kMaxNestedCalls) {
      return Error{ErrorKind::limit, "plugin.depth",
                   "Tools call each other more than " + std::to_string(limits::kMaxNestedCalls) + " deep.", "", ""};
    }
    Nested nested;
    SW_ASSIGN_OR_RETURN(nested.plan, make_nested_plan(plan_, tool, arguments));
    if (plan_.tool->decl.on_demand) SW_RETURN_IF_ERROR(segments_are_read(nested.plan));
    SW_ASSIGN_OR_RETURN(nested.result, perform_at(nested.plan, scope_, depth_ + 1));
    return nested;
  }

  /// Each segment has diagnostics of its own, and what the timeline or a graph lost is known once they are read.
  Result<void> read_all(std::span<const uint32_t> ranks) {
    bool lacks = false;
    for (const SegmentNeed& need : plan_.on_demand) {
      const bool asked = std::find(ranks.begin(), ranks.end(), need.rank) != ranks.end();
      if (!asked || segment(need.rank, need.group) != nullptr) continue;
      scope_.wanted.emplace(need.rank, need.group);
      lacks = true;
    }
    if (lacks) return call_again();
    return {};
  }

  /// Nothing was read beforehand for the calls of a tool that reads on demand.
  Result<void> segments_are_read(const CallPlan& nested) {
    bool lacks = false;
    for (const SegmentNeed& need : nested.segments) {
      if (segment(need.rank, need.group) != nullptr) continue;
      scope_.wanted.emplace(need.rank, need.group);
      lacks = true;
    }
    if (lacks) return call_again();
    return {};
  }

  size_t ranks_read(table::Group group) const {
    return static_cast<size_t>(std::count_if(scope_.segments.begin(), scope_.segments.end(),
                                             [group](const auto& one) { return one.first.second == group; }));
  }

  const CallPlan& plan_;
  const CallScope& scope_;
  const int depth_;
  std::set<std::string, std::less<>> declared_, of_all_ranks_, asked_;
};

/// Earliest instant of the lowest rank's segment at hand (docs/metrics.md, Time): what start_us counts from.
std::optional<int64_t> origin_ns(const CallPlan& plan, const LoadedSegments& segments) {
  const auto first = segments.lower_bound({plan.profile->lowest_rank(), table::Group::files});
  if (first == segments.end() || first->first.first != plan.profile->lowest_rank()) return std::nullopt;
  std::optional<int64_t> earliest;
  for (const table::TableDecl* decl : table::kAllTables) {
    for (size_t i = 0; i < decl->columns.size(); ++i) {
      const std::string_view name = decl->columns[i].name;
      if (name != "start_ns" && name != "ts_ns") continue;
      const auto rows = first->second.segment->table(decl->name);
      if (!rows.ok() || rows.value() == nullptr || rows.value()->rows == 0) continue;
      const sw_column& column = store::column_at(*rows.value(), i);
      const auto* values = static_cast<const int64_t*>(column.data);
      for (uint64_t row = 0; row < column.rows; ++row) {
        // What stands in place of a null is no instant.
        const bool known = column.validity == nullptr || ((column.validity[row >> 3] >> (row & 7)) & 1) != 0;
        if (known) earliest = std::min(earliest.value_or(std::numeric_limits<int64_t>::max()), values[row]);
      }
    }
  }
  return earliest;
}

Json ranks_of(const OpenProfile& profile) {
  Json ranks = Json::array();
  for (const ingest::RankLayout& one : profile.layout.ranks) ranks.push_back(one.rank);
  return ranks;
}

Json arguments_for_tool(const CallPlan& plan, const LoadedSegments& segments) {
  Json arguments = plan.arguments;
  if (plan.profile == nullptr) return arguments;
  const auto origin = origin_ns(plan, segments);
  arguments["ranks"] = plan.ranks;
  arguments["all_ranks"] = ranks_of(*plan.profile);
  arguments["profile"] = {{"id", plan.profile->id},
                          {"kind", ingest::to_string(plan.profile->layout.kind)},
                          {"framework", plan.profile->layout.framework},
                          {"declare", plan.profile->declare},
                          {"origin_ns", origin ? Json(std::to_string(*origin)) : Json()}};
  return arguments;
}

Result<ToolResult> run_tool(const CallPlan& plan, const CallScope& scope, RunningCall& host) {
  const Json arguments = arguments_for_tool(plan, scope.segments);
  if (plan.tool->provider != nullptr) return plan.tool->provider->call(plan.tool->decl.name, arguments, host);
  SW_ASSIGN_OR_RETURN(Json emitted,
                      scope.performer.runner.run(*plan.tool->plugin, plan.tool->decl.name, arguments, host));
  SW_ASSIGN_OR_RETURN(ToolResult result, tool_result_from_json(std::move(emitted)));
  if (!plan.tool->plugin->is_own) guard_prose(plan.tool->decl, plan.registry->knowledge(), result);
  if (result.rows.size() > limits::kMaxResultRows) {
    return Error{ErrorKind::plugin, "plugin.rows",
                 "The analyzer gave more than " + std::to_string(limits::kMaxResultRows) + " rows.", "", ""};
  }
  return result;
}

/// What was read of a file that somebody cut meanwhile is not what it held. Whoever asked begins again, on a new one.
Result<void> segments_are_whole(const CallScope& scope) {
  for (const auto& [where, loaded] : scope.segments) {
    SW_RETURN_IF_ERROR(loaded.segment->check());
  }
  return {};
}

Result<ResultPtr> perform_at(const CallPlan& plan, const CallScope& scope, int depth) {
  if (plan.is_pure()) {
    if (ResultPtr kept = scope.performer.results.find(plan.key)) return kept;
  }
  RunningCall host(plan, scope, depth);
  // What is read on demand is not there yet: such a tool looks at its needs itself.
  std::vector<std::string> unmet;
  if (!plan.tool->decl.on_demand) {
    SW_ASSIGN_OR_RETURN(unmet, unmet_need(plan, host));
  }
  auto result = std::make_shared<ToolResult>();
  if (!unmet.empty()) {
    *result = not_applicable(plan, unmet, host);
  } else {
    auto ran = run_tool(plan, scope, host);
    SW_RETURN_IF_ERROR(segments_are_whole(scope));  // before an error, which may come of the same
    if (!ran.ok()) return ran.take_error();
    *result = std::move(ran).value();
    const bool has_envelope = result->ask.empty() && result->content.is_null();
    if (has_envelope && result->status != Status::not_applicable) {
      if (auto fits = validate(plan.tool->decl.output, to_json(*result)); !fits.ok()) {
        return Error{
            ErrorKind::plugin, "plugin.schema",
            "`" + plan.tool->decl.name + "` gave a result that its own schema does not allow: " + fits.error().message,
            "This is a fault of the analyzer, not of the call.", fits.error().where};
      }
    }
  }
  keep_what_applies(plan, host, *result);
  SW_RETURN_IF_ERROR(tell_what_is_missing(plan, host, host.asked(), *result));
  SW_RETURN_IF_ERROR(segments_are_whole(scope));
  if (scope.cancel.is_set()) return Error{ErrorKind::cancelled, "call.cancelled", "The call was cancelled.", "", ""};
  if (plan.is_pure()) scope.performer.results.put(plan.key, result);
  return ResultPtr(std::move(result));
}

}  // namespace

Result<ResultPtr> perform(const CallPlan& plan, const LoadedSegments& segments, Performer& performer,
                          const CancelFlag& cancel, ProgressGauge& progress, WantedSegments& wanted,
                          const std::function<void(LogMessage)>& log) {
  return perform_at(plan, {segments, performer, cancel, progress, wanted, log}, 0);
}

}  // namespace stepwise::engine
