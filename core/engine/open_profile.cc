#include "core/engine/open_profile.h"

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "core/base/hash.h"
#include "core/base/text.h"

namespace stepwise::engine {
namespace {

namespace fs = std::filesystem;

constexpr size_t kOpenTold = 5;  // of the open profiles, to who names none of them

bool looks_like_id(const std::string& text) {
  return text.size() == 9 && text[0] == 'p' &&
         std::all_of(text.begin() + 1, text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
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

Sessions::Sessions(const std::vector<fs::path>& roots, const store::Cache& cache) : roots_(roots), cache_(cache) {}

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

Error Sessions::unknown(const std::string& id, const std::string& why, const char* where) const {
  constexpr size_t kIdsTold = 8;
  std::string hint = "Call open_profile with the profile's path.";
  const std::vector<OpenProfilePtr> known = list();
  for (size_t i = 0; i < known.size() && i < kIdsTold; ++i) hint += (i == 0 ? " Open are: " : ", ") + known[i]->id;
  if (!known.empty()) hint += known.size() > kIdsTold ? ", ..." : ".";
  return {ErrorKind::not_found, "profile.unknown", "No profile has the id " + id + why + ".", std::move(hint), where};
}

Result<std::string> Sessions::path_of(const std::string& id, const char* where) const {
  {
    const std::lock_guard lock(mutex_);
    if (const auto it = open_.find(id); it != open_.end()) return it->second->layout.opened.string();
  }
  for (const store::CacheEntry& entry : cache_.list().profiles) {
    // Of what this server may not read it does not even know that it was opened once.
    if (entry.profile_id != id || !roots_.holds(entry.profile_path)) continue;
    if (roots_.find(entry.profile_path).ok()) return entry.profile_path;
    return unknown(id, " any more: what it stood for is gone", where);
  }
  return unknown(id, "", where);
}

/// The real path of a path, or of the profile that an id stands for where nothing has that path.
Result<fs::path> Sessions::find(const std::string& given) const {
  Result<fs::path> found = roots_.find(given);
  if (found.ok() || !looks_like_id(given)) return found;
  SW_ASSIGN_OR_RETURN(const std::string path, path_of(given, "/path"));
  return roots_.find(path);
}

Result<ingest::ProfileLayout> Sessions::look_at(const std::string& given) const {
  SW_ASSIGN_OR_RETURN(const fs::path path, find(given));
  Result<ingest::ProfileLayout> layout = ingest::discover(path);
  if (!layout.ok()) {
    Error error = layout.take_error();
    error.where = told_path(given);  // not what its links lead to
    return error;
  }
  // A file opens its run, which may begin above it.
  if (!roots_.holds(layout.value().root)) return roots_.outside(given);
  return layout;
}

Result<std::vector<fs::path>> Sessions::find_graphs(const std::vector<std::string>& given) const {
  std::vector<fs::path> found;
  for (const std::string& one : given) {
    SW_ASSIGN_OR_RETURN(fs::path real, roots_.find(one));
    found.push_back(std::move(real));
  }
  return found;
}

Result<OpenProfilePtr> Sessions::open(const std::string& given, const OpenOptions& options) {
  SW_ASSIGN_OR_RETURN(ingest::ProfileLayout layout, look_at(given));
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
    SW_ASSIGN_OR_RETURN(made->graphs, find_graphs(*options.graphs));
    if (auto added = ingest::add_graphs(made->layout, made->graphs); !added.ok()) {
      Error error = added.take_error();
      for (size_t i = 0; i < made->graphs.size(); ++i) {
        if (error.where == made->graphs[i].string()) error.where = told_path((*options.graphs)[i]);
      }
      return error;
    }
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
      std::vector<std::string> told;
      for (const auto& [id, one] : open_) {
        if (told.size() == kOpenTold) break;
        told.push_back(id + " (" + told_path(one->layout.root.string()) + ")");
      }
      if (told.size() < open_.size()) told.push_back(std::to_string(open_.size() - told.size()) + " more");
      return Error{ErrorKind::usage, "profile.which",
                   open_.empty() ? "No profile is open." : "Several profiles are open: " + joined(told) + ".",
                   "Pass `profile`: an id from open_profile, or a path; list_profiles names all that are open.",
                   "/profile"};
    }
    if (const auto it = open_.find(id_or_path); it != open_.end()) return it->second;
  }
  if (!looks_like_id(id_or_path)) return open(id_or_path);
  SW_ASSIGN_OR_RETURN(const std::string path, path_of(id_or_path, "/profile"));
  return open(path);
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
