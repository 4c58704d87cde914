#include "tests/bench/http_server.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/bench/bench.h"

namespace stepwise::bench {
namespace {

constexpr int kPolls = 1000;  // of 10 ms

/// The port in "stepwise serve: http://127.0.0.1:PORT/..."; 0: it does not say one yet.
int port_in(const std::filesystem::path& log) {
  std::ifstream file(log);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  constexpr std::string_view kBefore = "http://127.0.0.1:";
  const size_t at = text.find(kBefore);
  if (at == std::string::npos || text.find('\n', at) == std::string::npos) return 0;
  return std::atoi(text.c_str() + at + kBefore.size());
}

}  // namespace

HttpServer::HttpServer(const std::filesystem::path& program, const std::filesystem::path& root) {
  const std::filesystem::path log = root / "server.log";
  write_file(log, "");
  process_ = fork();
  if (process_ == 0) {
    const int out = open(log.c_str(), O_WRONLY | O_APPEND);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    execl(program.c_str(), program.c_str(), "serve", "--http", "127.0.0.1:0", "--root", root.c_str(), nullptr);
    _exit(127);
  }
  for (int poll = 0; poll < kPolls && port_ == 0; ++poll) {
    usleep(10'000);
    port_ = port_in(log);
  }
  if (port_ == 0) fail("the server does not listen: see " + log.string());
}

HttpServer::~HttpServer() {
  kill(process_, SIGTERM);
  waitpid(process_, nullptr, 0);
}

uint64_t HttpServer::status_figure(const char* name) const {
  std::ifstream file("/proc/" + std::to_string(process_) + "/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(name)) return std::strtoull(line.c_str() + line.find(':') + 1, nullptr, 10);
  }
  fail("the server is gone");
}

uint64_t HttpServer::anonymous_bytes() const { return status_figure("RssAnon") * 1024; }
uint64_t HttpServer::threads() const { return status_figure("Threads"); }

double HttpServer::cpu_s() const {
  std::ifstream file("/proc/" + std::to_string(process_) + "/stat");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  std::istringstream fields(text.substr(text.rfind(')') + 2));  // past the name, which may hold blanks
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

uint64_t HttpServer::open_files() const {
  uint64_t count = 0;
  for ([[maybe_unused]] const auto& one :
       std::filesystem::directory_iterator("/proc/" + std::to_string(process_) + "/fd")) {
    ++count;
  }
  return count;
}

}  // namespace stepwise::bench
