// Frames between host and worker: what arrives is what was sent, or is refused.
#include "sandbox/wire.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sandbox/channel.h"
#include "sandbox/limits.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::sandbox;

namespace {

constexpr size_t kSmallLimit = 3u << 20;

struct Pair {
  store::Descriptor raw;  // the other end, for bytes that no Channel would send
  Channel channel;

  static std::pair<store::Descriptor, store::Descriptor> ends() {
    int fds[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0);
    return {store::Descriptor(fds[0]), store::Descriptor(fds[1])};
  }
  explicit Pair(Channel::Descriptors descriptors = Channel::Descriptors::drop) : Pair(ends(), descriptors) {}
  Pair(std::pair<store::Descriptor, store::Descriptor> both, Channel::Descriptors descriptors)
      : raw(std::move(both.first)), channel(std::move(both.second), kSmallLimit, descriptors) {}

  void write(std::string_view bytes) const {
    REQUIRE(::write(raw.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  }
  void write(FrameHeader header) const { write({reinterpret_cast<const char*>(&header), sizeof header}); }
};

FrameHeader header(uint32_t bytes, MessageKind kind, uint16_t flags = 0) {
  return {bytes, static_cast<uint16_t>(kind), flags};
}

bool never() { return false; }

}  // namespace

TEST_CASE("a payload reads as it was written") {
  PayloadWriter out;
  const Message message =
      out.u32(7).i32(-7).u64(1ull << 40).text("").text(std::string_view("a\0b", 3)).message(MessageKind::emit);
  PayloadReader in(message.payload);
  CHECK(in.u32() == 7);
  CHECK(in.i32() == -7);
  CHECK(in.u64() == 1ull << 40);
  CHECK(in.text().empty());
  CHECK(in.text() == std::string_view("a\0b", 3));
  CHECK(in.is_whole());
}

TEST_CASE("a payload that is cut, or too long, is not whole, and nothing is read past its end") {
  PayloadWriter out;
  const std::string payload = out.u32(7).text("name").message(MessageKind::table).payload;
  for (size_t bytes = 0; bytes < payload.size(); ++bytes) {
    PayloadReader in(std::string_view(payload).substr(0, bytes));
    in.u32();
    CHECK(in.text().empty());
    CHECK_FALSE(in.is_whole());
  }
  const std::string longer = payload + "x";
  PayloadReader in(longer);
  in.u32();
  CHECK(in.text() == "name");
  CHECK_FALSE(in.is_whole());
}

TEST_CASE("a text whose length is a lie reads as nothing") {
  PayloadWriter out;
  const std::string payload = out.u64(~0ull).u32(1).message(MessageKind::log).payload;
  PayloadReader in(payload);
  CHECK(in.text().empty());
  CHECK(in.u32() == 0);
  CHECK_FALSE(in.is_whole());
}

TEST_CASE("a message of several frames arrives whole") {
  Pair pair;
  Channel sender(std::move(pair.raw), kSmallLimit, Channel::Descriptors::drop);
  std::string text(2 * kMaxFrameBytes + 5, 'x');
  text.back() = 'y';
  std::thread other([&] { CHECK(sender.send({MessageKind::emit, text}, never)); });
  Message got;
  while (pair.channel.receive(got, std::chrono::milliseconds(-1)) == Channel::Arrival::nothing) {
  }
  other.join();
  CHECK(got.kind == MessageKind::emit);
  CHECK(got.payload == text);
}

TEST_CASE("a message of no bytes is a message; a part of a frame is nothing yet") {
  Pair pair;
  Message got;
  CHECK(pair.channel.receive(got, std::chrono::milliseconds(0)) == Channel::Arrival::nothing);
  pair.write(header(4, MessageKind::done));
  pair.write("ab");
  CHECK(pair.channel.receive(got, std::chrono::milliseconds(0)) == Channel::Arrival::nothing);
  pair.write("cd");
  pair.write(header(0, MessageKind::cancel));
  REQUIRE(pair.channel.receive(got, std::chrono::milliseconds(0)) == Channel::Arrival::message);
  CHECK(got.payload == "abcd");
  REQUIRE(pair.channel.receive(got, std::chrono::milliseconds(0)) == Channel::Arrival::message);
  CHECK(got.kind == MessageKind::cancel);
  pair.raw = {};
  CHECK(pair.channel.receive(got, std::chrono::milliseconds(0)) == Channel::Arrival::closed);
}

TEST_CASE("what is not of the protocol is a violation, and stays one") {
  Message got;
  const auto refused = [&](const std::vector<FrameHeader>& frames, const char* says) {
    Pair pair;
    for (const FrameHeader& frame : frames) {
      pair.write(frame);
      if (frame.payload_bytes <= 8) pair.write(std::string(frame.payload_bytes, 'x'));
    }
    CHECK(pair.channel.receive(got, std::chrono::milliseconds(0)) == Channel::Arrival::violation);
    CHECK(pair.channel.violation() == says);
    CHECK(pair.channel.receive(got, std::chrono::milliseconds(0)) == Channel::Arrival::violation);
  };
  refused({{0, 0, 0}}, "it sent something that is no message");
  refused({{0, 31, 0}}, "it sent something that is no message");
  refused({header(0, MessageKind::done, 4)}, "it sent something that is no message");
  refused({header(kMaxFrameBytes + 1, MessageKind::emit)}, "it sent a frame that is too large");
  refused({header(0, MessageKind::emit, kMoreFollows)}, "it sent an empty part of a message");
  refused({header(1, MessageKind::emit, kMoreFollows), header(0, MessageKind::emit, kMoreFollows)},
          "it sent an empty part of a message");
  refused({header(1, MessageKind::emit, kMoreFollows), header(1, MessageKind::done)},
          "it began a message inside another");
}

TEST_CASE("a message that grows past the limit is refused") {
  Pair pair;
  Channel sender(std::move(pair.raw), kSmallLimit, Channel::Descriptors::drop);
  const auto arrival_of = [&](size_t bytes) {
    std::thread other([&] { sender.send({MessageKind::emit, std::string(bytes, 'x')}, [] { return true; }); });
    Message got;
    auto arrival = Channel::Arrival::nothing;
    while (arrival == Channel::Arrival::nothing) arrival = pair.channel.receive(got, std::chrono::milliseconds(-1));
    other.join();
    return arrival;
  };
  CHECK(arrival_of(kSmallLimit) == Channel::Arrival::message);
  CHECK(arrival_of(kSmallLimit + 1) == Channel::Arrival::violation);
}

TEST_CASE("a descriptor comes with its own message, and one who does not take them gets none") {
  for (const auto takes : {Channel::Descriptors::take, Channel::Descriptors::drop}) {
    Pair pair(takes);
    Channel sender(std::move(pair.raw), kSmallLimit, Channel::Descriptors::drop);
    const store::Descriptor sent(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    REQUIRE(sender.send({MessageKind::cancel}, never));
    REQUIRE(sender.send({MessageKind::table_at, "one"}, never, sent.get()));
    Message got;
    REQUIRE(pair.channel.receive(got, std::chrono::milliseconds(0)) == Channel::Arrival::message);
    CHECK_FALSE(got.descriptor.is_open());
    REQUIRE(pair.channel.receive(got, std::chrono::milliseconds(0)) == Channel::Arrival::message);
    CHECK(got.payload == "one");
    REQUIRE(got.descriptor.is_open() == (takes == Channel::Descriptors::take));
    if (!got.descriptor.is_open()) continue;
    struct stat passed {
    }, original{};
    CHECK(::fstat(got.descriptor.get(), &passed) == 0);
    CHECK(::fstat(sent.get(), &original) == 0);
    CHECK(passed.st_rdev == original.st_rdev);
  }
}

TEST_CASE("sending to one who does not read ends when the caller gives up") {
  Pair pair;
  int asked = 0;
  const std::string much(8u << 20, 'x');
  CHECK_FALSE(pair.channel.send({MessageKind::call, much}, [&] { return ++asked == 2; }));
  CHECK(asked == 2);
  pair.raw = {};
  CHECK_FALSE(pair.channel.send({MessageKind::cancel}, never));
}
