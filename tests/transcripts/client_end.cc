#include "tests/transcripts/client_end.h"

#include <poll.h>

#include <deque>

#include "protocol/transport/framing.h"
#include "protocol/transport/memory.h"
#include "protocol/transport/pipe_for_test.h"
#include "protocol/transport/stdio.h"

namespace stepwise::transcripts {
namespace {

constexpr auto kPatience = std::chrono::minutes(1);  // so that a failing test ends

class MemoryEnd final : public ClientEnd {
 public:
  transport::Transport& server_end() override { return memory_; }
  void server_done() override {}
  void put(std::string_view message) override { memory_.put(std::string(message)); }
  void put_unfinished(std::string_view message) override { put(message); }
  void end() override { memory_.end(); }
  std::optional<std::string> take() override { return memory_.take(kPatience); }

 private:
  transport::Memory memory_;
};

class PipeEnd final : public ClientEnd, private transport::Receiver {
 public:
  using MakeFraming = std::unique_ptr<transport::Framing> (*)(size_t);

  explicit PipeEnd(MakeFraming make_framing) : framing_(make_framing(limits::kMaxMessageBytes)) {
    transport::Stdio::Options options;
    options.in_fd = to_server_.read_fd();
    options.out_fd = from_server_.write_fd();
    stdio_ = transport::Stdio::open(options, make_framing(limits::kMaxMessageBytes)).value();
  }

  transport::Transport& server_end() override { return *stdio_; }
  void server_done() override { from_server_.close_write(); }
  void put(std::string_view message) override { to_server_.write(framing_->frame(std::string(message))); }
  void put_unfinished(std::string_view message) override { to_server_.write(message); }
  void end() override { to_server_.close_write(); }

  std::optional<std::string> take() override {
    while (received_.empty()) {
      pollfd polled{from_server_.read_fd(), POLLIN, 0};
      char chunk[4096];
      if (::poll(&polled, 1, static_cast<int>(std::chrono::milliseconds(kPatience).count())) <= 0) return std::nullopt;
      const ssize_t got = ::read(from_server_.read_fd(), chunk, sizeof chunk);
      if (got <= 0) return std::nullopt;
      framing_->feed(std::string_view(chunk, static_cast<size_t>(got)), *this);
    }
    std::string oldest = std::move(received_.front());
    received_.pop_front();
    return oldest;
  }

 private:
  void message(std::string_view text) override { received_.emplace_back(text); }
  void lost(const Error& why) override { FAIL(to_text(why)); }

  transport::Pipe to_server_, from_server_;
  std::unique_ptr<transport::Framing> framing_;  // of what comes from the server
  std::unique_ptr<transport::Stdio> stdio_;
  std::deque<std::string> received_;
};

}  // namespace

std::vector<TransportKind> transport_kinds() {
  return {{"memory", [] { return std::make_unique<MemoryEnd>(); }},
          {"lines on pipes", [] { return std::make_unique<PipeEnd>(transport::line_framing); }},
          {"readable on pipes", [] { return std::make_unique<PipeEnd>(transport::readable_framing); }}};
}

}  // namespace stepwise::transcripts
