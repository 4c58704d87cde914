#include "protocol/transport/framing.h"

#include <string>
#include <vector>

#include "protocol/transport/line_splitter.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::transport;

namespace {

struct Collector final : Receiver {
  std::vector<std::string> got;
  void message(std::string_view text) override { got.emplace_back(text); }
  void lost(const Error& why) override { got.push_back("lost " + why.code); }
};

std::vector<std::string> unframe(Framing& framing, const std::string& bytes, size_t chunk) {
  Collector collector;
  for (size_t at = 0; at < bytes.size(); at += chunk)
    framing.feed(std::string_view(bytes).substr(at, chunk), collector);
  framing.finish(collector);
  return collector.got;
}

using Messages = std::vector<std::string>;

}  // namespace

TEST_CASE("lines are the same whatever the chunks are") {
  const std::string bytes = "one\r\ntwo\n\n  \t\nthree";
  for (size_t chunk = 1; chunk <= bytes.size(); ++chunk) {
    CHECK(unframe(*line_framing(), bytes, chunk) == Messages{"one", "two", "three"});
  }
}

TEST_CASE("an unfinished last line is given to the receiver, nothing is made of an ended one") {
  CHECK(unframe(*line_framing(), "a\n{\"b\":", 64) == Messages{"a", "{\"b\":"});
  CHECK(unframe(*line_framing(), "a\n", 64) == Messages{"a"});
  CHECK(unframe(*line_framing(), "", 64).empty());
}

TEST_CASE("a line of the limit passes, a longer one is lost once and reading goes on behind it") {
  const std::string bytes = "12345678\n123456789\nafter\n" + std::string(100, 'x') + "\nlast\n" + std::string(9, 'y');
  for (const size_t chunk : {1, 3, 9, 1000}) {
    CHECK(unframe(*line_framing(8), bytes, chunk) == Messages{"12345678", "lost transport.message_too_long", "after",
                                                              "lost transport.message_too_long", "last",
                                                              "lost transport.message_too_long"});
  }
}

TEST_CASE("a line that is too long is not held") {
  LineSplitter splitter(1000);
  size_t too_long = 0;
  const LineSplitter::Events events{[](std::string_view) { FAIL("no line was to come"); },
                                    [&](size_t bytes) { too_long = bytes; }};
  for (int i = 0; i < 100; ++i) {
    splitter.feed(std::string(333, 'x'), events);
    CHECK(splitter.held_bytes() <= 1000);
  }
  CHECK(too_long == 0);
  splitter.feed("\n", events);
  CHECK(too_long == 33'300);
}

TEST_CASE("line framing writes one line a message") { CHECK(line_framing()->frame("{}") == "{}\n"); }

TEST_CASE("readable framing divides at --- and leaves out comments") {
  const std::string bytes = "# a comment\n{\"a\":\n 1}\n---\n\n# nothing here\n---\n{}\n#< expected\n---\nlast";
  for (size_t chunk = 1; chunk <= bytes.size(); ++chunk) {
    CHECK(unframe(*readable_framing(), bytes, chunk) == Messages{"{\"a\":\n 1}", "{}", "last"});
  }
}

TEST_CASE("readable framing limits a message by the sum of its lines") {
  CHECK(unframe(*readable_framing(10), "12345\n1234\n---\n12345\n12345\n1\n---\nok\n---\n12345678901\n---\n", 7) ==
        Messages{"12345\n1234", "lost transport.message_too_long", "ok", "lost transport.message_too_long"});
}

TEST_CASE("readable framing reads back what it wrote") {
  auto framing = readable_framing();
  CHECK(unframe(*readable_framing(), framing->frame("{\"a\":1}") + framing->frame("{}"), 5) ==
        Messages{"{\"a\":1}", "{}"});
}
