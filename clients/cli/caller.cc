#include "clients/cli/caller.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace stepwise::cli {
namespace {

using namespace std::chrono_literals;

// How soon a signal is noticed and the line redrawn.
constexpr auto kTick = 100ms;

class WaitingSink : public engine::Sink {
 public:
  void progress(const ProgressGauge::Value& value) override {
    const std::lock_guard lock(mutex_);
    progress_ = value;
  }
  void done(engine::Answer answer) override {
    const std::lock_guard lock(mutex_);
    answer_ = std::move(answer);
    changed_.notify_all();
  }
  /// The answer, if it came within a tick.
  std::optional<engine::Answer> wait(ProgressGauge::Value& progress) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kTick, [this] { return answer_.has_value(); });
    progress = progress_;
    return std::exchange(answer_, std::nullopt);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<engine::Answer> answer_;
  ProgressGauge::Value progress_;
};

}  // namespace

Caller::Caller(engine::Engine& engine, Console& console, const StopSignal& stop, bool show_progress)
    : engine_(engine),
      stop_(stop),
      line_(show_progress ? console.error_terminal() : Terminal{},
            [&console](std::string_view text) { console.note(text); }) {}

engine::Answer Caller::call(const std::string& tool, Json arguments) {
  engine::Request request;
  request.tool = tool;
  request.arguments = std::move(arguments);
  request.answer_running = false;
  request.want_progress = true;
  request.cap_text = false;
  auto sink = std::make_shared<WaitingSink>();
  const engine::WaiterId waiter = engine_.submit(std::move(request), sink);
  while (true) {
    ProgressGauge::Value progress;
    if (auto answer = sink->wait(progress)) {
      line_.clear();
      return *std::move(answer);
    }
    if (stop_.requested()) {
      engine_.cancel(waiter);
      line_.clear();
      engine::Answer cancelled;
      cancelled.error = Error{ErrorKind::cancelled, "call.cancelled", "Stopped by a signal.", "", tool};
      return cancelled;
    }
    line_.update(progress, ProgressLine::Clock::now());
  }
}

}  // namespace stepwise::cli
