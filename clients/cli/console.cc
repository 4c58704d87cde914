#include "clients/cli/console.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/json.h"
#include "core/report/model.h"

namespace stepwise::cli {
namespace {

/// Started without one of the three, the next file opened would take its number, and be read or written as it.
void occupy_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    // Opened the wrong way round on purpose: reading from and writing to what is not there fails and is told.
    const int opened = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened >= 0 && opened != fd) {
      dup2(opened, fd);
      close(opened);
    }
  }
}

int move_standard_output() {
  occupy_standard_descriptors();
  const int aside = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return aside;
}

/// 0, or errno.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0) {
      if (errno != EINTR && errno != EAGAIN) return errno;
      // Whoever shares the pipe or the terminal with us may have made it one that does not wait.
      pollfd waiting{fd, POLLOUT, 0};
      ::poll(&waiting, 1, -1);
      continue;
    }
    text.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

}  // namespace

Console::Console() : Console(move_standard_output(), STDERR_FILENO, process_environment()) {}

Console::Console(int result_fd, int error_fd, const Environment& environment)
    : result_fd_(result_fd),
      error_fd_(error_fd),
      result_terminal_(probe_terminal(result_fd, environment)),
      error_terminal_(probe_terminal(error_fd, environment)) {}

void Console::result(std::string_view text) {
  if (reader_gone_ || !write_failure_.empty()) return;
  const int failure = write_all(result_fd_, text);
  if (failure == EPIPE) {
    reader_gone_ = true;
  } else if (failure != 0) {
    write_failure_ = std::strerror(failure);
  }
}

void Console::note(std::string_view text) { (void)write_all(error_fd_, text); }

int Console::fail(const Error& error) {
  if (error_terminal_.is_terminal) {
    note(paint(error_terminal_, Colour::red, "error") + " [" + error.code + "]: " + to_text(error) + "\n");
  } else {
    note(dump_json(Json{{"error", report::to_json(error)}}) + "\n");
  }
  return error_kind_info(error.kind).exit_code;
}

}  // namespace stepwise::cli
