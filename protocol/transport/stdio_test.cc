#include "protocol/transport/stdio.h"

#include <sys/eventfd.h>

#include <algorithm>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "protocol/transport/pipe_for_test.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::transport;
using namespace std::chrono_literals;

namespace {

// Longer than any machine under load needs: a failing test ends instead of hanging.
constexpr auto kPatient = 60s;

struct Answering final : Receiver {
  std::function<void(std::string_view)> on_message;
  std::vector<std::string> lost_codes;
  void message(std::string_view text) override { on_message(text); }
  void lost(const Error& why) override { lost_codes.push_back(why.code); }
};

struct Connection {
  Pipe in, out;
  Stdio::Options options;
  std::unique_ptr<Stdio> stdio;
  Answering receiver;

  void open() {
    options.in_fd = in.read_fd();
    options.out_fd = out.write_fd();
    stdio = Stdio::open(options, line_framing()).value();
    receiver.on_message = [this](std::string_view text) { stdio->send("re " + std::string(text), Delivery::required); };
  }
  /// What the peer has got once the transport is closed.
  std::string close_and_read() {
    stdio->close(kPatient);
    out.close_write();
    return out.read_all();
  }
};

}  // namespace

TEST_CASE("stdio gives messages to the receiver and ends with the input") {
  Connection connection;
  connection.open();
  connection.in.write("one\r\ntwo\nunfinished");
  connection.in.close_write();
  CHECK(connection.stdio->run(connection.receiver).value() == End::input_ended);
  CHECK(connection.close_and_read() == "re one\nre two\nre unfinished\n");
}

TEST_CASE("stdio takes a message byte by byte") {
  Connection connection;
  connection.open();
  std::thread reader([&] { CHECK(connection.stdio->run(connection.receiver).ok()); });
  for (const char byte : std::string("{\"a\":1}\n{}\n")) connection.in.write(std::string_view(&byte, 1));
  connection.in.close_write();
  reader.join();
  CHECK(connection.close_and_read() == "re {\"a\":1}\nre {}\n");
}

TEST_CASE("stdio skips a line over the limit and goes on") {
  Connection connection;
  connection.open();
  std::thread reader([&] { CHECK(connection.stdio->run(connection.receiver).ok()); });
  connection.in.write(std::string(limits::kMaxMessageBytes + 1, 'x') + "\nafter\n");
  connection.in.close_write();
  reader.join();
  CHECK(connection.receiver.lost_codes == std::vector<std::string>{"transport.message_too_long"});
  CHECK(connection.close_and_read() == "re after\n");
}

TEST_CASE("stdio writes a message that is larger than the pipe while the peer reads") {
  Connection connection;
  connection.open();
  std::string got;
  std::thread peer([&] { got = connection.out.read_all(); });
  connection.stdio->send(std::string(1'000'000, 'x'), Delivery::required);
  connection.stdio->close(kPatient);
  connection.out.close_write();
  peer.join();
  CHECK(got.size() == 1'000'001);
}

TEST_CASE("stdio survives a peer that is gone: no signal, run ends with an error") {
  Connection connection;
  connection.open();
  connection.out.close_read();
  connection.stdio->send("anybody there?", Delivery::required);
  const auto ended = connection.stdio->run(connection.receiver);  // the input is open and silent
  REQUIRE_FALSE(ended.ok());
  CHECK(ended.error().code == "transport.write");
  connection.stdio->send("ignored", Delivery::required);
}

TEST_CASE("stdio ends the connection when the peer takes no byte for the stall time") {
  Connection connection;
  connection.out.shrink();
  connection.options.stalled_after = 0ms;
  connection.open();
  connection.stdio->send(std::string(10'000, 'x'), Delivery::required);
  const auto ended = connection.stdio->run(connection.receiver);
  REQUIRE_FALSE(ended.ok());
  CHECK(ended.error().code == "transport.stalled");
}

TEST_CASE("stdio's writer can be joined while the pipe is full") {
  Connection connection;
  connection.out.shrink();
  connection.open();
  connection.stdio->send(std::string(10'000, 'x'), Delivery::required);
  connection.stdio->close(0ms);
  connection.stdio->close(0ms);  // twice is fine
  connection.out.close_write();
  CHECK(connection.out.read_all().size() <= 4096);
}

TEST_CASE("stdio stops reading while the peer takes nothing, and goes on when it does") {
  constexpr int kMessages = 40;
  Connection connection;
  connection.out.shrink();
  connection.options.out_queue_bytes = 1000;
  connection.open();
  connection.receiver.on_message = [&](std::string_view) {
    connection.stdio->send(std::string(4999, 'a'), Delivery::required);
  };
  std::thread reader([&] { CHECK(connection.stdio->run(connection.receiver).ok()); });
  // A message is as long as a read: were many taken by one read, the pause would come after all of them.
  std::thread peer([&] {
    for (int i = 0; i < kMessages; ++i) connection.in.write(std::string(64 << 10, 'q') + "\n");
    connection.in.close_write();
  });
  while (connection.stdio->counters().reader_pauses == 0) std::this_thread::yield();

  std::string got;
  std::thread taker([&] { got = connection.out.read_all(); });
  reader.join();
  peer.join();
  connection.stdio->close(kPatient);
  connection.out.close_write();
  taker.join();
  CHECK(got.size() == kMessages * 5000);
  CHECK(std::count(got.begin(), got.end(), '\n') == kMessages);
}

TEST_CASE("stdio drops droppable messages before it lets required ones wait") {
  Connection connection;
  connection.out.shrink();
  connection.options.out_queue_bytes = 100;
  connection.open();
  connection.stdio->send(std::string(20'000, 'x'), Delivery::required);  // in the writer's hand, or fills the queue
  connection.stdio->send(std::string(101, 'p'), Delivery::droppable);
  CHECK(connection.stdio->counters().dropped == 1);
  std::string got;
  std::thread taker([&] { got = connection.out.read_all(); });
  connection.stdio->send("answer", Delivery::required);
  connection.stdio->close(kPatient);
  connection.out.close_write();
  taker.join();
  CHECK(got == std::string(20'000, 'x') + "\nanswer\n");
}

TEST_CASE("stdio stops when asked, from another thread or by a descriptor") {
  Connection connection;
  SECTION("stop") {
    connection.open();
    std::thread stopper([&] { connection.stdio->stop(); });
    CHECK(connection.stdio->run(connection.receiver).value() == End::stopped);
    stopper.join();
  }
  SECTION("stop_fd") {
    const int stop_fd = ::eventfd(1, EFD_CLOEXEC);
    connection.options.stop_fd = stop_fd;
    connection.open();
    CHECK(connection.stdio->run(connection.receiver).value() == End::stopped);
    ::close(stop_fd);
  }
  connection.stdio->send("goodbye", Delivery::required);
  CHECK(connection.close_and_read() == "goodbye\n");
}

TEST_CASE("stdio leaves the descriptors blocking and open") {
  Connection connection;
  connection.open();
  connection.stdio->send("x", Delivery::required);
  connection.stdio->close(kPatient);
  connection.stdio.reset();
  for (const int fd : {connection.in.read_fd(), connection.out.write_fd()}) {
    const int flags = ::fcntl(fd, F_GETFL);
    REQUIRE(flags >= 0);
    CHECK((flags & O_NONBLOCK) == 0);
  }
}

TEST_CASE("stdio reports an input that cannot be read") {
  Connection connection;
  connection.open();
  connection.options.in_fd = connection.in.write_fd();  // the wrong end
  const auto wrong = Stdio::open(connection.options, line_framing()).value();
  connection.in.close_read();
  const auto ended = wrong->run(connection.receiver);
  REQUIRE_FALSE(ended.ok());
  CHECK(ended.error().code == "transport.read");
}

TEST_CASE("many threads may send at once; every message arrives whole") {
  Connection connection;
  connection.open();
  std::string got;
  std::thread taker([&] { got = connection.out.read_all(); });
  std::vector<std::thread> senders;
  for (int sender = 0; sender < 4; ++sender) {
    senders.emplace_back([&, sender] {
      for (int i = 0; i < 200; ++i) connection.stdio->send(std::string(99, 'a' + sender), Delivery::required);
    });
  }
  for (auto& sender : senders) sender.join();
  connection.stdio->close(kPatient);
  connection.out.close_write();
  taker.join();
  REQUIRE(got.size() == 4 * 200 * 100);
  size_t whole = 0;
  for (size_t at = 0; at < got.size(); at += 100) whole += got.substr(at, 99) == std::string(99, got[at]);
  CHECK(whole == 800);
}
