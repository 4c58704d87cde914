#include "protocol/http/mcp_stream.h"

#include <algorithm>
#include <utility>

#include "core/base/limits.h"

namespace stepwise::http {
namespace {

constexpr auto kRetry = std::chrono::milliseconds(500);  // told to clients: when to come back

std::string event_text(const std::string& id, std::string_view data, std::string_view more = "") {
  std::string out;
  if (!id.empty()) out += "id: " + id + "\n";
  out += more;
  out += "data: ";
  out += data;  // a message is one line
  out += "\n\n";
  return out;
}

}  // namespace

class McpStream::Reader final : public EventSource {
 public:
  using Clock = std::chrono::steady_clock;

  Reader(std::shared_ptr<McpStream> stream, uint64_t number, uint64_t after, Reading reading)
      : stream_(std::move(stream)),
        number_(number),
        after_(after),
        reading_(std::move(reading)),
        began_(Clock::now()) {}

  State next(std::string& out, std::chrono::milliseconds within) override {
    if (std::exchange(reading_.tells_retry, false)) {
      out += event_text(id(after_), "", "retry: " + std::to_string(kRetry.count()) + "\n");
      return State::open;
    }
    std::unique_lock lock(stream_->mutex_);
    stream_->changed_.wait_for(lock, until_release(within),
                               [&] { return superseded() || unread() || stream_->finished_; });
    if (superseded()) return State::ended;
    while (unread()) take(out);
    if (stream_->finished_) return State::ended;
    return released() ? State::ended : State::open;
  }

  void closed(bool peer_gone) override {
    {
      const std::lock_guard lock(stream_->mutex_);
      if (superseded()) return;
      stream_->has_reader_ = false;
      if (stream_->finished_) return;
    }
    if (peer_gone && reading_.on_gone) reading_.on_gone();
  }

 private:
  bool superseded() const { return stream_->reader_ != number_; }
  bool unread() const { return !stream_->events_.empty() && stream_->events_.back().number > after_; }
  std::string id(uint64_t event) const {
    return reading_.may_resume ? std::to_string(stream_->number_) + "-" + std::to_string(event) : "";
  }

  /// The oldest event that was not read; others are dropped on the way where nobody can ask for them again.
  void take(std::string& out) {
    auto& events = stream_->events_;
    const auto event =
        std::find_if(events.begin(), events.end(), [&](const Event& one) { return one.number > after_; });
    out += event_text(id(event->number), event->text);
    after_ = event->number;
    stream_->sent_ = std::max(stream_->sent_, after_);
    if (reading_.may_resume) return;
    stream_->bytes_ -= event->text.size();
    events.erase(event);
  }

  bool released() const { return reading_.release_after && Clock::now() - began_ >= *reading_.release_after; }
  std::chrono::milliseconds until_release(std::chrono::milliseconds within) const {
    if (!reading_.release_after) return within;
    const auto left = *reading_.release_after - (Clock::now() - began_);
    const auto left_ms = std::chrono::duration_cast<std::chrono::milliseconds>(left) + std::chrono::milliseconds(1);
    return std::clamp(left_ms, std::chrono::milliseconds(0), within);
  }

  const std::shared_ptr<McpStream> stream_;
  const uint64_t number_;
  uint64_t after_;
  Reading reading_;
  const Clock::time_point began_;
};

void McpStream::send(std::string text, transport::Delivery delivery) {
  const std::lock_guard lock(mutex_);
  if (!finished_ && !answer_alone_) push(std::move(text), delivery);
}

void McpStream::finish(std::string text, std::optional<int> error_code) {
  const std::lock_guard lock(mutex_);
  if (finished_) return;
  push(std::move(text), transport::Delivery::required);
  finished_ = true;
  error_code_ = error_code;
  changed_.notify_all();
}

void McpStream::end() {
  const std::lock_guard lock(mutex_);
  finished_ = true;
  changed_.notify_all();
}

/// Past the bound what may be dropped goes first, then the oldest: a reader that stayed away for so long has lost it.
void McpStream::push(std::string text, transport::Delivery delivery) {
  const bool is_full = bytes_ + text.size() > limits::kOutQueueBytes;
  if (is_full && delivery == transport::Delivery::droppable) return;
  if (is_full) {
    std::erase_if(events_, [&](const Event& one) {
      const bool drop = one.delivery == transport::Delivery::droppable;
      if (drop) bytes_ -= one.text.size();
      return drop;
    });
  }
  while (!events_.empty() && bytes_ + text.size() > limits::kOutQueueBytes) {
    bytes_ -= events_.front().text.size();
    events_.pop_front();
  }
  bytes_ += text.size();
  events_.push_back({++last_event_, std::move(text), delivery});
  changed_.notify_all();
}

McpStream::Came McpStream::wait(std::chrono::milliseconds within) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, within, [this] { return last_event_ > 0 || finished_; });
  if (finished_ && last_event_ == 1) return Came::answer;
  return last_event_ > 0 ? Came::events : Came::nothing;
}

std::string McpStream::answer() const {
  const std::lock_guard lock(mutex_);
  return events_.empty() ? "" : events_.back().text;
}

std::optional<int> McpStream::error_code() const {
  const std::lock_guard lock(mutex_);
  return error_code_;
}

bool McpStream::finished() const {
  const std::lock_guard lock(mutex_);
  return finished_;
}

size_t McpStream::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

uint64_t McpStream::last_event() const {
  const std::lock_guard lock(mutex_);
  return last_event_;
}

bool McpStream::has_reader() const {
  const std::lock_guard lock(mutex_);
  return has_reader_;
}

std::shared_ptr<EventSource> McpStream::read(Reading reading) {
  const std::lock_guard lock(mutex_);
  changed_.notify_all();  // the reader before ends
  has_reader_ = true;
  const uint64_t after = reading.after.value_or(sent_);
  return std::make_shared<Reader>(shared_from_this(), ++reader_, after, std::move(reading));
}

}  // namespace stepwise::http
