// One request out of bytes that come in any pieces: the head, a look at it, the body. Holds no socket and no clock.
// One thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/http/request_head.h"

namespace stepwise::http {

/// A body that comes in chunks, decoded; extensions and the trailer are passed over.
class ChunkDecoder {
 public:
  enum class State : uint8_t { size, data, data_end, trailer, done };

  /// How many bytes of `input` were taken; all, unless done() or refused. `body` grows to limits::kMaxMessageBytes.
  size_t take(std::string_view input, std::string& body);
  bool done() const { return state_ == State::done; }
  std::optional<Refusal> take_refusal() { return std::move(refusal_); }
  bool refused() const { return refusal_.has_value(); }

 private:
  size_t take_line(std::string_view input);
  void line_ended(size_t body_bytes);
  void read_size(size_t body_bytes);

  State state_ = State::size;
  std::string line_;
  size_t left_ = 0;  // of the chunk's data
  size_t trailer_lines_ = 0;
  std::optional<Refusal> refusal_;
};

class RequestReader {
 public:
  enum class State : uint8_t { empty, head, body, done, refused };
  /// Looks at a head before its body is read. [the thread that calls take]
  using HeadCheck = std::function<std::optional<Refusal>(const RequestHead&)>;

  explicit RequestReader(HeadCheck check) : check_(std::move(check)) {}

  /// How many bytes of `input` were taken: all of them, until the request is done or refused.
  size_t take(std::string_view input);
  State state() const { return state_; }
  /// The request cannot go on, whatever comes.
  void refuse(Refusal why);

  size_t held_bytes() const { return head_bytes_.size() + head_.request.body.size(); }
  size_t body_bytes() const { return head_.request.body.size(); }
  /// True once, when the head is complete and its sender waits for a word before it sends the body.
  bool take_continue();

  const RequestHead& head() const { return head_; }                // from State::body on
  const Refusal& refusal() const { return refusal_; }              // State::refused
  HttpRequest take_request() { return std::move(head_.request); }  // State::done
  /// Ready for the next request.
  void reset();

 private:
  size_t take_head(std::string_view input);
  size_t take_body(std::string_view input);
  void head_ended();

  HeadCheck check_;
  State state_ = State::empty;
  std::string head_bytes_;
  RequestHead head_;
  ChunkDecoder chunks_;
  bool continue_wanted_ = false;
  Refusal refusal_;
};

}  // namespace stepwise::http
