#include "protocol/http/mcp_stream.h"

#include <string>

#include "core/base/limits.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::http;
using namespace std::chrono_literals;
using transport::Delivery;

namespace {

/// What the reader gives without waiting.
std::string all(EventSource& reader, EventSource::State* state = nullptr) {
  std::string out;
  for (size_t before = out.size() + 1; before != out.size();) {
    before = out.size();
    const auto now = reader.next(out, 0ms);
    if (state != nullptr) *state = now;
    if (now == EventSource::State::ended) break;
  }
  return out;
}

std::shared_ptr<McpStream> stream_of(uint64_t number) { return std::make_shared<McpStream>(number); }

}  // namespace

TEST_CASE("an answer alone is no events; anything before it is") {
  const auto quiet = stream_of(1);
  CHECK(quiet->wait(0ms) == McpStream::Came::nothing);
  quiet->finish("answer", -32601);
  CHECK(quiet->wait(0ms) == McpStream::Came::answer);
  CHECK(quiet->answer() == "answer");
  CHECK(quiet->error_code() == -32601);
  const auto telling = stream_of(1);
  telling->send("progress", Delivery::droppable);
  telling->finish("answer", std::nullopt);
  CHECK(telling->wait(0ms) == McpStream::Came::events);
}

TEST_CASE("events go out in order and end with the answer") {
  const auto stream = stream_of(1);
  stream->send("one", Delivery::droppable);
  const auto reader = stream->read({});
  EventSource::State state{};
  CHECK(all(*reader, &state) == "data: one\n\n");
  CHECK(state == EventSource::State::open);
  stream->finish("two", std::nullopt);
  stream->send("too late", Delivery::required);
  CHECK(all(*reader, &state) == "data: two\n\n");
  CHECK(state == EventSource::State::ended);
  CHECK(stream->bytes() == 0);
}

TEST_CASE("a stream that may be taken up again tells where it is, and goes on from there") {
  const auto stream = stream_of(3);
  const auto first = stream->read({.may_resume = true, .tells_retry = true});
  stream->send("one", Delivery::required);
  stream->send("two", Delivery::required);
  CHECK(all(*first) == "id: 3-0\nretry: 500\ndata: \n\nid: 3-1\ndata: one\n\nid: 3-2\ndata: two\n\n");
  const auto again = stream->read({.after = 1, .may_resume = true});
  EventSource::State state{};
  CHECK(all(*first, &state).empty());
  CHECK(state == EventSource::State::ended);  // a message goes to one reader
  CHECK(all(*again) == "id: 3-2\ndata: two\n\n");
  stream->finish("three", std::nullopt);
  CHECK(all(*stream->read({.after = 2, .may_resume = true}), &state) == "id: 3-3\ndata: three\n\n");
  CHECK(state == EventSource::State::ended);
}

TEST_CASE("a reader that names no place gets what was not sent yet") {
  const auto stream = stream_of(0);
  stream->send("one", Delivery::required);
  CHECK(all(*stream->read({.may_resume = true})) == "id: 0-1\ndata: one\n\n");
  stream->send("two", Delivery::required);
  CHECK(all(*stream->read({.may_resume = true})) == "id: 0-2\ndata: two\n\n");
}

TEST_CASE("a stream without an answer sends its reader away after a while") {
  const auto stream = stream_of(1);
  const auto reader = stream->read({.may_resume = true, .release_after = 0ms});
  std::string out;
  CHECK(reader->next(out, 1min) == EventSource::State::ended);
  stream->finish("answer", std::nullopt);
  CHECK(all(*stream->read({.after = 0, .may_resume = true})) == "id: 1-1\ndata: answer\n\n");
}

TEST_CASE("only the valid reader of an unfinished stream tells that its peer has gone") {
  int gone = 0;
  const auto stream = stream_of(1);
  const auto reading = [&] { return stream->read({.on_gone = [&] { ++gone; }}); };
  const auto first = reading(), second = reading();
  first->closed(true);
  CHECK(gone == 0);
  second->closed(true);
  CHECK(gone == 1);
  const auto third = reading();
  third->closed(false);
  stream->finish("answer", std::nullopt);
  third->closed(true);
  CHECK(gone == 1);
}

TEST_CASE("what nobody reads is bounded: progress goes first, then the oldest") {
  const auto stream = stream_of(1);
  const std::string large(limits::kOutQueueBytes / 3, 'x');
  stream->send("progress", Delivery::droppable);
  for (int i = 0; i < 9; ++i) stream->send(large, Delivery::required);
  CHECK(stream->bytes() <= limits::kOutQueueBytes);
  stream->send(large, Delivery::droppable);
  CHECK(stream->bytes() <= limits::kOutQueueBytes);
  stream->finish("answer", std::nullopt);
  const std::string left = all(*stream->read({.may_resume = true}));
  CHECK(left.find("progress") == std::string::npos);
  CHECK(left.find("id: 1-11\ndata: answer\n\n") != std::string::npos);
}
