#include "core/engine/engine.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/base/event_loop.h"
#include "core/base/log.h"
#include "core/engine/advice_tools.h"
#include "core/engine/engine_tools.h"
#include "core/engine/execution.h"
#include "core/engine/inprocess_runner.h"
#include "core/engine/manifest.h"
#include "core/engine/profile_changes.h"
#include "core/engine/write_report.h"

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

/// All that can be called beside write_report.
std::vector<ToolDecl> tools_of(const std::vector<std::shared_ptr<ToolProvider>>& providers,
                               const std::vector<std::shared_ptr<const PluginInfo>>& plugins) {
  std::vector<ToolDecl> tools;
  const auto add = [&tools](const std::vector<ToolDecl>& more) { tools.insert(tools.end(), more.begin(), more.end()); };
  for (const auto& provider : providers) add(provider->tools());
  for (const auto& plugin : plugins) add(plugin->tools);
  return tools;
}

/// Where tools come from.
struct LoadedFrom {
  std::vector<std::filesystem::path> plugin_dirs;
  std::filesystem::path own_plugin_dir;
  std::vector<std::filesystem::path> knowledge_dirs, rule_dirs;
  std::string version;
};

// The order of members is the order of need: what stands below uses what stands above.
class EngineImpl : public Engine {
 public:
  EngineImpl(EngineOptions options, std::unique_ptr<store::Cache> cache)
      : cache_(std::move(cache)),
        runner_(options),
        sessions_(options.roots, *cache_),
        segments_(*cache_, loop_, options.ingest_threads != 0 ? options.ingest_threads : cores()),
        executions_({loop_, segments_, sessions_, runner_, [this] { return registry_; },
                     options.call_slots != 0 ? options.call_slots : std::max(2u, cores()), options.running_after,
                     options.analysis_deadline, options.out_dir}),
        out_dir_(std::move(options.out_dir)) {}

  ~EngineImpl() override { EngineImpl::stop(); }

  Result<void> load(std::vector<std::shared_ptr<ToolProvider>> providers, const LoadedFrom& from) {
    loop_.start();  // first: stop() waits for it, also after a failure below
    SW_ASSIGN_OR_RETURN(const auto own,
                        EngineTools::make({sessions_, segments_, [this] { return registry_; }, out_dir_}));
    providers.push_back(own);
    std::vector<Error> refused;
    const auto books = std::make_shared<AdviceBooks>(from.knowledge_dirs, from.rule_dirs);
    if (!from.knowledge_dirs.empty()) {
      SW_ASSIGN_OR_RETURN(const auto advice, AdviceTools::make(books));
      providers.push_back(advice);
    }
    const auto plugins = find_plugins(from.plugin_dirs, from.own_plugin_dir, refused);
    for (const Error& error : refused) log::warn(to_text(error));
    SW_ASSIGN_OR_RETURN(const auto report, WriteReport::make({[this] { return registry_; }, out_dir_, from.version},
                                                             tools_of(providers, plugins)));
    providers.push_back(report);
    SW_ASSIGN_OR_RETURN(registry_, Registry::make(providers, plugins, books));
    return {};
  }

  WaiterId submit(Request request, std::shared_ptr<Sink> sink) override {
    return executions_.submit(std::move(request), std::move(sink));
  }
  void cancel(WaiterId waiter) override { executions_.cancel(waiter); }
  std::shared_ptr<const Registry> registry() const override { return registry_; }
  EngineCounters counters() const override { return executions_.counters(); }
  std::vector<std::string> changed_profiles() override { return profile_changes_.look(sessions_.list()); }

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
  ProfileChanges profile_changes_;
  SegmentService segments_;
  Executions executions_;
  const std::filesystem::path out_dir_;
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
  const LoadedFrom from{options.plugin_dirs, options.own_plugin_dir, options.knowledge_dirs, options.rule_dirs,
                        options.version};
  auto engine = std::make_unique<EngineImpl>(std::move(options), std::move(cache));
  if (auto loaded = engine->load(std::move(providers), from); !loaded.ok()) {
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
