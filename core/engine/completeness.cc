#include "core/engine/completeness.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "core/engine/segment_service.h"
#include "core/ingest/discovery/msprof_choice.h"
#include "core/store/table_view.h"
#include "stepwise/tables.hpp"

namespace stepwise::engine {
namespace {

namespace diagnostic = table::diagnostic;

std::string input_of(const CallPlan& plan, const std::string& table) {
  const std::string input = ingest::input_for(plan.profile->layout, table);
  return input.empty() ? table : input;
}

/// What one row of a table is, without what its columns are.
std::string meaning_of(std::string_view table) {
  for (const table::TableDecl* decl : table::kAllTables) {
    if (decl->name == table) return std::string(decl->says).substr(0, std::string_view(decl->says).find(';'));
  }
  return "rows";
}

/// What a table's rows would have to come from. A file that is there is not what lacks: then it is the rows in it.
std::string lack_of(const CallPlan& plan, std::span<const uint32_t> ranks, const std::string& table) {
  const ingest::ProfileLayout& layout = plan.profile->layout;
  const std::string input = input_of(plan, table);
  for (const uint32_t rank : ranks) {
    const auto* files = plan.profile->find_rank(rank);
    if (files == nullptr) continue;
    for (const ingest::SourceFile& file : files->files) {
      if (ingest::is_input(layout.kind, table, file.kind))
        return "`" + table + "` (" + meaning_of(table) + ") in " + input;
    }
  }
  return input;
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

/// Oddities that change answers out of certain tables only, whatever else was read from their file. Of others nothing
/// is known: they are told to whoever reads the file.
struct Touched {
  std::string_view code;
  std::array<std::string_view, 3> any_of;
  bool together = false;  // the tool itself reads all of them: it holds one against the other
};
constexpr Touched kTouched[] = {
    {"calls.linked_by_order", {"host_op"}},
    {"calls.not_linked", {"host_op"}},
    {"event.unpaired", {"flow", "kernel_link"}},
    {"event.flow_unbound", {"flow", "kernel_link"}},
    {"launch.without_kernel", {"kernel_link"}},
    // When a call began, and when the kernel that it launched did.
    {"launch.after_kernel", {"runtime_api", "kernel_link"}, true},
    {"launch.clocks_differ", {"runtime_api", "kernel_link"}, true},
    // Device tracks overlap as a rule, and nobody asks how their slices nest.
    {"event.overlapping", {"host_op", "runtime_api", "python_call"}},
};

bool has_overflow(const store::Segment& segment, std::string_view name) {
  const auto rows = segment.table(name);
  if (!rows.ok() || rows.value() == nullptr) return false;
  for (const table::TableDecl* decl : table::kAllTables) {
    for (size_t i = 0; decl->name == name && i < decl->columns.size(); ++i) {
      if (std::string_view(decl->columns[i].name) != "overflow") continue;
      const sw_column& column = store::column_at(*rows.value(), i);
      const auto* values = static_cast<const uint8_t*>(column.data);
      return std::any_of(values, values + column.rows, [](uint8_t one) { return one != 0; });
    }
  }
  return false;
}

/// Whether an answer out of these tables can be another for it. `own`: without those of tools that it calls.
bool can_matter(std::string_view code, const std::set<std::string>& tables, const std::set<std::string>& own,
                const store::Segment& segment) {
  const auto* touched =
      std::find_if(std::begin(kTouched), std::end(kTouched), [code](const Touched& one) { return one.code == code; });
  if (touched == std::end(kTouched)) return true;
  const auto& names = touched->any_of;
  if (touched->together) {
    return std::all_of(names.begin(), names.end(),
                       [&](std::string_view table) { return table.empty() || own.count(std::string(table)) > 0; });
  }
  return std::any_of(names.begin(), names.end(), [&](std::string_view table) {
    return tables.count(std::string(table)) > 0 && (code != "event.overlapping" || has_overflow(segment, table));
  });
}

void add_oddity(const sw_table& rows, uint64_t row, ToolResult& result) {
  const std::string file(store::get(rows, diagnostic::file, row).value_or(""));
  std::string text(store::get(rows, diagnostic::text, row).value_or(""));
  const int64_t count = store::get(rows, diagnostic::count, row).value_or(1);
  if (count > 1) text += " (" + std::to_string(count) + " times)";
  if (const auto line = store::get(rows, diagnostic::line, row))
    text += " First at " + file + ":" + std::to_string(*line) + ".";
  if (store::get(rows, diagnostic::severity, row).value_or("") == "data_loss") {
    result.missing.push_back({file, text});
  } else {
    result.warnings.push_back({std::string(store::get(rows, diagnostic::code, row).value_or("")), text});
  }
}

Result<void> tell_losses(const CallPlan& plan, CallHost& host, std::set<std::string> tables, ToolResult& result) {
  ToolDecl alone = plan.tool->decl;
  alone.calls.clear();
  std::set<std::string> own = tables;
  add_tables(plan, alone, own);
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
      const std::string code(store::get(*rows, diagnostic::code, row).value_or(""));
      // describe_tables is asked what was read, and how.
      const bool is_told_of_all =
          plan.tool->decl.opens_profile || plan.tool->decl.name == "describe_tables" || severity == "data_loss";
      if (!is_told_of_all && !can_matter(code, tables, own, *loaded->segment)) continue;
      add_oddity(*rows, row, result);
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
    const std::string input = lack_of(plan, plan.ranks, table);
    if (wanted.find(input) == std::string::npos) wanted += (wanted.empty() ? "" : " or ") + input;
  }
  result.body["why"] = "It needs " + wanted + ", which this profile does not have, or which holds nothing usable.";
  result.missing.push_back({wanted, "this analysis"});
  // Where the file is there but broken, the reader's diagnostics say how; failing to read them changes nothing here.
  static_cast<void>(tell_losses(plan, host, {}, result).ok());
  return result;
}

Result<void> add_oddities(const store::Segment& segment, ToolResult& result) {
  SW_ASSIGN_OR_RETURN(const sw_table* rows, segment.table(diagnostic::kTable.name));
  for (uint64_t row = 0; rows != nullptr && row < rows->rows; ++row) {
    if (store::get(*rows, diagnostic::severity, row).value_or("") == "warning") add_oddity(*rows, row, result);
  }
  return {};
}

void keep_what_applies(const CallPlan& plan, CallHost& host, ToolResult& result) {
  if (plan.profile == nullptr) return;
  const ingest::ProfileLayout& layout = plan.profile->layout;
  // What was read for this call is known; of the rest, whether a file could fill it.
  const auto has = [&](const ingest::RankLayout& rank, const std::string& table) {
    if (!ingest::could_have(layout, rank, table)) return false;
    const LoadedSegment* loaded = host.segment(rank.rank, ingest::group_of(layout.kind, table));
    if (loaded == nullptr) return true;
    const auto rows = loaded->segment->table(table);
    return !rows.ok() || (rows.value() != nullptr && rows.value()->rows > 0);
  };
  std::erase_if(result.next, [&](const Next& next) {
    const RegisteredTool* tool = plan.registry->find(next.tool);
    if (tool == nullptr) return true;
    const auto met = [&](const auto& any_of) {
      return std::any_of(layout.ranks.begin(), layout.ranks.end(), [&](const ingest::RankLayout& rank) {
        const uint32_t asked = next.arguments.value("rank", plan.profile->lowest_rank());
        if (tool->decl.per_rank && rank.rank != asked) return false;
        return std::any_of(any_of.begin(), any_of.end(), [&](const std::string& table) { return has(rank, table); });
      });
    };
    return !std::all_of(tool->decl.needs.begin(), tool->decl.needs.end(), met);
  });
  if (result.status == Status::not_applicable && result.next.empty() && plan.tool->decl.name != "describe_tables") {
    result.next.push_back(
        {"describe_tables", Json::object(), "which tables this profile has: query_sql answers from them"});
  }
}

Result<void> tell_what_is_missing(const CallPlan& plan, CallHost& host, const std::set<std::string, std::less<>>& asked,
                                  ToolResult& result) {
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
      result.missing.push_back({lack_of(plan, {&rank, 1}, use.table), use.costs});
      break;
    }
  }
  SW_RETURN_IF_ERROR(tell_losses(plan, host, {asked.begin(), asked.end()}, result));
  if (result.status == Status::ok && !result.missing.empty()) result.status = Status::partial;
  return {};
}

}  // namespace stepwise::engine
