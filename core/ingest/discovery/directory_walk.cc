#include "core/ingest/discovery/directory_walk.h"

#include <algorithm>
#include <system_error>

namespace stepwise::ingest {

namespace fs = std::filesystem;

bool DirectoryWalk::lies_inside(const fs::path& real_path) const {
  return std::mismatch(root_.begin(), root_.end(), real_path.begin(), real_path.end()).first == root_.end();
}

DirectoryEntry DirectoryWalk::look_at(const fs::directory_entry& entry) const {
  DirectoryEntry found{entry.path().filename().string(), false, ""};
  std::error_code ec;
  const bool is_link = entry.is_symlink(ec);
  const fs::file_status status = entry.status(ec);  // of what a link points to
  if (ec || !fs::exists(status)) {
    found.why_not = is_link ? "a link that leads nowhere" : "it cannot be looked at";
    found.is_forbidden = !is_link && ec == std::errc::permission_denied;
    return found;
  }
  found.is_directory = fs::is_directory(status);
  if (is_link && found.is_directory) {
    found.why_not = "a link to a directory is not followed; give the directory itself";
  } else if (!found.is_directory && !fs::is_regular_file(status)) {
    found.why_not = "it is no regular file";
  } else if (is_link) {
    const fs::path target = fs::canonical(entry.path(), ec);
    if (ec || !lies_inside(target)) found.why_not = "a link that leads out of the profile is not followed";
  }
  return found;
}

Result<std::vector<DirectoryEntry>> DirectoryWalk::list(const fs::path& directory) {
  std::vector<DirectoryEntry> entries;
  std::error_code ec;
  fs::directory_iterator it(directory, ec);
  for (; !ec && it != fs::directory_iterator(); it.increment(ec)) {
    is_cut_ = is_cut_ || entries_seen_ == most_names_;
    if (is_cut_) break;
    ++entries_seen_;
    if (it->path().filename().native().starts_with('.')) continue;
    entries.push_back(look_at(*it));
    // Its names may be read, but not what they stand for: then neither may any other in it.
    if (entries.back().is_forbidden) ec = std::make_error_code(std::errc::permission_denied);
    if (ec) break;
  }
  if (ec) {
    return Error{ErrorKind::io, "profile.unreadable", "The directory cannot be read: " + ec.message() + ".",
                 "Check that you may read it.", directory.string()};
  }
  std::sort(entries.begin(), entries.end(),
            [](const DirectoryEntry& a, const DirectoryEntry& b) { return a.name < b.name; });
  return entries;
}

}  // namespace stepwise::ingest
