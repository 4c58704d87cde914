// For tests: a client that sends any bytes, and a server with handlers of the test's own.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "protocol/http/http_server.h"
#include "tests/catch.h"

namespace stepwise::http {

struct TestAnswer {
  int status = 0;  // 0: the connection ended before an answer was there
  std::map<std::string, std::string> headers;
  std::string body;
};

class TestClient {
 public:
  enum class Connects : uint8_t { now, later };

  explicit TestClient(int port, int receive_buffer_bytes = 0, Connects when = Connects::now)
      : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (receive_buffer_bytes > 0) {
      ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes, sizeof receive_buffer_bytes);
    }
    const timeval patience{60, 0};  // so that a fault fails the test rather than hang it
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (when == Connects::now) connect(port);
  }
  ~TestClient() { close(); }
  TestClient(TestClient&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), connected_(other.connected_), input_(std::move(other.input_)) {}
  TestClient& operator=(TestClient&&) = delete;

  void connect(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  bool connected() const { return connected_; }
  int local_port() const {
    sockaddr_in address{};
    socklen_t bytes = sizeof address;
    ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &bytes);
    return ntohs(address.sin_port);
  }
  /// False: the server has ended the connection.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
    return true;
  }
  void end_output() const { ::shutdown(fd_, SHUT_WR); }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  /// The peer learns of it by a reset, not by an end.
  void abort() {
    const linger now{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close();
  }

  TestAnswer ask(std::string_view request) {
    send(request);
    return answer();
  }
  /// The next answer, whole.
  TestAnswer answer(bool has_body = true) {
    TestAnswer out = answer_head();
    if (out.status == 0 || !has_body) return out;
    if (out.headers.count("transfer-encoding") != 0) {
      while (const auto chunk = next_chunk()) out.body += *chunk;
    } else if (const auto length = out.headers.find("content-length"); length != out.headers.end()) {
      out.body = take(static_cast<size_t>(std::atoll(length->second.c_str())));
    }
    return out;
  }
  TestAnswer answer_head() {
    TestAnswer out;
    while (input_.find("\r\n\r\n") == std::string::npos) {
      if (!read_more()) return out;
    }
    std::string head = take(input_.find("\r\n\r\n") + 4);
    out.status = std::atoi(head.c_str() + std::string_view("HTTP/1.1 ").size());
    for (size_t at = head.find("\r\n") + 2; at + 2 < head.size();) {
      const size_t end = head.find("\r\n", at), colon = head.find(": ", at);
      out.headers[to_lower(head.substr(at, colon - at))] = head.substr(colon + 2, end - colon - 2);
      at = end + 2;
    }
    return out;
  }
  /// nullopt: the last one has come, or the connection ended.
  std::optional<std::string> next_chunk() {
    while (input_.find("\r\n") == std::string::npos) {
      if (!read_more()) return std::nullopt;
    }
    const std::string line = take(input_.find("\r\n") + 2);
    const size_t bytes = std::strtoull(line.c_str(), nullptr, 16);
    std::string chunk = take(bytes + 2);
    if (bytes == 0 || chunk.size() < bytes + 2) {
      cut_ = bytes != 0;
      return std::nullopt;
    }
    chunk.resize(bytes);
    return chunk;
  }
  bool was_cut() const { return cut_; }
  /// Everything until the server ends the connection.
  std::string rest() {
    while (read_more()) {
    }
    return std::exchange(input_, {});
  }

 private:
  bool read_more() {
    char bytes[65536];
    const ssize_t got = ::recv(fd_, bytes, sizeof bytes, 0);
    if (got <= 0) {
      cut_ = true;
      return false;
    }
    input_.append(bytes, static_cast<size_t>(got));
    return true;
  }
  std::string take(size_t bytes) {
    while (input_.size() < bytes && read_more()) {
    }
    std::string out = input_.substr(0, bytes);
    input_.erase(0, bytes);
    return out;
  }

  int fd_;
  bool connected_ = false, cut_ = false;
  std::string input_;
};

/// Waits for what other threads or the kernel are about to do. What never comes true fails the test by its patience.
template <class Condition>
bool eventually(Condition condition) {
  constexpr int kPatience = 30'000;
  for (int i = 0; i < kPatience; ++i) {
    if (condition()) return true;
    ::poll(nullptr, 0, 1);
  }
  return false;
}

inline std::string get(std::string_view path, std::string_view more = "") {
  return "GET " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\n" + std::string(more) + "\r\n";
}
inline std::string post(std::string_view path, std::string_view body, std::string_view more = "") {
  return "POST " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
         std::string(more) + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

/// Of this process, out of /proc/self/status: "Threads", or "VmRSS" in KiB.
inline int64_t process_figure(std::string_view name) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(name)) return std::atoll(line.c_str() + name.size() + 1);
  }
  return -1;
}

inline HttpResponse text_response(std::string body) {
  HttpResponse response;
  response.content_type = "text/plain";
  response.body = std::move(body);
  return response;
}

/// /echo answers method, path, body; the rest is the test's.
struct TestServer {
  ManualClock clock;
  std::unique_ptr<HttpServer> server;

  explicit TestServer(std::map<std::string, HttpHandler> more = {}, HttpServerOptions options = {}) {
    more["/echo"] = more["/healthz"] = [](const HttpRequest& request, const std::function<bool()>&) {
      return text_response(request.method + " " + request.path + " " + request.body);
    };
    if (options.handler_threads == HttpServerOptions().handler_threads) options.handler_threads = 8;
    options.clock = &clock;
    if (options.finish_within == limits::kStopWaiters) options.finish_within = std::chrono::milliseconds(200);
    auto started = HttpServer::start(options, std::move(more));
    if (!started.ok()) FAIL(to_text(started.error()));
    server = std::move(started).value();
  }

  TestClient client(int receive_buffer_bytes = 0) const {
    TestClient client(server->port(), receive_buffer_bytes);
    REQUIRE(client.connected());
    return client;
  }
  HttpCounters counters() const { return server->counters(); }
  uint64_t refused(const std::string& guard) const {
    const auto by = counters().refused_by;
    const auto found = by.find(guard);
    return found == by.end() ? 0 : found->second;
  }
  /// The server still does what it is for.
  bool serves() const { return client().ask(get("/echo")).body == "GET /echo "; }
};

inline constexpr int kManyPeers = 300;

/// So many, of which each sends that.
inline std::vector<TestClient> many(const TestServer& server, std::string_view each_sends) {
  std::vector<TestClient> clients;
  for (int i = 0; i < kManyPeers; ++i) {
    clients.push_back(server.client());
    clients.back().send(each_sends);
  }
  return clients;
}

}  // namespace stepwise::http
