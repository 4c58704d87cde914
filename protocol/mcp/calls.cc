#include "protocol/mcp/calls.h"

#include <utility>

#include "protocol/mcp/progress.h"
#include "protocol/mcp/tool_result.h"

namespace stepwise::mcp {

/// The engine's view of one call. It may outlive its entry: then its words go nowhere.
class Calls::Call final : public engine::Sink {
 public:
  Call(std::shared_ptr<Calls> calls, jsonrpc::Id id, std::optional<jsonrpc::Id> token)
      : calls_(std::move(calls)), id_(std::move(id)), token_(std::move(token)) {}

  const jsonrpc::Id& id() const { return id_; }

  void progress(const ProgressGauge::Value& value) override {
    if (!token_) return;
    const auto step = sequence_.next(value);
    if (!step) return;
    Json params = {{"progressToken", token_->json()}, {"progress", step->progress}};
    if (step->total) params["total"] = *step->total;
    if (!step->message.empty()) params["message"] = step->message;
    calls_->progress(*this, jsonrpc::notification_text("notifications/progress", std::move(params)));
  }

  void done(engine::Answer answer) override {
    calls_->finish(*this, jsonrpc::result_text(id_, tool_result(std::move(answer))));
  }

 private:
  const std::shared_ptr<Calls> calls_;
  const jsonrpc::Id id_;
  const std::optional<jsonrpc::Id> token_;
  ProgressSequence sequence_;
};

std::variant<std::shared_ptr<engine::Sink>, Calls::Refused> Calls::open(const jsonrpc::Id& id,
                                                                        std::optional<jsonrpc::Id> progress_token) {
  auto call = std::make_shared<Call>(shared_from_this(), id, std::move(progress_token));
  std::lock_guard lock(mutex_);
  if (entries_.contains(id)) return Refused::duplicate;
  if (entries_.size() >= max_calls_) return Refused::busy;
  entries_.emplace(id, Entry{call});
  return std::shared_ptr<engine::Sink>(std::move(call));
}

void Calls::submitted(const jsonrpc::Id& id, engine::WaiterId waiter) {
  std::lock_guard lock(mutex_);
  if (const auto found = entries_.find(id); found != entries_.end()) found->second.waiter = waiter;
}

std::optional<engine::WaiterId> Calls::cancel(const jsonrpc::Id& id) {
  std::lock_guard lock(mutex_);
  const auto found = entries_.find(id);
  if (found == entries_.end()) return std::nullopt;
  const engine::WaiterId waiter = found->second.waiter;
  entries_.erase(found);
  return waiter;
}

void Calls::wait_until_idle(std::chrono::milliseconds within) {
  std::unique_lock lock(mutex_);
  idle_.wait_for(lock, within, [this] { return entries_.empty(); });
}

std::vector<Calls::InFlight> Calls::take_all() {
  std::lock_guard lock(mutex_);
  std::vector<InFlight> left;
  for (const auto& [id, entry] : entries_) left.push_back({id, entry.waiter});
  entries_.clear();
  return left;
}

void Calls::progress(const Call& call, std::string text) {
  std::lock_guard lock(mutex_);
  if (holds(call)) out_.send(std::move(text), transport::Delivery::droppable);
}

void Calls::finish(const Call& call, std::string text) {
  std::lock_guard lock(mutex_);
  if (!holds(call)) return;
  out_.send(std::move(text), transport::Delivery::required);
  entries_.erase(call.id());
  if (entries_.empty()) idle_.notify_all();
}

// An id alone proves nothing: a cancelled call's late answer must not take the place of a new call with the same id.
bool Calls::holds(const Call& call) const {
  const auto found = entries_.find(call.id());
  return found != entries_.end() && found->second.call.lock().get() == &call;
}

}  // namespace stepwise::mcp
