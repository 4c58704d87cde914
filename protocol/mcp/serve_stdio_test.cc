#include "protocol/mcp/serve_stdio.h"

#include <sys/eventfd.h>

#include <string>
#include <thread>

#include "protocol/mcp/fake_engine.h"
#include "protocol/transport/pipe_for_test.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::mcp;

namespace {

constexpr const char* kInitialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})"
    "\n";
constexpr const char* kCall = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}})"
                              "\n";

struct Served {
  FakeEngine engine;
  transport::Pipe in, out;
  StdioOptions options;

  // Longer than any machine under load needs.
  Served() { options.serve = {.finish_within = std::chrono::minutes(1), .drain_within = std::chrono::minutes(1)}; }

  int serve() {
    options.in_fd = in.read_fd();
    options.out_fd = out.write_fd();
    return serve_stdio(std::make_shared<const Server>(Server{engine}), options);
  }
  std::vector<Json> output() {
    out.close_write();
    std::vector<Json> messages;
    const std::string all = out.read_all();
    for (size_t at = 0, end = 0; (end = all.find('\n', at)) != std::string::npos; at = end + 1) {
      messages.push_back(parse_json(all.substr(at, end - at)).value());
    }
    return messages;
  }
};

}  // namespace

TEST_CASE("serve_stdio answers what is in flight when the input ends, then returns 0") {
  Served server;
  server.in.write(std::string(kInitialize) + kCall);
  server.in.close_write();
  std::thread answering([&] {
    while (server.engine.last_waiter() == 0) std::this_thread::yield();
    server.engine.answer(1, "done");
  });
  CHECK(server.serve() == 0);
  answering.join();
  const auto messages = server.output();
  REQUIRE(messages.size() == 2);
  CHECK(messages[1]["result"]["content"][0]["text"] == "done");
}

TEST_CASE("serve_stdio gives up calls that take too long after the end") {
  Served server;
  server.options.serve.finish_within = std::chrono::milliseconds(0);
  server.in.write(std::string(kInitialize) + kCall);
  server.in.close_write();
  CHECK(server.serve() == 0);
  CHECK(server.engine.cancelled().size() == 1);
  const auto messages = server.output();
  REQUIRE(messages.size() == 2);
  CHECK(messages[1]["result"]["isError"] == true);
}

TEST_CASE("serve_stdio stops when its stop descriptor says so") {
  Served server;
  server.options.stop_fd = ::eventfd(1, EFD_CLOEXEC);
  CHECK(server.serve() == 0);
  ::close(server.options.stop_fd);
  CHECK(server.output().empty());
}

TEST_CASE("serve_stdio returns the exit code of an i/o error when the client is gone, and cancels its calls") {
  Served server;
  server.out.close_read();
  server.in.write(std::string(kCall));  // refused: the answer finds nobody
  CHECK(server.serve() == error_kind_info(ErrorKind::io).exit_code);

  Served calling;
  calling.in.write(std::string(kInitialize) + kCall);
  std::thread leaving([&] {
    char byte = 0;
    while (::read(calling.out.read_fd(), &byte, 1) == 1 && byte != '\n') continue;  // the answer to initialize
    while (calling.engine.last_waiter() == 0) std::this_thread::yield();
    calling.out.close_read();
    calling.in.write("{\n");  // makes the server write
  });
  CHECK(calling.serve() == error_kind_info(ErrorKind::io).exit_code);
  leaving.join();
  CHECK(calling.engine.cancelled() == std::vector<engine::WaiterId>{1});
}

TEST_CASE("serve_stdio lists all tools when told to") {
  for (const bool all : {false, true}) {
    Served server;
    server.in.write(std::string(kInitialize) + R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})" + "\n");
    server.in.close_write();
    FakeEngine engine({declared_tool("core_tool"), declared_tool("extra_tool", false)});
    server.options.in_fd = server.in.read_fd();
    server.options.out_fd = server.out.write_fd();
    CHECK(serve_stdio(std::make_shared<const Server>(Server{engine, all}), server.options) == 0);
    const auto messages = server.output();
    REQUIRE(messages.size() == 2);
    CHECK(messages[1]["result"]["tools"].size() == (all ? 2 : 1));
  }
}
