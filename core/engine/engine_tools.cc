#include "core/engine/engine_tools.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "core/advice/knowledge.h"
#include "core/engine/completeness.h"
#include "core/engine/describe_tables.h"
#include "core/engine/export_rows.h"
#include "core/engine/manifest.h"
#include "core/engine/open_profile_text.h"
#include "core/engine/plan.h"
#include "core/engine/query_sql.h"
#include "core/engine/timeline.h"
#include "core/ingest/ingest.h"
#include "core/store/table_view.h"
#include "stepwise/tables.hpp"

namespace stepwise::engine {
namespace {

Json text_argument(const char* says) { return {{"type", "string"}, {"description", says}}; }

Json declarations() {
  const Json declare = {{"type", "object"},
                        {"description", "What the profile cannot tell of itself."},
                        {"additionalProperties", false},
                        {"properties",
                         {{"execution_mode",
                           {{"type", "string"},
                            {"enum",
                             {"inductor_ascendc", "ge_autofuse", "inductor_triton", "inductor_dvm", "inductor_mlir",
                              "ge", "npu_graph", "cuda_graph", "graph_dump", "eager"}}}},
                          {"toolchain", {{"type", "string"}, {"enum", {"ge_tf", "torchair", "atc"}}}},
                          {"chip", {{"type", "string"}}},
                          {"batch_size", {{"type", "integer"}, {"minimum", 1}}},
                          {"instances", {{"type", "integer"}, {"minimum", 1}}},
                          {"latency_budget_us", {{"type", "number"}, {"minimum", 0}}},
                          {"device_memory_bytes", {{"type", "integer"}, {"minimum", 1}}},
                          {"stage_keywords", {{"type", "object"}}}}}};
  const Json rows = {{"type", "array"}, {"items", {{"type", "object"}}}, {"x-role", "data"}};
  return Json::array({
      {{"name", "open_profile"},
       {"title", "Open a profile"},
       {"description",
        "Opens a profile directory and says what it is: profiler, ranks, steps, tables, files. Call this first; other "
        "tools take its id."},
       {"exposure", "core"},
       {"per", "none"},
       {"uses", {"step"}},
       {"input",
        {{"type", "object"},
         {"required", {"path"}},
         {"properties",
          {{"path", text_argument("Profile directory, or a file in it; or one trace or graph dump.")},
           {"graphs",
            {{"type", "array"},
             {"items", {{"type", "string"}}},
             {"maxItems", limits::kMaxGraphFiles},
             {"description", "Graph dumps that lie elsewhere: files or directories."}}},
           {"files_from",
            {{"type", "integer"},
             {"minimum", 0},
             {"maximum", 1'000'000'000},
             {"description", "How many files to pass over in `files`; default 0."}}},
           {"declare", declare}}}}},
       {"output", {{"type", "object"}, {"required", {"id", "kind", "ranks"}}}}},
      {{"name", "list_profiles"},
       {"title", "List open profiles"},
       {"description", "The profiles that are open, with their ids and paths."},
       {"per", "none"},
       {"input", {{"type", "object"}}},
       {"output", {{"type", "object"}, {"properties", {{"rows", rows}}}}},
       {"view", {{"columns", {"profile", "kind", "rank_count", "path"}}}}},
      {{"name", "close_profile"},
       {"title", "Close a profile"},
       {"description", "Forgets an open profile. Its id still works afterwards."},
       {"per", "none"},
       {"annotations",
        {{"readOnlyHint", false}, {"destructiveHint", false}, {"idempotentHint", true}, {"openWorldHint", false}}},
       {"input",
        {{"type", "object"}, {"required", {"id"}}, {"properties", {{"id", text_argument("Id from open_profile.")}}}}},
       {"output", {{"type", "object"}, {"required", {"closed"}}}}},
      {{"name", "list_analyses"},
       {"title", "List analyses"},
       {"description",
        "The catalogue: every analysis in a line, or one of them with its schemas. Run them with run_analysis."},
       {"exposure", "core"},
       {"per", "none"},
       {"default_limit", 100},
       {"input",
        {{"type", "object"}, {"properties", {{"analysis", text_argument("One analysis, with its schemas.")}}}}},
       {"output", {{"type", "object"}, {"properties", {{"rows", rows}}}}},
       {"view", {{"columns", {"analysis", "needs", "plugin", "answers"}}}}},
      {{"name", "run_analysis"},
       {"title", "Run an analysis"},
       {"description", "Runs any analysis that list_analyses names; the answer is that analysis' own."},
       {"exposure", "core"},
       {"per", "none"},
       {"annotations", export_annotations()},
       {"input",
        {{"type", "object"},
         {"required", {"analysis"}},
         {"properties",
          {{"analysis", text_argument("Name from list_analyses.")},
           {"arguments", {{"type", "object"}, {"description", "The analysis' own arguments."}}},
           {"profile", {{"$ref", "#/common/profile"}}},
           {"limit",
            {{"type", "integer"},
             {"minimum", 1},
             {"maximum", limits::kMaxLimitArgument},
             {"description", "Rows to answer."}}},
           {"export", export_argument()},
           {"cursor", {{"$ref", "#/common/cursor"}}}}}}},
       {"output", {{"type", "object"}}}},
  });
}

Json file_to_json(const ingest::SourceFile& file) {
  Json json = {{"path", file.path},
               {"kind", ingest::to_string(file.kind)},
               {"bytes", file.bytes},
               {"used", file.why_not.empty()}};
  if (!file.why_not.empty()) json["why_not"] = file.why_not;
  return json;
}

// Of a cluster there are thousands, and what is the matter with one stands in describe_tables and in warnings.
constexpr uint64_t kFilesListed = 40;

/// As many as are listed at a time, behind the first `from`.
Json files_to_json(const ingest::ProfileLayout& layout, uint64_t from, uint64_t& total) {
  Json files = Json::array();
  total = 0;
  const auto add = [&](const ingest::SourceFile& file) {
    if (++total > from && files.size() < kFilesListed) files.push_back(file_to_json(file));
  };
  for (const auto& rank : layout.ranks) {
    for (const auto& file : rank.files) add(file);
  }
  for (const auto& file : layout.unclaimed) add(file);
  return files;
}

std::string needs_in_words(const ToolDecl& tool) {
  std::string out;
  for (const auto& any_of : tool.needs) {
    std::string one;
    for (const std::string& table : any_of) one += (one.empty() ? "" : " or ") + table;
    out += (out.empty() ? "" : ", ") + one;
  }
  return out;
}

/// One line of the catalogue, whole: who reads the text alone chooses by it.
std::string analysis_line(const ToolDecl& tool) {
  const std::string needs = needs_in_words(tool);
  return tool.name + ": " + tool.description + (needs.empty() ? "" : " Needs " + needs + ".") +
         (tool.plugin.empty() ? "" : " Plugin " + tool.plugin + ".") + "\n";
}

constexpr size_t kRunsListed = 12;

/// Runs that have nothing to do with each other: their ranks share no step and no communication, so one of them is
/// opened, and whoever wanted another one chooses it.
void tell_runs(const ingest::ProfileLayout& layout, ToolResult& result) {
  if (layout.runs.empty()) return;
  Json list = Json::array();
  for (const ingest::SeparateRun& run : layout.runs) {
    if (list.size() == kRunsListed) break;
    const bool is_opened = run.path == layout.root;
    list.push_back({{"path", run.path.string()},
                    {"kind", ingest::to_string(run.kind)},
                    {"ranks", run.ranks},
                    {"opened", is_opened}});
    if (!is_opened) result.next.push_back({"open_profile", {{"path", run.path.string()}}, "that run instead"});
  }
  result.body["runs"] = std::move(list);
}

using SegmentsAtHand = std::map<table::Group, std::shared_ptr<const store::Segment>>;

/// Each segment has diagnostics of its own; query_sql shows all of them as one table.
Result<void> count_diagnostics(const SegmentsAtHand& at_hand, Json& tables) {
  constexpr const char* kName = table::diagnostic::kTable.name;
  uint64_t count = 0;
  for (const auto& [group, segment] : at_hand) {
    if (segment == nullptr) continue;
    SW_ASSIGN_OR_RETURN(const sw_table* rows, segment->table(kName));
    if (rows == nullptr) continue;
    count += rows->rows;
    tables[kName] = count;
  }
  return {};
}

/// A chip need not be known to be declared, but nothing follows from a name that is not.
void tell_unknown_chip(const Json& declare, const advice::Chips& chips, ToolResult& result) {
  const auto chip = declare.find("chip");
  if (chip == declare.end() || !chip->is_string() || chips.find(chip->get<std::string>()) != nullptr) return;
  std::string known;
  for (const advice::Chip& one : chips.all()) known += (known.empty() ? "" : ", ") + one.name;
  result.warnings.push_back({"declare.chip", "Nothing is known of the declared chip `" + chip->get<std::string>() +
                                                 "`: figures that need it stay unknown. Known: " + known + "."});
}

/// What to ask of an opened profile: the broadest that its files can answer. `tables` has a key for each table that
/// they may fill.
std::optional<Next> first_question(const std::string& id, const Json& tables, const Registry& registry) {
  const auto any_of = [&](std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(), [&](const char* name) { return tables.contains(name); });
  };
  Next next{"describe_tables", {{"profile", id}}, "what these files tell: query_sql answers from their tables"};
  if (any_of({"step", "kernel", "op_stat", "api_stat"})) {
    next.tool = "summarize_profile";
    next.why = "where the step's time goes";
  } else if (any_of({"host_op"})) {
    next.tool = "stage_breakdown";
    next.why = "where the host's time goes";
  } else if (any_of({"graph_node"})) {
    next.tool = "repeated_subgraphs";
    next.why = "which structures the graph repeats";
  }
  if (registry.find(next.tool) == nullptr) return std::nullopt;
  return next;
}

}  // namespace

Result<std::shared_ptr<EngineTools>> EngineTools::make(Parts parts) {
  auto made = std::shared_ptr<EngineTools>(new EngineTools(std::move(parts)));
  Json all = declarations();
  for (Json (*declaration)() : {describe_tables_declaration, query_sql_declaration, timeline_declaration})
    all.push_back(declaration());
  for (const Json& declaration : all) {
    SW_ASSIGN_OR_RETURN(ToolDecl decl, tool_from_json(declaration, ""));
    // The others answer about the moment: what is open, what is mapped, which tools there are.
    decl.on_demand = decl.name == "query_sql" || decl.name == "timeline";
    decl.pure = decl.on_demand || decl.name == "describe_tables";
    decl.takes_limit = decl.name == "timeline";
    decl.opens_profile = decl.name == "open_profile";
    made->tools_.push_back(std::move(decl));
  }
  return made;
}

Result<ToolResult> EngineTools::call(const std::string& tool, const Json& arguments, CallHost& host) {
  if (tool == "open_profile") return open_profile(arguments, host);
  if (tool == "list_profiles") return list_profiles();
  if (tool == "close_profile") return close_profile(arguments);
  if (tool == "describe_tables") return describe_tables(arguments, host);
  if (tool == "query_sql") return query_sql(arguments, host, queries_, *parts_.registry(), parts_.out_dir);
  if (tool == "timeline") return timeline(arguments, host);
  return list_analyses(arguments);
}

Result<ToolResult> EngineTools::open_profile(const Json& arguments, CallHost& host) const {
  const OpenProfile& profile = *host.profile();
  const ingest::ProfileLayout& layout = profile.layout;
  const uint32_t lowest = profile.lowest_rank();
  ToolResult result;
  Json& body = result.body;
  body["id"] = profile.id;
  body["kind"] = ingest::to_string(layout.kind);
  body["framework"] = layout.framework;
  body["origin_ns"] = arguments["profile"]["origin_ns"];
  body["rank_count"] = layout.ranks.size();
  Json ranks = Json::array();
  for (const auto& rank : layout.ranks) {
    if (ranks.size() < limits::kMaxRanksListed) ranks.push_back(rank.rank);
  }
  body["ranks"] = std::move(ranks);
  if (!profile.declare.empty()) body["declared"] = profile.declare;

  Json tables = Json::object();
  std::set<table::Group> told;
  uint64_t bytes = 0;
  double seconds = 0;
  bool from_cache = true;
  const ingest::RankLayout& rank = *profile.find_rank(lowest);
  SegmentsAtHand at_hand;
  for (const auto group : {table::Group::files, table::Group::trace, table::Group::graph, table::Group::cluster}) {
    at_hand[group] = parts_.segments.peek({profile.id, lowest, group}, ingest::segment_key(layout, rank, group));
  }
  for (const table::TableDecl* decl : table::kAllTables) {
    const table::Group group = ingest::group_of(layout.kind, decl->name);
    const auto& segment = at_hand[group];
    if (segment == nullptr) {
      if (ingest::could_have(layout, rank, decl->name)) tables[decl->name] = nullptr;
      continue;
    }
    SW_ASSIGN_OR_RETURN(const sw_table* rows, segment->table(decl->name));
    if (rows != nullptr) tables[decl->name] = rows->rows;
    // Those of the segment that every opening reads are told of without this.
    if (group != ingest::group_of(layout.kind, "step") && told.insert(group).second) {
      SW_RETURN_IF_ERROR(add_oddities(*segment, result));
      SW_RETURN_IF_ERROR(segment->check());
    }
  }
  SW_RETURN_IF_ERROR(count_diagnostics(at_hand, tables));
  tell_unknown_chip(profile.declare, parts_.registry()->knowledge()->chips(), result);
  std::optional<Next> next = first_question(profile.id, tables, *parts_.registry());
  if (next.has_value()) result.next.push_back(*std::move(next));
  tell_runs(layout, result);
  body["tables"] = std::move(tables);
  body["tables_rank"] = lowest;  // whose rows are counted
  std::set<int64_t> steps;
  if (const LoadedSegment* loaded = host.segment(lowest, ingest::group_of(layout.kind, "step"))) {
    bytes = loaded->segment->bytes();
    seconds = loaded->seconds;
    from_cache = loaded->from_cache;
    SW_ASSIGN_OR_RETURN(const sw_table* rows, host.table(lowest, "step"));
    for (uint64_t row = 0; rows != nullptr && row < rows->rows; ++row) {
      if (const auto step = store::get(*rows, table::step::step, row)) steps.insert(*step);
    }
  }
  body["steps"] = std::vector<int64_t>(
      steps.begin(), std::next(steps.begin(), static_cast<std::ptrdiff_t>(std::min<size_t>(steps.size(), 64))));
  body["step_count"] = steps.size();
  for (const ingest::LayoutRemark& one : layout.remarks) result.warnings.push_back({one.code, one.text});
  uint64_t file_count = 0;
  const uint64_t files_from = arguments.value("files_from", uint64_t{0});
  body["files"] = files_to_json(layout, files_from, file_count);
  body["file_count"] = file_count;
  if (files_from > 0) body["files_from"] = files_from;
  if (const uint64_t listed = files_from + kFilesListed; listed < file_count) {
    Json further = {{"path", layout.opened.string()}, {"files_from", listed}};
    if (arguments.contains("graphs")) further["graphs"] = arguments["graphs"];
    result.next.push_back({"open_profile", std::move(further), "the files behind those listed"});
  }
  body["ingest"] = {{"bytes", bytes}, {"seconds", seconds}, {"from_cache", from_cache}};
  result.text = open_profile_text(body);
  return result;
}

Result<ToolResult> EngineTools::list_profiles() const {
  ToolResult result;
  result.has_rows = true;
  for (const OpenProfilePtr& one : parts_.sessions.list()) {
    result.rows.push_back({{"profile", one->id},
                           {"kind", ingest::to_string(one->layout.kind)},
                           {"rank_count", one->layout.ranks.size()},
                           {"path", one->layout.opened.string()}});
  }
  result.total_rows = result.rows.size();
  return result;
}

Result<ToolResult> EngineTools::close_profile(const Json& arguments) const {
  ToolResult result;
  result.body = {{"id", arguments["id"]}, {"closed", parts_.sessions.close(arguments["id"])}};
  return result;
}

Result<ToolResult> EngineTools::list_analyses(const Json& arguments) const {
  const auto registry = parts_.registry();
  ToolResult result;
  if (const auto it = arguments.find("analysis"); it != arguments.end()) {
    const RegisteredTool* tool = registry->find(it->get<std::string>());
    if (tool == nullptr) return unknown_tool(*registry, it->get<std::string>());
    result.body = {{"analysis", tool->decl.name}, {"answers", tool->decl.description}, {"needs", tool->decl.needs},
                   {"plugin", tool->decl.plugin}, {"input", tool->decl.input},         {"output", tool->decl.output}};
    return result;
  }
  result.has_rows = true;
  for (const auto& [name, tool] : registry->tools()) {
    if (!tool.decl.needs_profile) continue;  // the engine's own, which are no analyses
    result.rows.push_back({{"analysis", name},
                           {"answers", tool.decl.description},
                           {"needs", needs_in_words(tool.decl)},
                           {"plugin", tool.decl.plugin}});
    result.pieces.push_back(analysis_line(tool.decl));
  }
  result.total_rows = result.rows.size();
  return result;
}

}  // namespace stepwise::engine
