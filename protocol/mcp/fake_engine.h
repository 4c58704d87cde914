// An engine that does nothing by itself, for tests: it keeps what was submitted and cancelled, and the test answers.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/engine.h"

namespace stepwise::mcp {

/// Declares tools; never called.
class DeclaredTools final : public engine::ToolProvider {
 public:
  explicit DeclaredTools(std::vector<engine::ToolDecl> tools) : tools_(std::move(tools)) {}
  std::vector<engine::ToolDecl> tools() const override { return tools_; }
  Result<engine::ToolResult> call(const std::string&, const Json&, engine::CallHost&) override {
    return Error{ErrorKind::bug, "test.called", "Nobody calls this tool.", "", ""};
  }

 private:
  std::vector<engine::ToolDecl> tools_;
};

inline engine::ToolDecl declared_tool(std::string name, bool core = true) {
  engine::ToolDecl decl;
  decl.name = std::move(name);
  decl.title = "A title";
  decl.description = "A description.";
  decl.core = core;
  decl.needs_profile = decl.per_rank = false;
  decl.input = {{"type", "object"}, {"properties", {{"text", {{"type", "string"}}}}}, {"additionalProperties", false}};
  decl.output = {{"type", "object"}};
  return decl;
}

class FakeEngine final : public engine::Engine {
 public:
  struct Submitted {
    engine::Request request;
    std::shared_ptr<engine::Sink> sink;
  };

  explicit FakeEngine(std::vector<engine::ToolDecl> tools = {declared_tool("echo")})
      : registry_(engine::Registry::make({std::make_shared<DeclaredTools>(std::move(tools))}, {}).value()) {}

  engine::WaiterId submit(engine::Request request, std::shared_ptr<engine::Sink> sink) override {
    std::lock_guard lock(mutex_);
    waiters_.emplace(++last_waiter_, Submitted{std::move(request), std::move(sink)});
    return last_waiter_;
  }
  void cancel(engine::WaiterId waiter) override {
    std::lock_guard lock(mutex_);
    cancelled_.push_back(waiter);
  }
  std::shared_ptr<const engine::Registry> registry() const override { return registry_; }
  engine::EngineCounters counters() const override { return {}; }
  bool stop() override { return true; }
  std::vector<std::string> changed_profiles() override {
    ++looks;
    return std::exchange(changed, {});
  }

  std::vector<std::string> changed;  // ids that are told once
  int looks = 0;

  /// By waiter id, which counts from 1. Cancelled ones stay: a test may let them answer too late.
  Submitted submitted(engine::WaiterId waiter) const {
    std::lock_guard lock(mutex_);
    return waiters_.at(waiter);
  }
  engine::WaiterId last_waiter() const {
    std::lock_guard lock(mutex_);
    return last_waiter_;
  }
  std::vector<engine::WaiterId> cancelled() const {
    std::lock_guard lock(mutex_);
    return cancelled_;
  }
  void answer(engine::WaiterId waiter, const std::string& text) const {
    engine::Answer answer;
    answer.structured = {{"status", "ok"}, {"said", text}};
    answer.text = text;
    submitted(waiter).sink->done(std::move(answer));
  }

 private:
  const std::shared_ptr<const engine::Registry> registry_;
  mutable std::mutex mutex_;
  engine::WaiterId last_waiter_ = 0;
  std::map<engine::WaiterId, Submitted> waiters_;
  std::vector<engine::WaiterId> cancelled_;
};

}  // namespace stepwise::mcp
