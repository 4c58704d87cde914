// The engine: every face turns its protocol into requests to it. It holds the profiles that are open, runs each
// distinct call once however many wait for it, and keeps results.
//
// Life: start -> submit/cancel from any thread -> stop (waits; may be called twice).
// submit never blocks and never calls the sink on the caller's stack. A sink is called from the engine's threads, one
// call at a time, done exactly once unless the waiter was cancelled (then never again).
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/task.h"
#include "core/engine/client.h"
#include "core/engine/provider.h"
#include "core/engine/registry.h"

namespace stepwise::engine {

struct Request {
  std::string tool;
  Json arguments = Json::object();  // as the client sent them
  bool answer_running = true;       // answered `running` after limits::kAnswerRunningAfter; false: wait (the CLI)
  bool want_progress = false;
  ClientInput client;    // for tools that ask the client
  bool cap_text = true;  // an answer for a client (render.h); false: all rows up to `limit` (the CLI)
};

struct Answer {
  std::optional<Error> error;  // set: the call failed, the rest is empty
  Json structured;             // the result envelope of docs/tools.md
  std::string text;            // stands alone
  Json content;                // set: an array of MCP content blocks that stands for structure and text
  ClientAsk ask;               // not empty: no answer yet, the tool asks the client first
};

class Sink {
 public:
  virtual ~Sink() = default;
  virtual void progress(const ProgressGauge::Value& value) = 0;
  virtual void log(const LogMessage&) {}
  virtual void done(Answer answer) = 0;
};

using WaiterId = uint64_t;

/// What the engine has done since its start; tests assert these rather than times.
struct EngineCounters {
  uint64_t executions = 0;  // distinct pieces of work begun
  uint64_t joins = 0;       // waiters that found their work under way
  uint64_t ingests = 0;     // segments read from their sources
  uint64_t result_cache_hits = 0;
  uint64_t waiting = 0;  // waiters now
  uint64_t abandoned_threads = 0;
};

struct EngineOptions {
  std::vector<std::filesystem::path> roots;              // profiles must lie under one of these; empty: anywhere
  std::vector<std::filesystem::path> plugin_dirs;        // each holds <name>/plugin.json
  std::filesystem::path own_plugin_dir;                  // one of them, of the plugins that ship with the program
  std::filesystem::path out_dir = "./report";            // where exports and reports go; never inside a profile
  std::string version;                                   // of the program, as reports name it
  std::vector<std::filesystem::path> knowledge_dirs;     // as Knowledge::load takes them; empty: no knowledge
  std::vector<std::filesystem::path> rule_dirs;          // each holds rules/ and measures/; empty: no advise
  std::filesystem::path cache_root;                      // empty: store::Cache::default_root()
  std::vector<std::shared_ptr<ToolProvider>> providers;  // beside the engine's own
  std::shared_ptr<PluginRunner> isolated_runner;         // runs plugins outside this process; nullptr: all run inside
  std::function<bool(const PluginInfo&)> runs_isolated;  // which of them; empty: every one
  std::chrono::milliseconds running_after = limits::kAnswerRunningAfter;
  std::chrono::milliseconds analysis_deadline = limits::kAnalysisDeadline;
  unsigned call_slots = 0;      // 0: max(2, cores)
  unsigned ingest_threads = 0;  // 0: cores
};

class Engine {
 public:
  /// Errors: plugin `plugin.manifest`, io `cache.unwritable`.
  static Result<std::unique_ptr<Engine>> start(EngineOptions options);
  virtual ~Engine() = default;

  virtual WaiterId submit(Request request, std::shared_ptr<Sink> sink) = 0;
  /// The waiter's sink is not called any more. Unknown or finished ids are ignored.
  virtual void cancel(WaiterId waiter) = 0;
  virtual std::shared_ptr<const Registry> registry() const = 0;
  virtual EngineCounters counters() const = 0;
  /// Ids of the open profiles whose files changed since this was last asked; it looks at them, so not on the loop.
  virtual std::vector<std::string> changed_profiles() { return {}; }
  /// Waiters get `server.stopping`, work is cancelled, threads are joined (limits::kStop...). False: a thread did not
  /// come back, and the process should end by _exit.
  virtual bool stop() = 0;
};

/// Submits and waits; for the command line and tests.
Answer call_and_wait(Engine& engine, Request request, Sink* progress = nullptr);

}  // namespace stepwise::engine
