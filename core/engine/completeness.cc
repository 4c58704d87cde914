#include "core/engine/completeness.h"

#include <algorithm>
#include <set>

#include "core/engine/segment_service.h"
#include "core/ingest/msprof_choice.h"
#include "core/store/table_view.h"
#include "stepwise/tables.hpp"

namespace stepwise::engine {
namespace {

namespace diagnostic = table::diagnostic;

std::string input_of(const CallPlan& plan, const std::string& table) {
  const std::string input = ingest::input_for(plan.profile->layout.kind, table);
  return input.empty() ? table : input;
}

/// Tables that the tool, or a tool that it calls, looks at: losses elsewhere do not concern its reader.
void add_tables(const CallPlan& plan, const ToolDecl& tool, std::set<std::string>& tables) {
  for (const auto& any_of : tool.needs) tables.insert(any_of.begin(), any_of.end());
  for (const ToolUse& use : tool.uses) {
    if (use.applies_to(ingest::to_string(plan.profile->layout.kind))) tables.insert(use.table);
  }
  for (const std::string& callee : tool.calls) {
    if (const RegisteredTool* called = plan.registry->find(callee)) add_tables(plan, called->decl, tables);
  }
}

/// Whether one of the tables is read from that file of the rank.
bool concerns(const CallPlan& plan, uint32_t rank, const std::set<std::string>& tables, std::string_view path) {
  for (const ingest::SourceFile& file : plan.profile->find_rank(rank)->files) {
    // Slices of one table are told of under their common name.
    if (file.path != path && ingest::export_name(file.path).key != path) continue;
    return std::any_of(tables.begin(), tables.end(), [&](const std::string& table) {
      return ingest::is_input(plan.profile->layout.kind, table, file.kind);
    });
  }
  return false;
}

Result<void> tell_losses(const CallPlan& plan, CallHost& host, ToolResult& result) {
  std::set<std::string> tables;
  add_tables(plan, plan.tool->decl, tables);
  for (const SegmentNeed& need : plan.segments) {
    const LoadedSegment* loaded = host.segment(need.rank, need.group);
    if (loaded == nullptr) continue;
    SW_ASSIGN_OR_RETURN(const sw_table* rows, loaded->segment->table(diagnostic::kTable.name));
    if (rows == nullptr) continue;
    for (uint64_t row = 0; row < rows->rows; ++row) {
      const std::string file(store::get(*rows, diagnostic::file, row).value_or(""));
      const std::string severity(store::get(*rows, diagnostic::severity, row).value_or(""));
      if (severity == "info" || (!plan.tool->decl.opens_profile && !concerns(plan, need.rank, tables, file))) continue;
      std::string text(store::get(*rows, diagnostic::text, row).value_or(""));
      const int64_t count = store::get(*rows, diagnostic::count, row).value_or(1);
      if (count > 1) text += " (" + std::to_string(count) + " times)";
      if (const auto line = store::get(*rows, diagnostic::line, row))
        text += " First at " + file + ":" + std::to_string(*line) + ".";
      if (severity == "data_loss") {
        result.missing.push_back({file, text});
      } else {
        result.warnings.push_back({std::string(store::get(*rows, diagnostic::code, row).value_or("")), text});
      }
    }
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> unmet_need(const CallPlan& plan, CallHost& host) {
  for (const auto& any_of : plan.tool->decl.needs) {
    bool met = false;
    for (const uint32_t rank : plan.ranks) {
      for (const std::string& name : any_of) {
        SW_ASSIGN_OR_RETURN(const sw_table* rows, host.table(rank, name));
        met = met || (rows != nullptr && rows->rows > 0);
      }
    }
    if (!met) return any_of;
  }
  return std::vector<std::string>{};
}

ToolResult not_applicable(const CallPlan& plan, const std::vector<std::string>& unmet, CallHost& host) {
  ToolResult result;
  result.status = Status::not_applicable;
  std::string wanted;
  for (const std::string& table : unmet) {
    const std::string input = input_of(plan, table);
    if (wanted.find(input) == std::string::npos) wanted += (wanted.empty() ? "" : " or ") + input;
  }
  result.body["why"] = "It needs " + wanted + ", which this profile does not have, or which holds nothing usable.";
  result.missing.push_back({wanted, "this analysis"});
  // Where the file is there but broken, the reader's diagnostics say how; failing to read them changes nothing here.
  static_cast<void>(tell_losses(plan, host, result).ok());
  return result;
}

Result<void> tell_what_is_missing(const CallPlan& plan, CallHost& host, ToolResult& result) {
  if (result.status == Status::not_applicable || plan.profile == nullptr) return {};
  for (const ToolUse& use : plan.tool->decl.uses) {
    if (use.costs.empty() || !use.applies_to(ingest::to_string(plan.profile->layout.kind))) continue;
    std::vector<uint32_t> ranks = plan.ranks;
    if (use.of_all_ranks) {
      ranks.clear();
      for (const ingest::RankLayout& one : plan.profile->layout.ranks) ranks.push_back(one.rank);
    }
    for (const uint32_t rank : ranks) {
      SW_ASSIGN_OR_RETURN(const sw_table* rows, host.table(rank, use.table));
      if (rows != nullptr) continue;
      result.missing.push_back({input_of(plan, use.table), use.costs});
      break;
    }
  }
  SW_RETURN_IF_ERROR(tell_losses(plan, host, result));
  if (result.status == Status::ok && !result.missing.empty()) result.status = Status::partial;
  return {};
}

}  // namespace stepwise::engine
