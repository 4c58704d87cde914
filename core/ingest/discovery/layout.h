// What lies in a profile directory: its kind, its ranks, and what each file is. Reads names and first bytes only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "stepwise/table.hpp"

namespace stepwise::ingest {

enum class ProfileKind : uint8_t { torch_npu, msprof, mindspore, kineto, graph_only };
const char* to_string(ProfileKind kind);

enum class FileKind : uint8_t {
  kernel_details,
  step_trace_time,
  op_statistic,
  api_statistic,
  operator_details,
  communication,
  profiler_info,
  profiler_metadata,
  trace_view,
  communication_matrix,
  op_summary,
  step_trace,
  msprof_trace,
  msprof_info,
  profiler_db,
  analysis_db,
  ms_operator_types,  // of MindSpore before 2.4, as the others that begin so
  ms_operator_names,
  ms_aicpu,
  ms_timeline,
  ms_display,  // a picture of the timeline
  ms_steps,
  ms_framework,
  ms_cluster_steps,
  ms_hccl,
  cluster_step_trace,  // of cluster_analysis_output, as the others that begin so
  cluster_communication,
  cluster_matrix,
  cluster_groups,
  cluster_db,
  kineto_trace,
  ge_proto,
  ge_onnx,
  ge_readable,
  fx_graph,
  inductor_code,
  execution_trace,
  memory_record,
  operator_memory,
  npu_module_mem,
  npu_mem,
  static_op_mem,
  l2_cache,
  data_preprocess,
  fusion_op,
  task_time,
  core_utilization,         // of the cores that multiply matrices
  vector_core_utilization,  // of the others
  not_understood,
};
const char* to_string(FileKind kind);

enum class FileState : uint8_t {
  usable,
  empty,
  unreadable,
  wrong_format,  // its first bytes are not what its name says
  not_used,      // another file says the same, or no table takes it
};

struct SourceFile {
  std::string path;                          // relative to the profile's root
  FileKind kind = FileKind::not_understood;  // by its name
  FileState state = FileState::not_used;
  uint64_t bytes = 0;
  bool gzip = false;
  std::string why_not;  // why it is not used; empty: it is
};

struct RankLayout {
  uint32_t rank = 0;
  std::optional<uint32_t> claimed;  // the number it claims, if another directory has it
  std::string dir;                  // relative to the root; "" = the root
  std::vector<SourceFile> files;

  /// The usable file of that kind; nullptr: none.
  const SourceFile* find(FileKind kind) const;
};

/// What looking around lost or guessed, for whoever opens the profile.
struct LayoutRemark {
  std::string code, text;
};

/// A profile of its own in a directory that holds several.
struct SeparateRun {
  std::filesystem::path path;  // real
  ProfileKind kind = ProfileKind::torch_npu;
  std::vector<uint32_t> ranks;  // that its runs claim, ascending; empty: they were not looked into
  int64_t written_s = 0;        // when the last of its files was written, Unix time; 0: they were not looked into
};

struct ProfileLayout {
  ProfileKind kind = ProfileKind::torch_npu;
  std::string framework;              // pytorch, tensorflow, mindspore, ge, unknown
  std::filesystem::path root;         // real path; the files' paths are relative to it
  std::filesystem::path opened;       // what discover() makes this of again: the root, or a single trace or graph file
  std::vector<RankLayout> ranks;      // ascending
  std::vector<SourceFile> unclaimed;  // files that belong to no rank
  std::vector<LayoutRemark> remarks;  // at most one for each code
  std::vector<SeparateRun> runs;      // where a directory of several was given: each, the one that this is first
};

/// path: the directory that a run of the profiler left (or its ASCEND_PROFILER_OUTPUT, mindstudio_profiler_output, or
/// any file in one of them), a single Kineto trace or graph dump, or a directory with several runs below it. The same
/// run has the same root however it is named. Links that lead out of the root are not followed, links to directories
/// never. Of several kinds of profiles in one tree the first of torch_npu, mindspore, msprof, kineto is opened; of
/// several runs of it that are no ranks of one, what lies in the directory itself, else the one written last, as if its
/// own path had been given. The others are named (`runs`). Graph dumps anywhere below belong to the lowest rank,
/// execution traces to the rank that their names tell. One cluster_analysis_output belongs to the lowest rank; it is a
/// profile by itself, too. Errors: not_found `profile.missing` (no such path), `profile.none` (nothing that can be
/// opened: says what was looked for and found), io `profile.unreadable`.
Result<ProfileLayout> discover(const std::filesystem::path& path);

/// Gives the lowest rank the graph dumps at other paths: files, or directories with such files below.
/// Errors: not_found `profile.missing`, `graph.none` (it is no graph dump, or holds none).
Result<void> add_graphs(ProfileLayout& layout, const std::vector<std::filesystem::path>& paths);

/// Which segment of a profile of this kind holds the table.
table::Group group_of(ProfileKind kind, std::string_view table);
/// Whether a file is there that could fill the table (before anything is parsed).
bool could_have(const ProfileLayout& layout, const RankLayout& rank, std::string_view table);
/// The file whose absence explains that the table is missing, as the profile's own profiler calls it:
/// "op_statistic.csv", msprof's "op_statistic_*.csv", old MindSpore's "aicore_intermediate_*_type.csv". "": no file
/// holds it.
std::string input_for(const ProfileLayout& layout, std::string_view table);
/// Whether a table that the kind of profile's databases hold would be read from that one, since no usable text file is
/// there to fill it.
bool adds_tables(ProfileKind kind, const RankLayout& rank, FileKind database);
/// Whether the table is read from files of that kind.
bool is_input(ProfileKind profile, std::string_view table, FileKind file);

}  // namespace stepwise::ingest
