// An exclusive lock between processes, and between the threads of one: flock on a file of its own. Ends with the
// object, and with the process however it dies. Internal to core/store.
#pragma once

#include <filesystem>
#include <optional>

#include "core/base/error.h"
#include "core/base/task.h"
#include "core/store/descriptor.h"

namespace stepwise::store {

class FileLock {
 public:
  /// nullopt: another one has it. Makes the file, not its directory. Errors: io `store.lock`.
  static Result<std::optional<FileLock>> try_take(const std::filesystem::path& path);
  /// Polls until it is free; makes the directory. Errors: io `store.lock`; cancelled.
  static Result<FileLock> take(const std::filesystem::path& path, const CancelFlag& cancel);

 private:
  explicit FileLock(Descriptor file) : file_(std::move(file)) {}
  Descriptor file_;
};

}  // namespace stepwise::store
