#include <string>

#include "protocol/transport/framing.h"
#include "protocol/transport/line_splitter.h"

namespace stepwise::transport {
namespace {

class LineFraming final : public Framing {
 public:
  explicit LineFraming(size_t max_message_bytes) : max_message_bytes_(max_message_bytes), lines_(max_message_bytes) {}

  void feed(std::string_view bytes, Receiver& receiver) override { lines_.feed(bytes, events(receiver)); }
  void finish(Receiver& receiver) override { lines_.finish(events(receiver)); }

  std::string frame(std::string message) const override {
    message += '\n';
    return message;
  }

 private:
  LineSplitter::Events events(Receiver& receiver) const {
    return {[&receiver](std::string_view line) {
              if (line.find_first_not_of(" \t") != std::string_view::npos) receiver.message(line);
            },
            [&receiver, this](size_t) { receiver.lost(message_too_long(max_message_bytes_)); }};
  }

  size_t max_message_bytes_;
  LineSplitter lines_;
};

}  // namespace

std::unique_ptr<Framing> line_framing(size_t max_message_bytes) {
  return std::make_unique<LineFraming>(max_message_bytes);
}

Error message_too_long(size_t max_message_bytes) {
  return {ErrorKind::limit, "transport.message_too_long",
          "the message is longer than " + std::to_string(max_message_bytes) + " bytes.", "", ""};
}

}  // namespace stepwise::transport
