#include "protocol/transport/line_splitter.h"

namespace stepwise::transport {

void LineSplitter::feed(std::string_view bytes, const Events& events) {
  while (!bytes.empty()) {
    const size_t end = bytes.find('\n');
    if (end == std::string_view::npos) return hold(bytes);
    end_line(bytes.substr(0, end), events);
    bytes.remove_prefix(end + 1);
  }
}

void LineSplitter::finish(const Events& events) {
  if (!held_.empty() || skipped_bytes_ > 0) end_line({}, events);
}

void LineSplitter::hold(std::string_view bytes) {
  if (skipped_bytes_ > 0) {
    skipped_bytes_ += bytes.size();
  } else if (held_.size() + bytes.size() > max_line_bytes_) {
    skipped_bytes_ = held_.size() + bytes.size();
    std::string().swap(held_);  // the memory too
  } else {
    held_.append(bytes);
  }
}

void LineSplitter::end_line(std::string_view last_part, const Events& events) {
  std::string_view line = last_part;
  if (!held_.empty() || skipped_bytes_ > 0 || last_part.size() > max_line_bytes_) {
    hold(last_part);
    line = held_;
  }
  if (skipped_bytes_ > 0) {
    events.too_long(skipped_bytes_);
    skipped_bytes_ = 0;
    return;
  }
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  events.line(line);
  held_.clear();
}

}  // namespace stepwise::transport
