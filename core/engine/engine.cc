#include "core/engine/engine.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/base/event_loop.h"
#include "core/base/log.h"
#include "core/engine/engine_tools.h"
#include "core/engine/execution.h"
#include "core/engine/inprocess_runner.h"
#include "core/engine/manifest.h"

namespace stepwise::engine {
namespace {

unsigned cores() { return std::max(1u, std::thread::hardware_concurrency()); }

/// Each plugin's own: in this process, or the one for isolated plugins.
class ChosenRunner : public PluginRunner {
 public:
  explicit ChosenRunner(const EngineOptions& options)
      : isolated_(options.isolated_runner), runs_isolated_(options.runs_isolated) {}

  Result<Json> run(const PluginInfo& plugin, const std::string& tool, const Json& arguments, CallHost& host) override {
    const bool isolated = isolated_ != nullptr && (!runs_isolated_ || runs_isolated_(plugin));
    PluginRunner& runner = isolated ? *isolated_ : in_process_;
    return runner.run(plugin, tool, arguments, host);
  }

 private:
  InProcessRunner in_process_;
  const std::shared_ptr<PluginRunner> isolated_;
  const std::function<bool(const PluginInfo&)> runs_isolated_;
};

// The order of members is the order of need: what stands below uses what stands above.
class EngineImpl : public Engine {
 public:
  EngineImpl(EngineOptions options, std::unique_ptr<store::Cache> cache)
      : cache_(std::move(cache)),
        runner_(options),
        sessions_(std::move(options.roots), *cache_),
        segments_(*cache_, loop_, options.ingest_threads != 0 ? options.ingest_threads : cores()),
        executions_({loop_, segments_, sessions_, runner_, [this] { return registry_; },
                     options.call_slots != 0 ? options.call_slots : std::max(2u, cores()), options.running_after,
                     options.analysis_deadline}) {}

  ~EngineImpl() override { EngineImpl::stop(); }

  Result<void> load(std::vector<std::shared_ptr<ToolProvider>> providers,
                    const std::vector<std::filesystem::path>& plugin_dirs) {
    loop_.start();  // first: stop() waits for it, also after a failure below
    SW_ASSIGN_OR_RETURN(const auto own, EngineTools::make(sessions_, segments_, [this] { return registry_; }));
    providers.push_back(own);
    std::vector<Error> refused;
    const auto plugins = find_plugins(plugin_dirs, refused);
    for (const Error& error : refused) log::warn(to_text(error));
    SW_ASSIGN_OR_RETURN(registry_, Registry::make(providers, plugins));
    return {};
  }

  WaiterId submit(Request request, std::shared_ptr<Sink> sink) override {
    return executions_.submit(std::move(request), std::move(sink));
  }
  void cancel(WaiterId waiter) override { executions_.cancel(waiter); }
  std::shared_ptr<const Registry> registry() const override { return registry_; }
  EngineCounters counters() const override { return executions_.counters(); }

  bool stop() override {
    const std::lock_guard lock(stop_mutex_);
    if (!stopped_) {
      came_back_ = executions_.stop();
      // What was posted before is delivered before the loop ends: sinks get their last answer.
      std::mutex mutex;
      std::condition_variable drained;
      bool done = false;
      loop_.post([&] {
        const std::lock_guard inner(mutex);
        done = true;
        drained.notify_one();
      });
      std::unique_lock wait(mutex);
      drained.wait(wait, [&] { return done; });
      wait.unlock();
      loop_.stop();
      stopped_ = true;
    }
    return came_back_;
  }

 private:
  EventLoop loop_;
  std::unique_ptr<store::Cache> cache_;
  ChosenRunner runner_;
  std::shared_ptr<const Registry> registry_;  // set before the first call, const from then on
  Sessions sessions_;
  SegmentService segments_;
  Executions executions_;
  std::mutex stop_mutex_;
  bool stopped_ = false, came_back_ = true;
};

class WaitingSink : public Sink {
 public:
  explicit WaitingSink(Sink* outer) : outer_(outer) {}

  void progress(const ProgressGauge::Value& value) override {
    if (outer_ != nullptr) outer_->progress(value);
  }
  void done(Answer answer) override {
    const std::lock_guard lock(mutex_);
    answer_ = std::move(answer);
    arrived_.notify_one();
  }
  Answer wait() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [this] { return answer_.has_value(); });
    return *std::move(answer_);
  }

 private:
  Sink* const outer_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::optional<Answer> answer_;
};

}  // namespace

Result<std::unique_ptr<Engine>> Engine::start(EngineOptions options) {
  auto root = options.cache_root.empty() ? store::Cache::default_root() : options.cache_root;
  SW_ASSIGN_OR_RETURN(auto cache, store::Cache::open(std::move(root)));
  auto providers = std::move(options.providers);
  const auto plugin_dirs = options.plugin_dirs;
  auto engine = std::make_unique<EngineImpl>(std::move(options), std::move(cache));
  if (auto loaded = engine->load(std::move(providers), plugin_dirs); !loaded.ok()) {
    return loaded.take_error();
  }
  return std::unique_ptr<Engine>(std::move(engine));
}

Answer call_and_wait(Engine& engine, Request request, Sink* progress) {
  request.want_progress = progress != nullptr;
  const auto sink = std::make_shared<WaitingSink>(progress);
  engine.submit(std::move(request), sink);
  return sink->wait();
}

}  // namespace stepwise::engine
