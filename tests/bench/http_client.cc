#include "tests/bench/http_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>

#include "core/base/text.h"

namespace stepwise::bench {
namespace {

/// "" : there is none. Names are compared without case.
std::string header_value(const std::string& head, std::string_view name) {
  for (size_t line = head.find("\r\n"); line != std::string::npos; line = head.find("\r\n", line + 2)) {
    const std::string_view rest = std::string_view(head).substr(line + 2);
    const size_t colon = rest.find(':');
    if (colon == std::string_view::npos || !iequals(rest.substr(0, colon), name)) continue;
    return std::string(trim(rest.substr(colon + 1, rest.find("\r\n") - colon - 1)));
  }
  return "";
}

std::string data_of_events(const std::string& stream) {
  constexpr std::string_view kData = "data:";
  std::string out;
  for (size_t at = 0; at < stream.size();) {
    const size_t end = std::min(stream.find('\n', at), stream.size());
    const std::string_view line(stream.data() + at, end - at);
    if (line.starts_with(kData)) out += std::string(trim(line.substr(kData.size()))) + "\n";
    at = end + 1;
  }
  return out;
}

}  // namespace

HttpClient::~HttpClient() {
  if (socket_ >= 0) close(socket_);
}

bool HttpClient::connected() {
  if (socket_ >= 0) return true;
  received_.clear();
  socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port_));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int on = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

bool HttpClient::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

bool HttpClient::read_more() {
  char bytes[1 << 16];
  const ssize_t count = recv(socket_, bytes, sizeof bytes, 0);
  if (count <= 0) return false;
  received_.append(bytes, static_cast<size_t>(count));
  return true;
}

bool HttpClient::take_until(std::string_view mark, std::string& out) {
  size_t end;
  while ((end = received_.find(mark)) == std::string::npos) {
    if (!read_more()) return false;
  }
  out = received_.substr(0, end);
  received_.erase(0, end + mark.size());
  return true;
}

bool HttpClient::take(size_t count, std::string& out) {
  while (received_.size() < count) {
    if (!read_more()) return false;
  }
  out = received_.substr(0, count);
  received_.erase(0, count);
  return true;
}

bool HttpClient::take_chunks(std::string& out) {
  while (true) {
    std::string size, piece, end;
    if (!take_until("\r\n", size)) return false;
    const size_t count = std::strtoul(size.c_str(), nullptr, 16);
    if (!take(count, piece) || !take_until("\r\n", end)) return false;
    if (count == 0) return true;
    out += piece;
  }
}

HttpClient::Answer HttpClient::broken() {
  close(socket_);
  socket_ = -1;
  return {};
}

HttpClient::Answer HttpClient::post(std::string_view path, std::string_view headers, std::string_view body) {
  if (!connected()) return broken();
  std::string request = "POST " + std::string(path) + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) +
                        "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
  request += std::string(headers) + "\r\n" + std::string(body);
  std::string head;
  if (!send(request) || !take_until("\r\n\r\n", head)) return broken();
  Answer answer;
  const bool chunked = iequals(header_value(head, "transfer-encoding"), "chunked");
  const size_t length = std::strtoul(header_value(head, "content-length").c_str(), nullptr, 10);
  if (!(chunked ? take_chunks(answer.body) : take(length, answer.body))) return broken();
  answer.status = head.size() > 12 ? std::atoi(head.c_str() + 9) : 0;
  if (header_value(head, "content-type").starts_with("text/event-stream")) answer.body = data_of_events(answer.body);
  return answer;
}

}  // namespace stepwise::bench
