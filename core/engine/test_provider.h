// Tools for tests of the engine: one that waits until it is let go, one that fails, one that calls others.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/limits.h"
#include "core/engine/engine.h"
#include "core/engine/manifest.h"

namespace stepwise::engine::testing {

/// A latch that a test opens; the tool behind it says when it was reached.
class Gate {
 public:
  void reach_and_wait(const CancelFlag* polled) {
    std::unique_lock lock(mutex_);
    ++reached_;
    changed_.notify_all();
    // Polled, as analyzers poll their flag: nobody wakes them.
    while (!open_ && (polled == nullptr || !polled->is_set())) changed_.wait_for(lock, std::chrono::milliseconds(1));
  }
  void wait_reached(int times) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return reached_ >= times; });
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  int reached() const {
    const std::lock_guard lock(mutex_);
    return reached_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int reached_ = 0;
  bool open_ = false;
};

class TestProvider : public ToolProvider {
 public:
  Gate gate;   // of wait_for_gate: polls the flag
  Gate stuck;  // of ignore_cancel: does not

  std::vector<ToolDecl> tools() const override {
    const auto tool = [](const char* name, std::vector<std::string> calls = {}) {
      return tool_from_json(
                 {{"name", name},
                  {"description", "A tool for tests."},
                  {"per", "none"},
                  {"calls", calls},
                  {"input", {{"type", "object"}, {"properties", {{"n", {{"type", "integer"}, {"default", 0}}}}}}},
                  {"output", {{"type", "object"}, {"properties", {{"n", {{"type", "integer"}}}}}}}},
                 "")
          .value();
    };
    return {tool("wait_for_gate"), tool("ignore_cancel"),          tool("fail_always"),
            tool("break_schema"),  tool("call_one", {"call_two"}), tool("call_two", {"call_three"}),
            tool("call_three")};
  }

  Result<ToolResult> call(const std::string& tool, const Json& arguments, CallHost& host) override {
    ToolResult result;
    result.body["n"] = arguments["n"];
    if (tool == "wait_for_gate") {
      host.progress().set(1, 4, "waiting");
      gate.reach_and_wait(&host.cancel());
    }
    if (tool == "ignore_cancel") stuck.reach_and_wait(nullptr);
    if (tool == "fail_always") return Error{ErrorKind::bad_data, "test.fails", "It fails.", "", ""};
    if (tool == "break_schema") result.body["n"] = "no integer";
    if (tool == "call_one" || tool == "call_two") {
      auto nested = host.call(tool == "call_one" ? "call_two" : "call_three", {{"n", arguments["n"].get<int>() + 1}});
      if (!nested.ok()) return nested.take_error();
      result.body["n"] = nested.value()["n"];
    }
    return result;
  }
};

/// Collects what a waiter is told.
class TestSink : public Sink {
 public:
  void progress(const ProgressGauge::Value& value) override {
    const std::lock_guard lock(mutex_);
    progress_.push_back(value);
    changed_.notify_all();
  }
  void done(Answer answer) override {
    const std::lock_guard lock(mutex_);
    answers_.push_back(std::move(answer));
    changed_.notify_all();
  }
  Answer wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !answers_.empty(); });
    return answers_.front();
  }
  void wait_progress() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !progress_.empty(); });
  }
  std::vector<ProgressGauge::Value> progress_seen() const {
    const std::lock_guard lock(mutex_);
    return progress_;
  }
  size_t answers() const {
    const std::lock_guard lock(mutex_);
    return answers_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<ProgressGauge::Value> progress_;
  std::vector<Answer> answers_;
};

/// An engine over a cache of its own, removed with it.
struct TestEngine {
  std::shared_ptr<TestProvider> provider = std::make_shared<TestProvider>();
  std::filesystem::path dir;
  std::unique_ptr<Engine> engine;

  explicit TestEngine(EngineOptions options = {}) {
    std::string name = (std::filesystem::temp_directory_path() / "stepwise-engine-XXXXXX").string();
    dir = ::mkdtemp(name.data());
    options.cache_root = dir / "cache";
    options.providers.push_back(provider);
    // A busy machine may take longer than users wait: `running` only where it is what a test is about.
    if (options.running_after == limits::kAnswerRunningAfter) options.running_after = std::chrono::hours(1);
    engine = Engine::start(std::move(options)).value();
  }
  ~TestEngine() {
    provider->gate.open();
    provider->stuck.open();
    engine.reset();
    std::error_code ec;
    std::filesystem::remove_all(dir, ec);
  }
  std::shared_ptr<TestSink> submit(const char* tool, Json arguments = Json::object(), WaiterId* id = nullptr) {
    auto sink = std::make_shared<TestSink>();
    Request request;
    request.tool = tool;
    request.arguments = std::move(arguments);
    const WaiterId waiter = engine->submit(std::move(request), sink);
    if (id != nullptr) *id = waiter;
    return sink;
  }
};

}  // namespace stepwise::engine::testing
