// One keep-alive connection to a server on this machine, for measuring: no library in between that buffers or waits.
#pragma once

#include <string>
#include <string_view>

namespace stepwise::bench {

class HttpClient {
 public:
  explicit HttpClient(int port) : port_(port) {}
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  struct Answer {
    int status = 0;    // 0: the connection broke
    std::string body;  // decoded; of an event stream, the data of its events, a line each
  };
  /// `headers`: more of them, each ended by CRLF. Connects when it has to.
  Answer post(std::string_view path, std::string_view headers, std::string_view body);

 private:
  bool connected();
  bool send(std::string_view bytes) const;
  bool read_more();
  /// Bytes to and without the end mark, taken off what was received; false: the connection broke.
  bool take_until(std::string_view mark, std::string& out);
  bool take(size_t count, std::string& out);
  bool take_chunks(std::string& out);
  Answer broken();

  const int port_;
  int socket_ = -1;
  std::string received_;
};

}  // namespace stepwise::bench
