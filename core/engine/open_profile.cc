#include "core/engine/open_profile.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <system_error>

#include "core/base/hash.h"

namespace stepwise::engine {
namespace {

namespace fs = std::filesystem;

bool looks_like_id(const std::string& text) {
  return text.size() == 9 && text[0] == 'p' &&
         std::all_of(text.begin() + 1, text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

bool lies_under(const fs::path& path, const fs::path& root) {
  const auto [end, unused] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return end == root.end();
}

}  // namespace

const ingest::RankLayout* OpenProfile::find_rank(uint32_t rank) const {
  for (const ingest::RankLayout& one : layout.ranks) {
    if (one.rank == rank) return &one;
  }
  return nullptr;
}

std::string profile_id(const fs::path& real_path) {
  char text[16];
  std::snprintf(text, sizeof text, "p%08x", static_cast<uint32_t>(hash64(real_path.native()) >> 32));
  return text;
}

Sessions::Sessions(std::vector<fs::path> roots, const store::Cache& cache) : cache_(cache) {
  for (fs::path& root : roots) {
    std::error_code ec;
    fs::path real = fs::canonical(root, ec);
    roots_.push_back(ec ? std::move(root) : std::move(real));
  }
}

Result<void> Sessions::check_roots(const fs::path& real_path) const {
  if (roots_.empty()) return {};
  for (const fs::path& root : roots_) {
    if (lies_under(real_path, root)) return {};
  }
  std::string allowed;
  for (const fs::path& root : roots_) allowed += (allowed.empty() ? "" : ", ") + root.string();
  return Error{ErrorKind::not_found, "profile.outside_roots",
               "The path lies outside the directories that this server may read (" + allowed + ").",
               "Start the server with --root DIR for another directory.", real_path.string()};
}

/// Confinement is checked on the real path and before anything below it is read: links lead nowhere.
Result<fs::path> Sessions::inside_roots(const std::string& path, const char* where) const {
  if (path.find('\0') != std::string::npos) {
    // The file system would read the path up to there: another one than was asked for.
    return Error{ErrorKind::not_found, "profile.missing", "A path cannot hold a NUL character.", "", where};
  }
  std::error_code ec;
  const fs::path real = fs::canonical(path, ec);
  if (ec) return fs::path(path);  // whoever reads it will say that it is missing
  SW_RETURN_IF_ERROR(check_roots(real));
  return real;
}

/// What was added before stays; a dump that is gone must not close the profile to everybody.
void Sessions::keep_graphs(const OpenProfile& before, OpenProfile& made) {
  for (const fs::path& graph : before.graphs) {
    if (auto added = ingest::add_graphs(made.layout, {graph}); added.ok()) {
      made.graphs.push_back(graph);
    } else {
      made.layout.remarks.push_back({"graph.gone", "A graph dump that was added is gone: " + graph.string() + "."});
    }
  }
}

Result<OpenProfilePtr> Sessions::open(const std::string& path, const OpenOptions& options) {
  SW_RETURN_IF_ERROR(inside_roots(path, "/path"));
  SW_ASSIGN_OR_RETURN(ingest::ProfileLayout layout, ingest::discover(path));
  SW_RETURN_IF_ERROR(check_roots(layout.root));
  auto made = std::make_shared<OpenProfile>();
  made->id = profile_id(layout.opened);
  made->layout = std::move(layout);
  OpenProfilePtr before;
  {
    const std::lock_guard lock(mutex_);
    if (const auto it = open_.find(made->id); it != open_.end()) before = it->second;
  }
  if (!options.declare.is_null()) {
    made->declare = options.declare;
  } else if (before != nullptr) {
    made->declare = before->declare;
  }
  if (options.graphs) {
    for (const std::string& graph : *options.graphs) {
      SW_ASSIGN_OR_RETURN(fs::path real, inside_roots(graph, "/graphs"));
      made->graphs.push_back(std::move(real));
    }
    SW_RETURN_IF_ERROR(ingest::add_graphs(made->layout, made->graphs));
  } else if (before != nullptr) {
    keep_graphs(*before, *made);
  }
  const std::lock_guard lock(mutex_);
  return open_[made->id] = std::move(made);
}

Result<OpenProfilePtr> Sessions::resolve(const std::string& id_or_path) {
  {
    const std::lock_guard lock(mutex_);
    if (id_or_path.empty()) {
      if (open_.size() == 1) return open_.begin()->second;
      std::string ids;
      for (const auto& [id, one] : open_) ids += (ids.empty() ? "" : ", ") + id;
      return Error{ErrorKind::usage, "profile.which",
                   open_.empty() ? "No profile is open." : "Several profiles are open: " + ids + ".",
                   "Pass `profile`: an id from open_profile, or a path.", "/profile"};
    }
    if (const auto it = open_.find(id_or_path); it != open_.end()) return it->second;
  }
  if (!looks_like_id(id_or_path)) return open(id_or_path);
  for (const store::CacheEntry& entry : cache_.list()) {
    if (entry.profile_id == id_or_path) return open(entry.profile_path);
  }
  return Error{ErrorKind::not_found, "profile.unknown", "No profile with the id " + id_or_path + " is known.",
               "Call open_profile with its path.", "/profile"};
}

Result<OpenProfilePtr> Sessions::refresh(const OpenProfile& profile) { return open(profile.layout.opened.string()); }

bool Sessions::close(const std::string& id) {
  const std::lock_guard lock(mutex_);
  return open_.erase(id) != 0;
}

std::vector<OpenProfilePtr> Sessions::list() const {
  const std::lock_guard lock(mutex_);
  std::vector<OpenProfilePtr> all;
  for (const auto& [id, one] : open_) all.push_back(one);
  return all;
}

}  // namespace stepwise::engine
