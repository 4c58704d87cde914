#include "core/ingest/discovery/discovery.h"

#include <algorithm>
#include <utility>

#include "core/ingest/discovery/directory_set.h"
#include "core/ingest/discovery/entries.h"
#include "core/ingest/discovery/format_detect.h"

namespace stepwise::ingest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kIsDirectory = "it is a directory, not a file";

/// A table, timeline or database that an exporter left under a name that tells nothing.
bool is_of_export(const SourceFile& file) {
  const fs::path path(file.path);
  const std::string folder = path.parent_path().filename().string(), end = path.extension().string();
  return (folder == kTorchOutput || folder == kMsprofOutput) && file.kind == FileKind::not_understood &&
         (end == ".csv" || end == ".json" || end == ".db");
}

const DirectoryEntry* find_directory(const std::vector<DirectoryEntry>& entries, const char* name) {
  for (const DirectoryEntry& entry : entries) {
    if (entry.is_directory && entry.name == name) return &entry;
  }
  return nullptr;
}

bool is_torch_run(const std::string& name) { return name.ends_with("_ascend_pt"); }
bool is_mindspore_run(const std::string& name) { return name.ends_with("_ascend_ms"); }
/// Where collectors and exporters write: large, and no place for graph dumps.
bool is_of_profiler(const std::string& name) {
  return name == "FRAMEWORK" || name == "host" || name == kTorchOutput || name == kMsprofOutput ||
         name.starts_with("PROF_") || name.starts_with("device_");
}

}  // namespace

Result<void> Discovery::search(const std::string& directory, int depth) {
  auto listed = walk_.list(walk_.root() / directory);
  if (!listed.ok()) {
    if (depth == 0) return listed.take_error();
    findings.add_broken(directory, listed.error().message);
    note(directory, listed.error().message);
    tell_unreadable_directory(directory);
    return {};
  }
  const Entries& entries = listed.value();
  // Of a directory that was cut nobody knows whether it is a run, and what it lacks.
  if (!is_cut_at(directory) && claim_whole(directory, entries, depth)) return {};

  const size_t runs_before = runs.size();
  for (const DirectoryEntry& entry : entries) {
    if (!entry.is_directory) continue;
    const std::string path = joined(directory, entry.name);
    if (!entry.why_not.empty()) {
      note(path, entry.why_not);
    } else if (depth < limits::kMaxProfileDepth) {
      const size_t before = found_so_far();
      SW_RETURN_IF_ERROR(search(path, depth + 1));
      if (found_so_far() == before && !walk_.is_cut() && is_content(kind_of_name(entry.name)))
        tell_unreadable(path, kIsDirectory);
    } else {
      note(path, "too deep below the profile: open it by its path");
      remarks.add("profile.too_deep", "Directories too deep below the profile were not looked into.", path);
    }
  }
  take_loose(directory, entries, runs.size() == runs_before);
  const fs::path full = directory.empty() ? walk_.root() : walk_.root() / directory;
  const std::string name = full.filename().string();
  if (name.starts_with("PROF_") && runs.size() == runs_before && !walk_.is_cut() &&
      find_directory(entries, "host") != nullptr) {
    tell_raw(Foreign::msprof_raw, directory);
  }
  return {};
}

void Discovery::leave_out(const std::vector<fs::path>& directories) {
  DirectorySet left;
  for (const fs::path& directory : directories) left.add(directory);
  const auto is_left = [&](const std::string& path) {
    // A run may lie in the root itself, whose own path is "".
    return left.holds(path.empty() ? walk_.root() : walk_.root() / path);
  };
  for (const FoundRun& run : runs) {
    if (is_left(run.files.dir)) note(run.files.dir, "another run: open it by its path");
  }
  std::erase_if(runs, [&](const FoundRun& run) { return is_left(run.files.dir); });
  std::erase_if(graphs, [&](const SourceFile& file) { return is_left(file.path); });
  std::erase_if(clusters, [&](const auto& analysis) { return is_left(analysis.first); });
}

/// A directory that is one run, as its name or its parts say.
bool Discovery::claim_whole(const std::string& directory, const Entries& entries, int depth) {
  const fs::path full = directory.empty() ? walk_.root() : walk_.root() / directory;
  const std::string name = full.filename().string();
  if (const DirectoryEntry* output = find_directory(entries, kTorchOutput); output != nullptr) {
    if (output->why_not.empty()) {
      claim_torch(directory, entries, depth);
      return true;
    }
    findings.add_broken(joined(directory, kTorchOutput), output->why_not);
  }
  if (is_torch_run(name) || is_mindspore_run(name)) {
    if (has_family(entries, Family::torch_npu)) {
      claim_torch(directory, entries, depth);
    } else {
      tell_raw(is_torch_run(name) ? Foreign::torch_npu_raw : Foreign::mindspore_raw, directory);
      take_graphs_below(directory, entries, depth);
    }
    return true;
  }
  if (const DirectoryEntry* output = find_directory(entries, kMsprofOutput); output != nullptr) {
    if (output->why_not.empty()) {
      claim_msprof(directory, entries, depth);
      return true;
    }
    findings.add_broken(joined(directory, kMsprofOutput), output->why_not);
  } else if (find_directory(entries, "host") != nullptr && has_family(entries, Family::msprof)) {
    claim_msprof(directory, entries, depth);  // a recording that was exported into a database only
    return true;
  }
  return false;
}

/// Too many names: then what was looked at last is not whole. Told once for each.
bool Discovery::is_cut_at(const std::string& directory) {
  if (walk_.is_cut()) {
    remarks.add("profile.too_many_names",
                "Directories were not looked into, or not to their end, since there are too many names in all: runs in "
                "them are missing. Open a directory further down.",
                directory.empty() ? "." : directory);
  }
  return walk_.is_cut();
}

/// The files in a run's directory and in its ASCEND_PROFILER_OUTPUT.
void Discovery::claim_torch(const std::string& directory, const Entries& entries, int depth) {
  std::vector<SourceFile> files;
  add_files(directory, entries, files);
  if (find_directory(entries, kTorchOutput) != nullptr) add_files_of(joined(directory, kTorchOutput), files);
  if (is_cut_at(directory)) return;
  const fs::path full = directory.empty() ? walk_.root() : walk_.root() / directory;
  claim(is_mindspore_run(full.filename()) ? ProfileKind::mindspore : ProfileKind::torch_npu, directory,
        std::move(files));
  take_graphs_below(directory, entries, depth);
}

/// mindstudio_profiler_output, and what the host and the devices say of themselves beside it.
void Discovery::claim_msprof(const std::string& directory, const Entries& entries, int depth) {
  std::vector<SourceFile> files;
  add_files(directory, entries, files);
  for (const DirectoryEntry& entry : entries) {
    const bool is_part = entry.name == kMsprofOutput || entry.name == "host" || entry.name.starts_with("device_");
    if (entry.is_directory && entry.why_not.empty() && is_part) add_files_of(joined(directory, entry.name), files);
  }
  if (is_cut_at(directory)) return;
  // Collectors leave hundreds of files of their own there, which say nothing to anybody.
  std::erase_if(files, [&](const SourceFile& file) {
    const bool is_output = file.path.find(kMsprofOutput) != std::string::npos;
    return !is_output && file.kind == FileKind::not_understood;
  });
  claim(ProfileKind::msprof, directory, std::move(files));
  take_graphs_below(directory, entries, depth);
}

void Discovery::claim(ProfileKind kind, const std::string& directory, std::vector<SourceFile> files) {
  // Dumps that lie among the files are the profile's, not the run's.
  std::erase_if(files, [&](SourceFile& file) {
    const bool is_graph = family_of(file.kind, fs::path(file.path).filename().native()) == Family::graph;
    if (is_graph) graphs.push_back(std::move(file));
    return is_graph;
  });
  if (std::none_of(files.begin(), files.end(), is_usable_content)) {
    const bool is_torch = kind == ProfileKind::torch_npu;
    refuse(directory, std::move(files),
           is_torch                         ? Foreign::torch_npu_raw
           : kind == ProfileKind::mindspore ? Foreign::mindspore_raw
                                            : Foreign::msprof_raw);
    return;
  }
  FoundRun run;
  run.kind = kind;
  run.files.dir = directory;
  run.files.files = std::move(files);
  runs.push_back(std::move(run));
}

void Discovery::refuse(const std::string& directory, std::vector<SourceFile> files, Foreign if_nothing) {
  bool found_something = false, was_exported = false;
  for (SourceFile& file : files) {
    was_exported |= is_of_export(file);
    const bool is_broken = is_content(file.kind) || file.state == FileState::unreadable;
    if (is_broken) findings.add_broken(file.path, file.why_not);
    found_something |= is_broken;
    if (unclaimed.size() < limits::kMaxFilesListed) unclaimed.push_back(std::move(file));
  }
  if (!found_something && !was_exported) return tell_raw(if_nothing, directory);
  if (!found_something) findings.add(Foreign::unknown_export, directory.empty() ? "." : directory);
  remarks.add("profile.unreadable_run", "Runs were left out, since nothing in them can be read.",
              directory.empty() ? "." : directory);
}

void Discovery::tell_raw(Foreign foreign, const std::string& directory) {
  const std::string where = directory.empty() ? "." : directory;
  findings.add(foreign, where);
  remarks.add("profile.not_analysed", "Recordings that were not analysed were left out.", where);
}

void Discovery::tell_unreadable(const std::string& path, const std::string& why) {
  findings.add_broken(path, why);
  note(path, why);
  remarks.add("profile.unreadable_file", "Files that may be ranks could not be read.", path);
}

void Discovery::tell_unreadable_directory(const std::string& path) {
  remarks.add("profile.unreadable_directory",
              "Directories could not be read; ranks or graph dumps in them are missing.", path);
}

void Discovery::take_graphs_below(const std::string& directory, const Entries& entries, int depth) {
  for (const DirectoryEntry& entry : entries) {
    if (!entry.is_directory || !entry.why_not.empty() || is_of_profiler(entry.name) ||
        depth >= limits::kMaxProfileDepth)
      continue;
    const std::string path = joined(directory, entry.name);
    const auto inner = walk_.list(walk_.root() / path);
    if (!inner.ok()) {
      note(path, inner.error().message);
      tell_unreadable_directory(path);
      continue;
    }
    for (const DirectoryEntry& one : inner.value()) {
      const FileKind kind = kind_of_name(one.name);
      if (one.is_directory || family_of(kind, one.name) != Family::graph) continue;
      graphs.push_back(look_at(joined(path, one.name), one, kind));
    }
    take_graphs_below(path, inner.value(), depth + 1);
  }
}

void Discovery::add_files(const std::string& directory, const Entries& entries, std::vector<SourceFile>& files) {
  for (DirectoryEntry entry : entries) {
    const FileKind kind = kind_of_name(entry.name);
    // Without a word about it, its run would seem to lack the file, or not to be there.
    if (entry.is_directory && !is_content(kind)) continue;
    if (entry.is_directory && entry.why_not.empty()) entry.why_not = kIsDirectory;
    files.push_back(look_at(joined(directory, entry.name), entry, kind));
  }
}

void Discovery::add_files_of(const std::string& directory, std::vector<SourceFile>& files) {
  const auto listed = walk_.list(walk_.root() / directory);
  if (listed.ok()) {
    add_files(directory, listed.value(), files);
  } else {
    // As one of its run's files: if there is no other, the run is told to be unreadable.
    SourceFile unread;
    unread.path = directory;
    unread.state = FileState::unreadable;
    unread.why_not = listed.error().message;
    files.push_back(std::move(unread));
    tell_unreadable_directory(directory);
  }
}

/// By name, else by content for the first so many files that may have any name. What cannot be looked into gets its
/// reason: it may well be a rank.
FileKind Discovery::kind_of(const std::string& path, DirectoryEntry& entry) {
  const FileKind kind = kind_of_name(entry.name);
  if (kind != FileKind::not_understood || !entry.why_not.empty() || !may_hold_content(entry.name)) return kind;
  if (sniffed_++ >= limits::kMaxFilesSniffed) {
    entry.why_not = "more files of any name than are looked into: open it by its path";
    remarks.add("profile.too_many_files", "Files of any name were not looked into, since there are too many.", path);
    return kind;
  }
  auto found = kind_of_content(walk_.root() / path);
  if (found.ok()) return found.value();
  entry.why_not = "it cannot be read: " + found.error().message;
  remarks.add("profile.unreadable_file", "Files that may be ranks could not be read.", path);
  findings.add_broken(path, entry.why_not);
  return kind;
}

SourceFile Discovery::look_at(const std::string& path, const DirectoryEntry& entry, FileKind kind) const {
  SourceFile file;
  if (entry.why_not.empty()) {
    file = detect(walk_.root() / path, kind);
  } else {
    file.kind = kind;
    file.state = FileState::unreadable;
    file.why_not = entry.why_not;
  }
  file.path = path;
  return file;
}

void Discovery::note(const std::string& path, const std::string& why_not) {
  if (unclaimed.size() >= limits::kMaxFilesListed) return;
  SourceFile file;
  file.path = path;
  file.why_not = why_not;
  unclaimed.push_back(std::move(file));
}

}  // namespace stepwise::ingest
