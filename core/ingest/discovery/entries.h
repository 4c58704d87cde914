// What the names in a directory tell.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/ingest/discovery/directory_walk.h"
#include "core/ingest/discovery/format_detect.h"

namespace stepwise::ingest {

inline std::string joined(const std::string& directory, const std::string& name) {
  return directory.empty() ? name : directory + "/" + name;
}

inline bool is_usable_content(const SourceFile& file) {
  return file.state == FileState::usable && is_content(file.kind);
}

/// Whether one of the files is of that family, and can fill a table.
inline bool has_family(const std::vector<DirectoryEntry>& entries, Family family) {
  return std::any_of(entries.begin(), entries.end(), [family](const DirectoryEntry& entry) {
    const FileKind kind = kind_of_name(entry.name);
    return !entry.is_directory && is_content(kind) && family_of(kind, entry.name) == family;
  });
}

}  // namespace stepwise::ingest
