// A tool as it is declared: in a plugin's plugin.json, or by an engine tool in the same shape.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"

namespace stepwise::engine {

struct ToolView {
  std::vector<std::string> columns;   // of the text table, in order
  std::vector<std::string> additive;  // columns whose sum means something: the host makes the "other" row of them
  std::string rank_by;                // rows come sorted by it, descending
};

/// A table that a tool would like to have, and what its absence costs the reader.
struct ToolUse {
  std::string table, costs;
  bool of_all_ranks = false;            // read of every rank of the profile, also by a tool that answers about one
  std::vector<std::string> profiles{};  // kinds of profiles in which it is looked for; empty: all

  bool applies_to(std::string_view kind) const {
    return profiles.empty() || std::find(profiles.begin(), profiles.end(), kind) != profiles.end();
  }
};

struct ToolDecl {
  std::string name, title, description;
  bool core = false;     // listed by MCP tools/list by default
  bool per_rank = true;  // takes `rank`; else looks at all ranks
  bool needs_profile = true;
  bool opens_profile = false;  // takes `path`, which becomes the call's profile
  bool on_demand = false;      // asks for tables while it runs (CallHost::read), so needs and uses name none
  bool takes_limit = false;    // `limit` is an argument of its own: it shapes more than rows
  bool checks_itself = false;  // the host hands arguments on unchecked: the schema uses more than the host knows
  bool pure = true;            // a function of segments and arguments alone: results are kept and shared
  int64_t default_limit = 20;
  std::vector<std::vector<std::string>> needs;  // all of (any of): a miss is not_applicable
  std::vector<ToolUse> uses;                    // a miss is partial, naming the file
  std::vector<std::string> calls;               // tools that it may call
  std::vector<std::string> calls_if_there;  // the same, of other plugins: the registry moves those it has to `calls`
  Json annotations = Json::object();
  Json input = Json::object();  // complete: with the host's own arguments, $refs resolved
  Json output = Json::object();
  ToolView view;
  std::string plugin;  // "" : the engine's own
};

}  // namespace stepwise::engine
