// An outlet that keeps what it was given.
#pragma once

#include <deque>
#include <mutex>
#include <optional>
#include <string>

#include "core/base/json.h"
#include "protocol/mcp/outlet.h"

namespace stepwise::mcp {

class RecordingOutlet final : public Outlet {
 public:
  void send(std::string text, transport::Delivery) override { keep(text); }
  void finish(std::string text, std::optional<int> error_code) override {
    keep(text);
    const std::lock_guard lock(mutex_);
    ++finished_;
    error_code_ = error_code;
  }

  /// The oldest message that was not taken yet; null: none.
  Json next() {
    const std::lock_guard lock(mutex_);
    if (messages_.empty()) return nullptr;
    Json message = std::move(messages_.front());
    messages_.pop_front();
    return message;
  }
  int finished() const {
    const std::lock_guard lock(mutex_);
    return finished_;
  }
  std::optional<int> error_code() const {
    const std::lock_guard lock(mutex_);
    return error_code_;
  }

 private:
  void keep(const std::string& text) {
    const std::lock_guard lock(mutex_);
    messages_.push_back(parse_json(text).value());
  }

  mutable std::mutex mutex_;
  std::deque<Json> messages_;
  int finished_ = 0;
  std::optional<int> error_code_;
};

}  // namespace stepwise::mcp
