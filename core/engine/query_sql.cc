#include "core/engine/query_sql.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/engine/all_diagnostics.h"
#include "core/engine/export_rows.h"
#include "core/engine/open_profile.h"
#include "core/engine/plan.h"
#include "core/engine/segment_service.h"
#include "core/ingest/discovery/layout.h"
#include "core/ingest/discovery/table_sources.h"

namespace stepwise::engine {
namespace {

constexpr size_t kMaxCellChars = 400;  // a longer text is cut, and says so
constexpr size_t kApproximateCellBytes = 16;

class ProfileTables : public query::TableSource {
 public:
  ProfileTables(CallHost& host, const Registry& registry, std::vector<uint32_t> ranks)
      : host_(host), registry_(registry), ranks_(std::move(ranks)) {}

  std::span<const uint32_t> ranks() const override { return ranks_; }

  Result<void> need(std::span<const uint32_t> ranks, std::string_view table) override {
    Touched& touched = touched_[std::string(table)];
    SW_RETURN_IF_ERROR(host_.read(ranks, table));
    for (const uint32_t rank : ranks) {
      SW_ASSIGN_OR_RETURN(const sw_table* rows, this->table(rank, table));
      if (rows != nullptr) {
        touched.found = true;
      } else {
        touched.lacking.insert(rank);
      }
    }
    return {};
  }
  Result<const sw_table*> table(uint32_t rank, std::string_view name) override {
    if (name != query::kDiagnosticTable) return host_.table(rank, name);
    auto [at, is_new] = diagnostics_.try_emplace(rank);
    if (is_new) {
      SW_ASSIGN_OR_RETURN(at->second, all_diagnostics(host_, rank));
    }
    if (at->second == nullptr) return static_cast<const sw_table*>(nullptr);
    return table_of(*at->second);
  }

  std::optional<uint64_t> rows_at_hand(std::string_view table) const override {
    std::optional<uint64_t> rows;
    for (const uint32_t rank : ranks_) {
      const auto found = host_.table(rank, table);
      if (found.ok() && found.value() != nullptr) rows = rows.value_or(0) + found.value()->rows;
    }
    return rows;
  }

  std::string instead_of(std::string_view name) const override {
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (registry_.find(lower) != nullptr) return "`" + lower + "` is a tool, not a table: call it by itself. ";
    std::string tables;
    for (const std::string& table : ingest::tables_read_from(name))
      tables += (tables.empty() ? "`" : ", `") + table + "`";
    if (!tables.empty()) return "What the profiler calls that is read into " + tables + ". ";
    return "";
  }

  /// Tables that the query looked at and no rank has.
  std::vector<std::string> absent() const {
    std::vector<std::string> names;
    for (const auto& [name, touched] : touched_) {
      if (!touched.found) names.push_back(name);
    }
    return names;
  }
  /// Of tables that other ranks have: the ranks that the query looked at and that lack the file for it. What one file
  /// says of the whole profile is no loss of the ranks beside it.
  std::map<std::string, std::vector<uint32_t>> lacking() const {
    const ingest::ProfileLayout& layout = host_.profile()->layout;
    std::map<std::string, std::vector<uint32_t>> tables;
    for (const auto& [name, touched] : touched_) {
      const table::Group group = ingest::group_of(layout.kind, name);
      if (!touched.found || group == table::Group::cluster || group == table::Group::graph) continue;
      for (const uint32_t rank : touched.lacking) {
        const ingest::RankLayout* files = host_.profile()->find_rank(rank);
        if (files != nullptr && !ingest::could_have(layout, *files, name)) tables[name].push_back(rank);
      }
    }
    return tables;
  }
  void no_rank(int64_t rank) override { unknown_.insert(rank); }
  /// Ranks that the query asked for by number, and that it does not run over.
  const std::set<int64_t>& unknown() const { return unknown_; }

 private:
  CallHost& host_;
  const Registry& registry_;
  const std::vector<uint32_t> ranks_;
  struct Touched {
    bool found = false;  // whether any rank has it
    std::set<uint32_t> lacking;
  };
  std::map<std::string, Touched> touched_;
  std::set<int64_t> unknown_;
  std::map<uint32_t, std::shared_ptr<const store::Segment>> diagnostics_;
};

/// Rows for the answer: as many as a page may ask for, as large as an answer may be.
class AnswerRows : public query::RowSink {
 public:
  explicit AnswerRows(ToolResult& result) : result_(result) {}

  Result<void> columns(std::vector<std::string> names) override {
    result_.columns = std::move(names);
    return {};
  }
  Result<bool> row(std::span<const query::Cell> cells) override {
    if (result_.rows.size() == static_cast<size_t>(limits::kMaxLimitArgument) || bytes_ > limits::kMaxResultBytes) {
      result_.more_rows = true;
      return false;
    }
    Json row = Json::array();
    for (const query::Cell& cell : cells) row.push_back(value(cell));
    result_.rows.push_back(std::move(row));
    return true;
  }
  size_t cells_cut() const { return cells_cut_; }

 private:
  Json value(const query::Cell& cell) {
    bytes_ += kApproximateCellBytes;
    switch (cell.kind) {
      case query::Cell::Kind::integer:
        return cell.integer;
      case query::Cell::Kind::real:
        return std::isfinite(cell.real) ? Json(cell.real) : Json();
      case query::Cell::Kind::text: {
        std::string text = shorten(to_valid_utf8(cell.text.substr(0, 8 * kMaxCellChars)), kMaxCellChars);
        if (text.size() < cell.text.size()) {
          ++cells_cut_;
          text += " (" + std::to_string(cell.text.size()) + " bytes)";
        }
        bytes_ += text.size();
        return text;
      }
      default:
        return nullptr;
    }
  }

  ToolResult& result_;
  size_t bytes_ = 0, cells_cut_ = 0;
};

Result<std::vector<uint32_t>> chosen_ranks(const Json& arguments, const OpenProfile& profile) {
  const auto rank = arguments.find("rank");
  if (rank == arguments.end()) return arguments["ranks"].get<std::vector<uint32_t>>();
  const int64_t one = rank->get<int64_t>();
  if (one > UINT32_MAX || profile.find_rank(static_cast<uint32_t>(one)) == nullptr) return unknown_rank(profile, one);
  return std::vector<uint32_t>{static_cast<uint32_t>(one)};
}

void tell_absent_tables(const ProfileTables& tables, const OpenProfile& profile, ToolResult& result) {
  for (const std::string& table : tables.absent()) {
    const std::string input = ingest::input_for(profile.layout, table);
    const std::string costs = table == query::kLinkTable ? "host_op_id is null" : "table `" + table + "` is empty";
    result.missing.push_back({input.empty() ? table : input, costs});
  }
}

/// "1, 3", of many the first.
template <class Numbers>
std::string listed(const Numbers& numbers) {
  constexpr size_t kMost = 8;
  std::string out;
  size_t count = 0;
  for (const auto number : numbers) {
    if (count++ < kMost) out += (out.empty() ? "" : ", ") + std::to_string(number);
  }
  return out + (count > kMost ? ", ... " + std::to_string(count) + " in all" : "");
}

/// A sum over ranks of which some were never recorded would pass for one over all.
void tell_lacking_ranks(const ProfileTables& tables, const OpenProfile& profile, ToolResult& result) {
  for (const auto& [table, ranks] : tables.lacking()) {
    const std::string input = ingest::input_for(profile.layout, table);
    const std::string costs = table == query::kLinkTable ? "host_op_id is null" : "table `" + table + "` has no rows";
    result.missing.push_back({input.empty() ? table : input, costs + " of rank " + listed(ranks)});
  }
  if (tables.unknown().empty()) return;
  result.warnings.push_back({"query.rank", "The query asks for a rank that it does not run over, which has no rows: " +
                                               listed(tables.unknown()) + ". It runs over rank " +
                                               listed(tables.ranks()) + "."});
}

}  // namespace

Json query_sql_declaration() {
  return {
      {"name", "query_sql"},
      {"title", "Query tables by SQL"},
      {"description",
       "Read-only SQLite SQL over the profile's tables (kernel, host_op, comm_op...: see describe_tables), all ranks "
       "in "
       "one table, for what no other tool answers. Times are integers in ns."},
      {"exposure", "core"},
      {"per", "profile"},
      {"annotations", export_annotations()},
      {"input",
       {{"type", "object"},
        {"required", {"sql"}},
        {"properties",
         {{"sql",
           {{"type", "string"},
            {"description",
             "One SELECT, e.g. SELECT name, sum(dur_ns)/1e3 AS us FROM kernel WHERE rank = 0 GROUP BY name ORDER BY us "
             "DESC."}}},
          {"rank", {{"type", "integer"}, {"minimum", 0}, {"description", "Only this rank's rows; default all."}}},
          {"limit",
           {{"type", "integer"},
            {"minimum", 1},
            {"maximum", limits::kMaxLimitArgument},
            {"description", "Rows to answer; default 20."}}},
          {"export", export_argument()},
          {"cursor", {{"$ref", "#/common/cursor"}}}}}}},
      {"output",
       {{"type", "object"},
        {"required", {"rows"}},
        {"properties",
         {{"columns", {{"type", "array"}, {"items", {{"type", "string"}}}}}, {"rows", {{"x-role", "data"}}}}}}}};
}

Result<ToolResult> query_sql(const Json& arguments, CallHost& host, query::Queries& queries, const Registry& registry,
                             const std::filesystem::path& out_dir) {
  const OpenProfile& profile = *host.profile();
  SW_ASSIGN_OR_RETURN(auto ranks, chosen_ranks(arguments, profile));
  ProfileTables tables(host, registry, std::move(ranks));
  const std::string sql = arguments["sql"];
  ToolResult result;
  if (const std::string format = arguments.value("export", ""); !format.empty()) {
    const std::string name =
        export_name("query", profile.id + sql + dump_json(arguments.value("rank", Json())), format);
    SW_ASSIGN_OR_RETURN(auto file, ExportFile::create(out_dir, profile.layout.root, name, format));
    SW_RETURN_IF_ERROR(queries.run(sql, tables, host.cancel(), *file));
    SW_RETURN_IF_ERROR(file->finish(result));
  } else {
    result.has_rows = true;
    AnswerRows rows(result);
    SW_RETURN_IF_ERROR(queries.run(sql, tables, host.cancel(), rows));
    result.total_rows = result.rows.size();
    if (rows.cells_cut() > 0) {
      result.warnings.push_back({"query.cut", std::to_string(rows.cells_cut()) + " texts were cut at " +
                                                  std::to_string(kMaxCellChars) +
                                                  " characters; `export` gives them whole."});
    }
    if (result.more_rows) {
      result.next.push_back({"query_sql", {{"sql", sql}, {"export", "csv"}}, "all rows, in a file"});
    }
  }
  tell_absent_tables(tables, profile, result);
  tell_lacking_ranks(tables, profile, result);
  return result;
}

}  // namespace stepwise::engine
