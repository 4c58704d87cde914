// Which open profiles changed on disk. By names, sizes and times of their files, so it costs a look at each and reads
// nothing.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "core/engine/open_profile.h"

namespace stepwise::engine {

/// [any thread]
class ProfileChanges {
 public:
  /// Ids of those that changed since the last look; what is seen for the first time has not. What still changes is told
  /// once it stays as it is from one look to the next: a profiler writes for seconds.
  std::vector<std::string> look(const std::vector<OpenProfilePtr>& open);

 private:
  struct Seen {
    uint64_t told = 0, last = 0;  // prints of the files
  };
  std::mutex mutex_;
  std::map<std::string, Seen> seen_;
};

}  // namespace stepwise::engine
