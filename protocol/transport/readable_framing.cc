#include <string>

#include "protocol/transport/framing.h"
#include "protocol/transport/line_splitter.h"

namespace stepwise::transport {
namespace {

class ReadableFraming final : public Framing {
 public:
  explicit ReadableFraming(size_t max_message_bytes)
      : max_message_bytes_(max_message_bytes), lines_(max_message_bytes) {}

  void feed(std::string_view bytes, Receiver& receiver) override { lines_.feed(bytes, events(receiver)); }
  void finish(Receiver& receiver) override {
    lines_.finish(events(receiver));
    end_message(receiver);
  }

  std::string frame(std::string message) const override {
    message += "\n---\n";
    return message;
  }

 private:
  LineSplitter::Events events(Receiver& receiver) {
    return {[&receiver, this](std::string_view line) { take_line(line, receiver); },
            [this](size_t) { too_long_ = true; }};
  }

  void take_line(std::string_view line, Receiver& receiver) {
    if (line == "---") return end_message(receiver);
    if (line.empty() || line.front() == '#') return;
    if (message_.size() + line.size() > max_message_bytes_) too_long_ = true;
    if (too_long_) return message_.clear();
    message_.append(line).append("\n");
  }

  void end_message(Receiver& receiver) {
    if (too_long_) {
      receiver.lost(message_too_long(max_message_bytes_));
    } else if (!message_.empty()) {
      message_.pop_back();  // the last line's end belongs to the frame
      receiver.message(message_);
    }
    message_.clear();
    too_long_ = false;
  }

  size_t max_message_bytes_;
  LineSplitter lines_;
  std::string message_;
  bool too_long_ = false;
};

}  // namespace

std::unique_ptr<Framing> readable_framing(size_t max_message_bytes) {
  return std::make_unique<ReadableFraming>(max_message_bytes);
}

}  // namespace stepwise::transport
