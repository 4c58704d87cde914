#include "protocol/http/wire.h"

#include <fcntl.h>
#include <httplib.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "protocol/http/limits.h"

namespace stepwise::http {
namespace {

/// What the library reads: the request that we show it. What it writes: goes to the peer.
class AnswerStream final : public httplib::Stream {
 public:
  AnswerStream(Socket& socket, std::string shown) : socket_(socket), shown_(std::move(shown)) {}

  bool is_readable() const override { return true; }
  bool is_writable() const override { return !broken_ && !socket_.peer_gone(); }
  ssize_t read(char* to, size_t bytes) override {
    const size_t taken = std::min(bytes, shown_.size() - at_);
    std::copy_n(shown_.data() + at_, taken, to);
    at_ += taken;
    return static_cast<ssize_t>(taken);
  }
  ssize_t write(const char* bytes, size_t count) override {
    broken_ = broken_ || !socket_.write_all({bytes, count});
    return broken_ ? -1 : static_cast<ssize_t>(count);
  }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  // The library compares it with what select() can take (1024), which nobody calls here.
  socket_t socket() const override { return INVALID_SOCKET; }

  bool broken() const { return broken_; }

 private:
  Socket& socket_;
  const std::string shown_;
  size_t at_ = 0;
  bool broken_ = false;
};

struct Pending {
  const Wire::AnswerTo& to;
  const HttpResponse& response;
  EventPump* pump;
  Socket& socket;
};
// The library has no room for what belongs to a request; it calls back on the thread that called it.
thread_local const Pending* pending = nullptr;

void fill(httplib::Response& out) {
  const HttpResponse& response = pending->response;
  out.status = response.status;
  for (const auto& [name, value] : response.headers) out.set_header(name, value);
  if (pending->pump == nullptr) {
    if (!response.body.empty()) out.set_content(response.body, response.content_type);
    return;
  }
  const auto provide = [now = pending](size_t, httplib::DataSink& sink) {
    const auto write = [&](std::string_view bytes) {
      sink.write(bytes.data(), bytes.size());
      return sink.is_writable();
    };
    const auto step = now->pump->step(write, [now] { return now->socket.peer_gone(); });
    if (step == EventPump::Step::ended) sink.done();
    return step != EventPump::Step::gone;
  };
  if (pending->to.is_http_1_0) {
    out.set_content_provider(response.content_type, provide);
  } else {
    out.set_chunked_content_provider(response.content_type, provide);
  }
}

class HttplibWire final : public Wire, private httplib::Server {
 public:
  HttplibWire() {
    // The library would set SO_REUSEPORT: then a second server takes half of the connections instead of failing.
    set_socket_options([](socket_t fd) {
      const int on = 1;
      ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    });
    set_pre_routing_handler([](const httplib::Request&, httplib::Response& out) {
      fill(out);
      return HandlerResponse::Handled;
    });
    set_post_routing_handler([](const httplib::Request&, httplib::Response& out) {
      out.headers.erase("Keep-Alive");     // promises a number of requests that nobody counts
      out.headers.erase("Accept-Ranges");  // nobody here knows ranges
      if (out.status == 204) out.headers.erase("Content-Length");
    });
  }
  ~HttplibWire() override {
    stop_listening();
    if (const int fd = svr_sock_.exchange(INVALID_SOCKET); fd >= 0) ::close(fd);
  }

  bool open(const std::string& host, int port) {
    if (port == 0) {
      port_ = bind_to_any_port(host);
    } else {
      port_ = bind_to_port(host, port) ? port : -1;
    }
    const int fd = svr_sock_;
    // A backlog of its own: the library's is 5.
    return port_ > 0 && ::listen(fd, kListenBacklog) == 0 && ::fcntl(fd, F_SETFL, O_NONBLOCK) == 0 &&
           ::fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
  }

  int listener_fd() const override { return svr_sock_; }
  int port() const override { return port_; }
  // The descriptor stays: the library ends its streams in the middle once it has none.
  void stop_listening() override { ::shutdown(svr_sock_, SHUT_RDWR); }

  bool answer(Socket& socket, const AnswerTo& to, const HttpResponse& response, EventPump* pump) override {
    AnswerStream stream(socket, to.method + " / HTTP/1.1\r\n\r\n");
    const Pending now{to, response, pump, socket};
    pending = &now;
    bool closed = false;
    const bool done = process_request(stream, to.closes, closed, nullptr);
    pending = nullptr;
    return done && !stream.broken();
  }

 private:
  int port_ = -1;
};

}  // namespace

Result<std::unique_ptr<Wire>> Wire::bind(const std::string& host, int port) {
  auto wire = std::make_unique<HttplibWire>();
  errno = 0;
  if (!wire->open(host, port)) {
    const std::string why = errno == 0 ? "no such address" : std::generic_category().message(errno);
    return Error{ErrorKind::io, "http.bind", "The server cannot listen at " + host + ": " + why + ".",
                 "Choose another port or address.", host + ":" + std::to_string(port)};
  }
  return std::unique_ptr<Wire>(std::move(wire));
}

}  // namespace stepwise::http
