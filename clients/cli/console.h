// Where the program writes. Results go to a private copy of the real standard output; descriptor 1 itself points at
// standard error from the first moment, so that no library or plugin can write into a result. [main]
#pragma once

#include <string>
#include <string_view>

#include "clients/cli/terminal.h"
#include "core/base/error.h"

namespace stepwise::cli {

class Console {
 public:
  /// Moves the standard output aside. Once, before any library is loaded or thread started.
  Console();
  /// For tests: writes to these.
  Console(int result_fd, int error_fd, const Environment& environment);

  /// The result. A reader that went away (head) is no failure; a full disk is.
  void result(std::string_view text);
  /// For people: progress, notes.
  void note(std::string_view text);
  /// {"error": {...}} on standard error, on a terminal a sentence; returns the exit code of the error's kind.
  int fail(const Error& error);

  int result_fd() const { return result_fd_; }
  const Terminal& result_terminal() const { return result_terminal_; }
  const Terminal& error_terminal() const { return error_terminal_; }
  /// The first failure of writing the result; empty: none.
  const std::string& write_failure() const { return write_failure_; }

 private:
  int result_fd_, error_fd_;
  Terminal result_terminal_, error_terminal_;
  std::string write_failure_;
  bool reader_gone_ = false;
};

}  // namespace stepwise::cli
