// `stepwise serve` in a process of its own, while a benchmark asks it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>

namespace stepwise::bench {

class HttpServer {
 public:
  /// Waits until it listens. Profiles may lie anywhere under `root`; its log goes to root/server.log.
  HttpServer(const std::filesystem::path& program, const std::filesystem::path& root);
  /// Asks it to stop, and waits.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const { return port_; }
  /// Memory that is its own: what it maps from files is not.
  uint64_t anonymous_bytes() const;
  uint64_t open_files() const;
  uint64_t threads() const;
  /// User and system, of all its threads, so far.
  double cpu_s() const;

 private:
  uint64_t status_figure(const char* name) const;
  pid_t process_ = -1;
  int port_ = 0;
};

}  // namespace stepwise::bench
