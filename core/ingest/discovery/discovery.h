// Looks through a directory for runs of every kind of profiler, and for graph dumps.
#pragma once

#include <string>
#include <vector>

#include "core/base/limits.h"
#include "core/ingest/discovery/cluster_choice.h"
#include "core/ingest/discovery/directory_walk.h"
#include "core/ingest/discovery/findings.h"
#include "core/ingest/discovery/layout.h"
#include "core/ingest/discovery/remarks.h"

namespace stepwise::ingest {

/// The directory that exporters write into, inside a run.
inline constexpr const char* kTorchOutput = "ASCEND_PROFILER_OUTPUT";
inline constexpr const char* kMsprofOutput = "mindstudio_profiler_output";

struct FoundRun {
  ProfileKind kind = ProfileKind::torch_npu;
  RankLayout files;
};

class Discovery {
 public:
  explicit Discovery(std::filesystem::path root, size_t most_names = limits::kMaxProfileEntries)
      : walk_(std::move(root), most_names) {}

  /// Errors only for the root itself: what cannot be read below it is noted.
  Result<void> search() { return search("", 0); }
  /// What was found below those directories belongs to other runs.
  void leave_out(const std::vector<std::filesystem::path>& directories);

  std::vector<FoundRun> runs;
  std::vector<SourceFile> graphs;     // usable and broken ones
  ClusterFiles clusters;              // of cluster analyses, usable and broken ones
  std::vector<SourceFile> unclaimed;  // at most limits::kMaxFilesListed
  Findings findings;
  Remarks remarks;

  const DirectoryWalk& walk() const { return walk_; }
  void note(const std::string& path, const std::string& why_not);

 private:
  using Entries = std::vector<DirectoryEntry>;
  Result<void> search(const std::string& directory, int depth);
  bool claim_whole(const std::string& directory, const Entries& entries, int depth);
  void claim_torch(const std::string& directory, const Entries& entries, int depth);
  void claim_msprof(const std::string& directory, const Entries& entries, int depth);
  void claim_legacy(const std::string& directory, std::vector<SourceFile> files);
  void claim(ProfileKind kind, const std::string& directory, std::vector<SourceFile> files);
  void refuse(const std::string& directory, std::vector<SourceFile> files, Foreign if_nothing);
  void take_loose(const std::string& directory, const Entries& entries, bool is_alone);
  std::string why_loose(const std::string& path, FileKind kind, bool is_alone);
  bool is_nobodys(const SourceFile& trace) const;
  void take_graphs_below(const std::string& directory, const Entries& entries, int depth);
  void add_files(const std::string& directory, const Entries& entries, std::vector<SourceFile>& files);
  void add_files_of(const std::string& directory, std::vector<SourceFile>& files);
  void tell_raw(Foreign foreign, const std::string& directory);
  bool is_cut_at(const std::string& directory);
  void tell_unreadable_directory(const std::string& path);
  void tell_unreadable(const std::string& path, const std::string& why);
  size_t found_so_far() const { return runs.size() + graphs.size() + clusters.size() + unclaimed.size(); }
  FileKind kind_of(const std::string& path, DirectoryEntry& entry);
  SourceFile look_at(const std::string& path, const DirectoryEntry& entry, FileKind kind) const;

  DirectoryWalk walk_;
  size_t sniffed_ = 0;
};

}  // namespace stepwise::ingest
