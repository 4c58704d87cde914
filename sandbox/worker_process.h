// A worker as a process: started, watched, ended, reaped. [one thread at a time]
//
// It has a process group of its own (a Ctrl-C at the terminal is the host's to handle), no descriptor of the host's but
// its end of the connection, and /dev/null as standard input; what it prints goes to the host's standard error.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/store/descriptor.h"

namespace stepwise::sandbox {

class WorkerProcess {
 public:
  /// The host's end of the connection is put into `socket`. Errors: plugin `plugin.worker`.
  static Result<std::unique_ptr<WorkerProcess>> start(const std::filesystem::path& program, store::Descriptor& socket);
  /// Kills what still runs. No zombie is left.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  bool has_ended();
  /// Gives it kEndGrace to end by itself, then kills it.
  void end();
  /// How it ended, as the rest of a sentence: "was ended by signal 11 (Segmentation fault)".
  std::string how_it_ended() const;

 private:
  explicit WorkerProcess(pid_t pid) : pid_(pid) {}
  void kill_and_reap();
  void reap();

  const pid_t pid_;
  bool reaped_ = false;  // from then on the pid may be somebody else's
  bool killed_ = false;  // because it did not end by itself
  std::optional<int> status_;
};

}  // namespace stepwise::sandbox
