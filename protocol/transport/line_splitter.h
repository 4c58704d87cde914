// Cuts a stream of bytes into lines, whatever the chunks are. A line over the limit is counted and skipped without
// being held. One thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace stepwise::transport {

class LineSplitter {
 public:
  struct Events {
    std::function<void(std::string_view)> line;  // without its end (LF or CRLF); borrowed until the call returns
    std::function<void(size_t bytes)> too_long;  // once a line, at its end
  };

  explicit LineSplitter(size_t max_line_bytes) : max_line_bytes_(max_line_bytes) {}

  void feed(std::string_view bytes, const Events& events);
  /// The stream is over: what is left counts as a line.
  void finish(const Events& events);
  /// What is held of a line whose end has not come; never more than the limit.
  size_t held_bytes() const { return held_.size(); }

 private:
  void hold(std::string_view bytes);
  void end_line(std::string_view last_part, const Events& events);

  size_t max_line_bytes_;
  std::string held_;
  size_t skipped_bytes_ = 0;  // of the present line; not 0: it is too long
};

}  // namespace stepwise::transport
