// A request made precise: which tool, on which profile and ranks, with which arguments, out of which segments.
// Two requests with equal keys are one piece of work. Reads directories: call slots only, never the loop.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/engine/open_profile.h"
#include "core/engine/registry.h"
#include "core/engine/result.h"
#include "core/store/segment.h"

namespace stepwise::engine {

struct SegmentNeed {
  uint32_t rank = 0;
  table::Group group = table::Group::files;
  store::SegmentKey key;
};

/// Arguments that the host keeps to itself: they change what is shown of a result, not the result.
struct HostArguments {
  int64_t limit = 0;
  std::string cursor;
  std::string export_as;  // csv, json: all rows go to a file. "": they are answered
};

struct CallPlan {
  std::shared_ptr<const Registry> registry;  // keeps `tool` alive
  const RegisteredTool* tool = nullptr;
  OpenProfilePtr profile;  // null: the tool takes none
  std::vector<uint32_t> ranks;
  Json arguments;  // the tool's own, with defaults
  HostArguments host;
  ClientInput client;
  std::vector<Warning> of_path;        // what the path leaves open that stands for the profile: told with this answer
  std::vector<SegmentNeed> segments;   // read before the tool starts
  std::vector<SegmentNeed> on_demand;  // those that it may ask for
  std::string key;

  /// A result may be kept and shared: it follows from the key alone, and making it did nothing else.
  bool is_pure() const { return tool->decl.pure && !arguments.contains("export"); }
};

/// Errors: not_found `tool.unknown`; usage `args.*`; what Sessions gives; not_found `rank.unknown`.
Result<CallPlan> make_plan(std::shared_ptr<const Registry> registry, Sessions& sessions, const std::string& tool,
                           const Json& arguments);

/// The plan of a nested call on the same profile and ranks: needs nothing but what the outer plan holds.
Result<CallPlan> make_nested_plan(const CallPlan& outer, std::string_view tool, const Json& arguments);

/// The error for a rank that the profile does not have.
Error unknown_rank(const OpenProfile& profile, int64_t rank);

/// The error for a tool that does not exist, with the nearest names.
Error unknown_tool(const Registry& registry, std::string_view name);

}  // namespace stepwise::engine
