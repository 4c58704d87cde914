// Where a tool's code comes from. Two kinds: ToolProvider (linked into the program: the engine's own tools, and test
// fixtures) and PluginRunner (runs the tools of shared libraries, in process or in a worker).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/task.h"
#include "core/engine/client.h"
#include "core/engine/result.h"
#include "core/engine/tool.h"
#include "stepwise/plugin.h"
#include "stepwise/table.hpp"

namespace stepwise::engine {

struct OpenProfile;    // open_profile.h
struct LoadedSegment;  // segment_service.h

/// What a running call may ask of the host. One call's thread only, but for the flag and the gauge.
class CallHost {
 public:
  virtual ~CallHost() = default;
  virtual const CancelFlag& cancel() const = 0;
  virtual ProgressGauge& progress() = 0;
  /// Before a tool that reads on demand asks for tables: sees to it that they are read. The error `call.again` is to be
  /// handed on: the host reads them, without holding a call slot, and calls the tool again from its beginning.
  virtual Result<void> read(std::span<const uint32_t> ranks, std::string_view table) = 0;
  /// nullptr: missing (a normal answer). The view lives as long as the call.
  virtual Result<const sw_table*> table(uint32_t rank, std::string_view name) = 0;
  /// A nested call, of a tool that the calling tool's declaration lists. Arguments as for any call, `profile` left out.
  /// Of a tool that reads on demand: `call.again` where the called one's tables are still to be read.
  virtual Result<Json> call(std::string_view tool, Json arguments) = 0;
  /// The same, but as a client would get it: rows up to `limit`, the sum of the others, whose profile and rank it is.
  virtual Result<Json> answer(std::string_view tool, Json arguments) { return call(tool, std::move(arguments)); }
  /// nullptr: the tool takes no profile.
  virtual const OpenProfile* profile() const = 0;
  /// Only of a tool that is not pure: the client is no part of a result's key.
  virtual const ClientInput& client() const {
    static const ClientInput nobody;
    return nobody;
  }
  /// To everybody who waits for this call.
  virtual void log(LogMessage) {}
  /// nullptr: not read for this call.
  virtual const LoadedSegment* segment(uint32_t rank, table::Group group) const = 0;
};

class ToolProvider {
 public:
  virtual ~ToolProvider() = default;
  virtual std::vector<ToolDecl> tools() const = 0;
  /// [call slot] Arguments are checked and have their defaults.
  virtual Result<ToolResult> call(const std::string& tool, const Json& arguments, CallHost& host) = 0;
};

/// A plugin as its manifest describes it; the library is not loaded yet.
struct PluginInfo {
  std::string id, version, licence, binary_id;
  std::string manifest_path, library_path;
  std::vector<ToolDecl> tools;
  bool is_own = false;  // ships with the program; what others say is searched for advice (prose_guard.h)
};

class PluginRunner {
 public:
  virtual ~PluginRunner() = default;
  /// [call slot] Runs the tool; the result is what it emitted, not yet checked against its schema.
  virtual Result<Json> run(const PluginInfo& plugin, const std::string& tool, const Json& arguments,
                           CallHost& host) = 0;
};

}  // namespace stepwise::engine
