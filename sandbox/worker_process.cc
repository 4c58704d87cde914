#include "sandbox/worker_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "sandbox/limits.h"
#include "sandbox/wire.h"

namespace stepwise::sandbox {
namespace {

Error start_error(const std::filesystem::path& program, int error_number) {
  return {ErrorKind::plugin, "plugin.worker",
          std::string("The worker for isolated plugins cannot be started: ") + std::strerror(error_number) + ".",
          "stepwise-worker must stand beside stepwise.", program.string()};
}

class FileActions {
 public:
  FileActions() { ::posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  int set(int socket) {
    if (const int e = ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0)) return e;
    if (const int e = ::posix_spawn_file_actions_adddup2(&actions_, STDERR_FILENO, STDOUT_FILENO)) return e;
    return ::posix_spawn_file_actions_adddup2(&actions_, socket, kWorkerDescriptor);
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

class Attributes {
 public:
  Attributes() { ::posix_spawnattr_init(&attributes_); }
  ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;

  /// The host blocks and handles signals as it likes; the worker starts with none of that.
  int set() {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    if (const int e = ::posix_spawnattr_setsigmask(&attributes_, &none)) return e;
    if (const int e = ::posix_spawnattr_setsigdefault(&attributes_, &all)) return e;
    if (const int e = ::posix_spawnattr_setpgroup(&attributes_, 0)) return e;
    return ::posix_spawnattr_setflags(&attributes_,
                                      POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

}  // namespace

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const std::filesystem::path& program,
                                                            store::Descriptor& socket) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return start_error(program, errno);
  store::Descriptor ours(ends[0]), theirs(ends[1]);
  // Above the numbers that the file actions set, which would close it otherwise.
  const store::Descriptor passed(::fcntl(theirs.get(), F_DUPFD_CLOEXEC, kWorkerDescriptor + 1));
  if (!passed.is_open()) return start_error(program, errno);

  FileActions actions;
  Attributes attributes;
  if (const int e = actions.set(passed.get())) return start_error(program, e);
  if (const int e = attributes.set()) return start_error(program, e);
  const std::string path = program.string();
  char* const argv[] = {const_cast<char*>(path.c_str()), nullptr};
  pid_t pid = -1;
  if (const int e = ::posix_spawn(&pid, path.c_str(), actions.get(), attributes.get(), argv, environ)) {
    return start_error(program, e);
  }
  socket = std::move(ours);
  return std::unique_ptr<WorkerProcess>(new WorkerProcess(pid));
}

WorkerProcess::~WorkerProcess() { kill_and_reap(); }

bool WorkerProcess::has_ended() {
  if (reaped_) return true;
  siginfo_t info{};
  const int looked = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  if (looked == 0 && info.si_pid == 0) return false;
  if (looked != 0 && errno == EINTR) return false;
  if (looked == 0) {
    reap();
  } else {
    reaped_ = true;  // ECHILD: the host was started with SIGCHLD ignored, and the kernel reaped the worker
  }
  return true;
}

void WorkerProcess::reap() {
  ::kill(-pid_, SIGKILL);  // what it left behind; while it is not reaped, the group's number is nobody else's
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0) {
    if (errno != EINTR) break;
  }
  status_ = status;
  reaped_ = true;
}

void WorkerProcess::end() {
  const auto until = std::chrono::steady_clock::now() + kEndGrace;
  while (!has_ended() && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(1ms);
  kill_and_reap();
}

void WorkerProcess::kill_and_reap() {
  if (has_ended()) return;
  killed_ = true;
  ::kill(pid_, SIGKILL);
  reap();
}

std::string WorkerProcess::how_it_ended() const {
  if (killed_) return "closed its connection and had to be killed";
  if (!status_) return "ended";
  if (WIFSIGNALED(*status_)) {
    const int signal = WTERMSIG(*status_);
    return "was ended by signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
  }
  return "exited with status " + std::to_string(WEXITSTATUS(*status_));
}

}  // namespace stepwise::sandbox
