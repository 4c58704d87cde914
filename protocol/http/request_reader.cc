#include "protocol/http/request_reader.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/base/limits.h"
#include "core/base/text.h"
#include "protocol/http/limits.h"

namespace stepwise::http {
namespace {

constexpr std::string_view kLineEnd = "\r\n", kHeadEnd = "\r\n\r\n";

Refusal body_too_long() {
  return {413, "body", "The body may have " + std::to_string(limits::kMaxMessageBytes) + " bytes."};
}

}  // namespace

size_t ChunkDecoder::take(std::string_view input, std::string& body) {
  size_t taken = 0;
  while (taken < input.size() && !done() && !refused()) {
    const std::string_view rest = input.substr(taken);
    if (state_ == State::data) {
      const size_t bytes = std::min(left_, rest.size());
      body.append(rest.substr(0, bytes));
      taken += bytes;
      left_ -= bytes;
      if (left_ == 0) state_ = State::data_end;
      continue;
    }
    taken += take_line(rest);
    if (!refused() && line_.ends_with(kLineEnd)) line_ended(body.size());
  }
  return taken;
}

size_t ChunkDecoder::take_line(std::string_view input) {
  const size_t end = input.find('\n');
  const size_t bytes = std::min(end == std::string_view::npos ? input.size() : end + 1, kMaxChunkLineBytes);
  line_.append(input.substr(0, bytes));
  const bool is_cut = end != std::string_view::npos && bytes == end + 1 && !line_.ends_with(kLineEnd);
  if (is_cut) refusal_ = Refusal{400, "syntax", "A chunk's line ends in a bare LF."};
  if (line_.size() > kMaxChunkLineBytes) refusal_ = Refusal{400, "syntax", "A chunk's line is too long."};
  return bytes;
}

void ChunkDecoder::line_ended(size_t body_bytes) {
  line_.resize(line_.size() - kLineEnd.size());
  if (state_ == State::size) {
    read_size(body_bytes);
  } else if (state_ == State::data_end) {
    if (!line_.empty()) refusal_ = Refusal{400, "syntax", "A chunk is longer than it says."};
    state_ = State::size;
  } else if (line_.empty()) {
    state_ = State::done;
  } else if (++trailer_lines_ > kMaxTrailerLines) {
    refusal_ = Refusal{431, "headers", "The trailer is too long."};
  }
  line_.clear();
}

void ChunkDecoder::read_size(size_t body_bytes) {
  const std::string_view digits = trim(std::string_view(line_).substr(0, line_.find(';')));
  size_t size = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), size, 16);
  if (problem == std::errc::result_out_of_range || size > limits::kMaxMessageBytes - body_bytes) {
    refusal_ = body_too_long();
  } else if (problem != std::errc() || end != digits.data() + digits.size()) {
    refusal_ = Refusal{400, "syntax", "A chunk's size is malformed."};
  } else {
    left_ = size;
    state_ = size == 0 ? State::trailer : State::data;
  }
}

size_t RequestReader::take(std::string_view input) {
  size_t taken = 0;
  while (taken < input.size() && state_ <= State::body) {
    const std::string_view rest = input.substr(taken);
    taken += state_ == State::body ? take_body(rest) : take_head(rest);
  }
  return taken;
}

size_t RequestReader::take_head(std::string_view input) {
  // Empty lines before a request are passed over: some clients end a body with one.
  if (state_ == State::empty && (input.front() == '\r' || input.front() == '\n')) return 1;
  state_ = State::head;
  const size_t before = head_bytes_.size();
  const size_t bytes = std::min(input.size(), kMaxHeadBytes + kHeadEnd.size() - before);
  head_bytes_.append(input.substr(0, bytes));
  const size_t end = head_bytes_.find(kHeadEnd, before - std::min(before, kHeadEnd.size() - 1));
  if (end != std::string::npos) {
    head_bytes_.resize(end + kLineEnd.size());
    head_ended();
    return end + kHeadEnd.size() - before;
  }
  if (head_bytes_.size() >= kMaxHeadBytes + kHeadEnd.size()) {
    refuse({431, "headers", "The headers may have " + std::to_string(kMaxHeadBytes) + " bytes."});
  }
  return bytes;
}

void RequestReader::head_ended() {
  auto parsed = parse_request_head(head_bytes_);
  head_bytes_ = {};
  if (auto* refused = std::get_if<Refusal>(&parsed)) return refuse(std::move(*refused));
  head_ = std::get<RequestHead>(std::move(parsed));
  if (auto refused = check_(head_)) return refuse(std::move(*refused));
  const bool has_body = head_.is_chunked || head_.content_length > 0;
  continue_wanted_ = has_body && head_.expects_continue;
  state_ = has_body ? State::body : State::done;
}

size_t RequestReader::take_body(std::string_view input) {
  std::string& body = head_.request.body;
  if (head_.is_chunked) {
    const size_t taken = chunks_.take(input, body);
    if (auto refused = chunks_.take_refusal()) {
      refuse(std::move(*refused));
    } else if (chunks_.done()) {
      state_ = State::done;
    }
    return taken;
  }
  const size_t taken = std::min<size_t>(input.size(), head_.content_length - body.size());
  body.append(input.substr(0, taken));
  if (body.size() == head_.content_length) state_ = State::done;
  return taken;
}

void RequestReader::refuse(Refusal why) {
  refusal_ = std::move(why);
  state_ = State::refused;
  head_bytes_ = {};
  head_.request.body = {};
}

bool RequestReader::take_continue() { return std::exchange(continue_wanted_, false); }

void RequestReader::reset() {
  state_ = State::empty;
  head_bytes_.clear();
  head_ = {};
  chunks_ = {};
  continue_wanted_ = false;
}

}  // namespace stepwise::http
