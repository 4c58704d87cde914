#include "core/engine/plan.h"

#include <algorithm>
#include <set>

#include "core/engine/schema.h"
#include "core/ingest/ingest.h"
#include "stepwise/tables.hpp"

namespace stepwise::engine {
namespace {

using Groups = std::set<table::Group>;

/// Groups that the tool and all that it may call can want on that rank: everything is read before the tool starts.
void add_groups(const Registry& registry, const ToolDecl& tool, const ingest::ProfileLayout& layout,
                const ingest::RankLayout& rank, Groups& groups) {
  const auto add_table = [&](const std::string& name) {
    if (!ingest::could_have(layout, rank, name)) return false;
    groups.insert(ingest::group_of(layout.kind, name));
    return true;
  };
  for (const auto& any_of : tool.needs) {
    for (const std::string& name : any_of) {
      if (add_table(name)) break;
    }
  }
  for (const ToolUse& use : tool.uses) {
    if (use.applies_to(ingest::to_string(layout.kind))) add_table(use.table);
  }
  for (const std::string& callee : tool.calls) {
    if (const RegisteredTool* called = registry.find(callee)) add_groups(registry, called->decl, layout, rank, groups);
  }
}

/// Groups that the tool and all that it may call read of every rank, whichever the call is about.
void add_groups_of_all_ranks(const Registry& registry, const ToolDecl& tool, const ingest::ProfileLayout& layout,
                             const ingest::RankLayout& rank, Groups& groups) {
  for (const ToolUse& use : tool.uses) {
    const bool wanted = use.of_all_ranks && use.applies_to(ingest::to_string(layout.kind));
    if (wanted && ingest::could_have(layout, rank, use.table)) {
      groups.insert(ingest::group_of(layout.kind, use.table));
    }
  }
  for (const std::string& callee : tool.calls) {
    const RegisteredTool* called = registry.find(callee);
    if (called != nullptr) add_groups_of_all_ranks(registry, called->decl, layout, rank, groups);
  }
}

/// Groups that tools about the whole profile, which a tool about one rank may call, want on that rank.
void add_groups_of_whole_profile(const Registry& registry, const ToolDecl& tool, const ingest::ProfileLayout& layout,
                                 const ingest::RankLayout& rank, Groups& groups) {
  for (const std::string& callee : tool.calls) {
    const RegisteredTool* called = registry.find(callee);
    if (called == nullptr) continue;
    if (called->decl.per_rank) {
      add_groups_of_whole_profile(registry, called->decl, layout, rank, groups);
    } else {
      add_groups(registry, called->decl, layout, rank, groups);
    }
  }
}

std::vector<uint32_t> all_ranks(const OpenProfile& profile) {
  std::vector<uint32_t> ranks;
  for (const ingest::RankLayout& one : profile.layout.ranks) ranks.push_back(one.rank);
  return ranks;
}

std::string take_text(Json& arguments, const char* name) {
  const auto it = arguments.find(name);
  if (it == arguments.end()) return "";
  std::string text = it->get<std::string>();
  arguments.erase(it);
  return text;
}

void take_paging(CallPlan& plan, Json& arguments) {
  const ToolDecl& tool = plan.tool->decl;
  plan.host.limit = arguments.value("limit", tool.default_limit);
  if (!tool.takes_limit) arguments.erase("limit");
  plan.host.cursor = take_text(arguments, "cursor");
}

Result<void> take_ranks(CallPlan& plan) {
  const ToolDecl& tool = plan.tool->decl;
  if (tool.opens_profile) {
    plan.ranks = {plan.profile->lowest_rank()};
  } else if (!tool.per_rank) {
    plan.ranks = all_ranks(*plan.profile);
  } else if (const auto it = plan.arguments.find("rank"); it != plan.arguments.end()) {
    const int64_t rank = it->get<int64_t>();
    plan.arguments.erase(it);
    if (rank < 0 || rank > UINT32_MAX || plan.profile->find_rank(static_cast<uint32_t>(rank)) == nullptr) {
      return unknown_rank(*plan.profile, rank);
    }
    plan.ranks = {static_cast<uint32_t>(rank)};
  } else {
    plan.ranks = {plan.profile->lowest_rank()};
  }
  return {};
}

/// Every segment that the ranks could have.
void add_on_demand(CallPlan& plan) {
  const ingest::ProfileLayout& profile = plan.profile->layout;
  for (const ingest::RankLayout& layout : profile.ranks) {
    Groups groups;
    for (const table::TableDecl* decl : table::kAllTables) {
      if (ingest::could_have(profile, layout, decl->name)) groups.insert(ingest::group_of(profile.kind, decl->name));
    }
    for (const table::Group group : groups) {
      plan.on_demand.push_back({layout.rank, group, ingest::segment_key(profile, layout, group)});
    }
  }
}

void add_segments(CallPlan& plan) {
  plan.segments.clear();
  if (plan.tool->decl.on_demand) return add_on_demand(plan);
  const ingest::ProfileLayout& profile = plan.profile->layout;
  for (const ingest::RankLayout& layout : profile.ranks) {
    Groups groups;
    if (std::find(plan.ranks.begin(), plan.ranks.end(), layout.rank) != plan.ranks.end()) {
      add_groups(*plan.registry, plan.tool->decl, profile, layout, groups);
    }
    add_groups_of_all_ranks(*plan.registry, plan.tool->decl, profile, layout, groups);
    add_groups_of_whole_profile(*plan.registry, plan.tool->decl, profile, layout, groups);
    for (const table::Group group : groups) {
      plan.segments.push_back({layout.rank, group, ingest::segment_key(profile, layout, group)});
    }
  }
}

void make_key(CallPlan& plan) {
  Json segments = Json::array();
  for (const auto* needs : {&plan.segments, &plan.on_demand}) {
    for (const SegmentNeed& need : *needs) {
      segments.push_back({need.rank, static_cast<int>(need.group), need.key.ingest_print, need.key.source_print});
    }
  }
  plan.key = dump_json({plan.tool->decl.name, plan.tool->plugin ? plan.tool->plugin->binary_id : "",
                        plan.profile ? plan.profile->id : "", plan.profile ? plan.profile->declare : Json(), plan.ranks,
                        plan.arguments, segments});
}

/// `run_analysis` is another way to say the name of a tool: it is unwrapped before anything else happens.
Result<Json> unwrap_analysis(const Registry& registry, const RegisteredTool*& tool, Json arguments) {
  const std::string name = arguments["analysis"];
  const RegisteredTool* inner = registry.find(name);
  if (inner == nullptr) {
    Error error = unknown_tool(registry, name);
    error.where = "/analysis";
    return error;
  }
  if (!inner->decl.needs_profile) {
    return Error{ErrorKind::usage, "analysis.none", "`" + name + "` is a tool of its own, no analysis.",
                 "Call it directly; list_analyses lists what run_analysis runs.", "/analysis"};
  }
  Json merged = arguments.value("arguments", Json::object());
  for (const char* passed : {"profile", "limit", "cursor", "export"}) {
    if (arguments.contains(passed) && !merged.contains(passed)) merged[passed] = arguments[passed];
  }
  tool = inner;
  return merged;
}

/// A path that holds several runs stands for one of them. Who gives an id knows which.
void tell_choice_of_run(CallPlan& plan) {
  for (const ingest::LayoutRemark& one : plan.profile->layout.remarks) {
    if (one.code == "profile.several_runs") plan.of_path.push_back({one.code, one.text});
  }
}

/// The files of an open profile may have changed, or new ones appeared, since its directory was looked at.
Result<void> follow_changes(Sessions& sessions, CallPlan& plan) {
  for (const ingest::SourceFile& file : plan.profile->find_rank(plan.ranks.front())->files) {
    std::error_code ec;
    const auto bytes = std::filesystem::file_size(plan.profile->layout.root / file.path, ec);
    if (!ec && bytes == file.bytes) continue;
    SW_ASSIGN_OR_RETURN(plan.profile, sessions.refresh(*plan.profile));
    for (const uint32_t rank : plan.ranks) {
      if (plan.profile->find_rank(rank) == nullptr) return unknown_rank(*plan.profile, rank);
    }
    return {};
  }
  return {};
}

}  // namespace

Error unknown_rank(const OpenProfile& profile, int64_t rank) {
  std::string known;
  const auto& ranks = profile.layout.ranks;
  for (size_t i = 0; i < ranks.size() && i < 16; ++i) known += (i == 0 ? "" : ", ") + std::to_string(ranks[i].rank);
  if (ranks.size() > 16) known += ", ...";
  return {ErrorKind::not_found, "rank.unknown", "The profile has no rank " + std::to_string(rank) + ".",
          "Its ranks: " + known + ".", "/rank"};
}

Error unknown_tool(const Registry& registry, std::string_view name) {
  const auto near = registry.nearest(name);
  std::string hint = "list_analyses lists them all.";
  if (!near.empty()) hint = "Did you mean `" + near.front() + "`? " + hint;
  return {ErrorKind::not_found, "tool.unknown", "There is no tool `" + std::string(name.substr(0, 64)) + "`.", hint,
          ""};
}

Result<CallPlan> make_plan(std::shared_ptr<const Registry> registry, Sessions& sessions, const std::string& name,
                           const Json& given) {
  CallPlan plan;
  plan.registry = std::move(registry);
  plan.tool = plan.registry->find(name);
  if (plan.tool == nullptr) return unknown_tool(*plan.registry, name);
  if (plan.tool->decl.checks_itself) {
    plan.arguments = given;
    make_key(plan);
    return plan;
  }
  SW_RETURN_IF_ERROR(validate(plan.tool->decl.input, given));
  Json arguments = given;
  if (name == "run_analysis") {
    SW_ASSIGN_OR_RETURN(arguments, unwrap_analysis(*plan.registry, plan.tool, std::move(arguments)));
    // A tool that writes files itself takes the argument; the rows of all others are the host's to write.
    if (!plan.tool->decl.input["properties"].contains("export")) plan.host.export_as = take_text(arguments, "export");
    SW_RETURN_IF_ERROR(validate(plan.tool->decl.input, arguments));
  }
  const ToolDecl& tool = plan.tool->decl;

  take_paging(plan, arguments);
  if (tool.opens_profile) {
    OpenOptions options{arguments.value("declare", Json())};
    if (const auto graphs = arguments.find("graphs"); graphs != arguments.end()) options.graphs = *graphs;
    SW_ASSIGN_OR_RETURN(plan.profile, sessions.open(arguments["path"], options));
  } else if (tool.needs_profile) {
    const std::string path_or_id = take_text(arguments, "profile");
    SW_ASSIGN_OR_RETURN(plan.profile, sessions.resolve(path_or_id));
    if (!path_or_id.empty() && path_or_id != plan.profile->id) tell_choice_of_run(plan);
  }
  plan.arguments = with_defaults(tool.input, std::move(arguments));
  if (plan.profile != nullptr) {
    SW_RETURN_IF_ERROR(take_ranks(plan));
    SW_RETURN_IF_ERROR(follow_changes(sessions, plan));
    add_segments(plan);
  }
  make_key(plan);
  return plan;
}

Result<CallPlan> make_nested_plan(const CallPlan& outer, std::string_view name, const Json& given) {
  CallPlan plan;
  plan.registry = outer.registry;
  plan.tool = plan.registry->find(name);
  const auto& allowed = outer.tool->decl.calls;
  if (plan.tool == nullptr || std::find(allowed.begin(), allowed.end(), name) == allowed.end()) {
    return Error{ErrorKind::plugin, "plugin.calls",
                 "`" + outer.tool->decl.name + "` calls `" + std::string(name) + "`, which its manifest does not list.",
                 "", ""};
  }
  SW_RETURN_IF_ERROR(validate(plan.tool->decl.input, given));
  plan.profile = outer.profile;
  Json arguments = given;
  take_paging(plan, arguments);
  plan.arguments = with_defaults(plan.tool->decl.input, std::move(arguments));
  if (plan.profile != nullptr) {
    if (plan.tool->decl.opens_profile) {
      SW_RETURN_IF_ERROR(take_ranks(plan));
    } else if (plan.tool->decl.per_rank) {
      // A nested call looks at the rank that the outer one looks at, unless it names another of them.
      if (!plan.arguments.contains("rank")) plan.arguments["rank"] = outer.ranks.front();
      SW_RETURN_IF_ERROR(take_ranks(plan));
    } else {
      plan.ranks = all_ranks(*plan.profile);
    }
    add_segments(plan);
  }
  make_key(plan);
  return plan;
}

}  // namespace stepwise::engine
