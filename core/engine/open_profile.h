// A profile that somebody opened: an id that depends on its real path alone, and what lies there.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/engine/path_roots.h"
#include "core/ingest/discovery/layout.h"
#include "core/store/cache.h"

namespace stepwise::engine {

struct OpenProfile {
  std::string id;  // p1a2b3c4d
  ingest::ProfileLayout layout;
  Json declare = Json::object();              // what the caller declared of it on open_profile
  std::vector<std::filesystem::path> graphs;  // paths of graph dumps elsewhere that the caller added

  const ingest::RankLayout* find_rank(uint32_t rank) const;
  uint32_t lowest_rank() const { return layout.ranks.front().rank; }
};
using OpenProfilePtr = std::shared_ptr<const OpenProfile>;

/// What a caller says on open_profile besides the path; what he leaves out stays as it was.
struct OpenOptions {
  Json declare = nullptr;
  std::optional<std::vector<std::string>> graphs{};
};

/// `p` and 8 hex digits of a hash of the real path.
std::string profile_id(const std::filesystem::path& real_path);

/// The profiles open in this process. [any thread]; reads directories, so never on the loop.
class Sessions {
 public:
  /// roots: empty: profiles may lie anywhere.
  Sessions(const std::vector<std::filesystem::path>& roots, const store::Cache& cache);

  /// By path: looks at the directory anew. An id, where nothing has that path, stands for its profile's path.
  /// Errors: as PathRoots::find, ingest::discover and add_graphs; not_found `profile.unknown`.
  Result<OpenProfilePtr> open(const std::string& path, const OpenOptions& options = {});
  /// By id or path; "" = the one that is open. An id reopens silently after close, also in a new process, as long as
  /// the cache knows it. Errors: not_found `profile.unknown`, usage `profile.which`.
  Result<OpenProfilePtr> resolve(const std::string& id_or_path);
  /// Looks at the directory of an open profile anew: its files changed.
  Result<OpenProfilePtr> refresh(const OpenProfile& profile);
  /// False: it was not open.
  bool close(const std::string& id);
  std::vector<OpenProfilePtr> list() const;

 private:
  Result<std::filesystem::path> find(const std::string& given) const;
  Result<ingest::ProfileLayout> look_at(const std::string& given) const;
  Result<std::vector<std::filesystem::path>> find_graphs(const std::vector<std::string>& given) const;
  static void keep_graphs(const OpenProfile& before, OpenProfile& made);
  /// Where the profile of that id lies, if it is open or the cache knows it. Errors: not_found `profile.unknown`.
  Result<std::string> path_of(const std::string& id, const char* where) const;
  Error unknown(const std::string& id, const std::string& why, const char* where) const;
  const PathRoots roots_;
  const store::Cache& cache_;
  mutable std::mutex mutex_;
  std::map<std::string, OpenProfilePtr> open_;
};

}  // namespace stepwise::engine
