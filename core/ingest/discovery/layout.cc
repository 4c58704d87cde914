#include "core/ingest/discovery/layout.h"

#include <algorithm>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "core/base/limits.h"
#include "core/ingest/discovery/cluster_choice.h"
#include "core/ingest/discovery/db_choice.h"
#include "core/ingest/discovery/discovery.h"
#include "core/ingest/discovery/format_detect.h"
#include "core/ingest/discovery/graph_choice.h"
#include "core/ingest/discovery/kernel_choice.h"
#include "core/ingest/discovery/msprof_choice.h"
#include "core/ingest/discovery/rank_number.h"
#include "core/ingest/discovery/recording_choice.h"
#include "core/ingest/discovery/remarks.h"
#include "core/ingest/discovery/run_choice.h"
#include "core/ingest/discovery/separate_runs.h"

namespace stepwise::ingest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWhatCanBeOpened =
    "Stepwise opens what torch_npu's profiler (*_ascend_pt), MindSpore's (*_ascend_ms; before 2.4 profiler) and msprof "
    "(PROF_*) exported as "
    "text or databases, Kineto traces (*.pt.trace.json) and graph dumps (ge_proto_*.txt, ge_onnx_*.pbtxt, "
    "ge_readable_*.txt, "
    "output_code.py, "
    "fx_graph_*.py, execution traces), and cluster_analysis_output: give a directory with any of them, or a file.";

/// Of several files of one kind in a run, one is read: the first usable one, as ordered here.
void choose_among(std::vector<SourceFile>& files) {
  const auto before = [](const SourceFile& a, const SourceFile& b) {
    // A profiler_info that names its rank says more than one that does not; an inflated file needs no inflating.
    const auto rank_a = rank_in_name(a.path), rank_b = rank_in_name(b.path);
    if (a.kind == b.kind && rank_a != rank_b) return rank_b ? rank_a && *rank_a < *rank_b : rank_a.has_value();
    return !a.gzip && b.gzip;
  };
  std::stable_sort(files.begin(), files.end(), before);
  std::map<FileKind, const SourceFile*> chosen;
  for (SourceFile& file : files) {
    if (file.state != FileState::usable) continue;
    const auto [it, is_first] = chosen.emplace(file.kind, &file);
    if (is_first) continue;
    file.state = FileState::not_used;
    file.why_not = it->second->path + " is read instead";
  }
}

void choose_files(ProfileKind kind, const fs::path& root, std::vector<SourceFile>& files, Remarks& remarks) {
  if (kind == ProfileKind::msprof) {
    choose_exports(root, files, remarks);
  } else {
    choose_among(files);
  }
  choose_kernels(files);
  choose_databases(kind, files, remarks);
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
}

const char* framework_of(ProfileKind kind, const std::vector<SourceFile>& graphs) {
  switch (kind) {
    case ProfileKind::torch_npu:
    case ProfileKind::kineto:
      return "pytorch";
    case ProfileKind::mindspore:
      return "mindspore";
    case ProfileKind::msprof:
      return "unknown";
    case ProfileKind::graph_only:
      break;
  }
  const bool is_ge = std::any_of(graphs.begin(), graphs.end(), [](const SourceFile& file) {
    return file.kind == FileKind::ge_proto || file.kind == FileKind::ge_onnx || file.kind == FileKind::ge_readable;
  });
  return is_ge ? "ge" : "pytorch";
}

/// How much of a run's recording there is to read: msprof is often run once for each group of hardware counters.
struct Worth {
  bool has_kernels = false;
  bool has_pipes = false;  // the counters that say what bounds a kernel
  size_t kinds = 0;
  uint64_t bytes = 0;
  friend auto operator<=>(const Worth&, const Worth&) = default;
};

Worth worth_of(const fs::path& root, const RankLayout& run) {
  constexpr size_t kHeaderBytes = 4096;
  Worth worth;
  std::set<FileKind> kinds;
  for (const SourceFile& file : run.files) {
    if (file.state != FileState::usable || !is_content(file.kind)) continue;
    kinds.insert(file.kind);
    worth.bytes += file.bytes;
    if (file.kind != FileKind::op_summary) continue;
    worth.has_kernels = true;
    const auto header = first_bytes(root / file.path, kHeaderBytes);
    worth.has_pipes |= header.ok() && header.value().find("mte2_ratio") != std::string::npos;
  }
  worth.kinds = kinds.size();
  return worth;
}

/// Of several recordings of one device the richest stands for it.
void keep_richest(const fs::path& root, std::vector<RankLayout>& runs,
                  std::vector<std::pair<std::string, std::string>>& left) {
  std::map<uint32_t, std::pair<Worth, size_t>> best;
  std::vector<uint32_t> devices;
  for (size_t i = 0; i < runs.size(); ++i) {
    devices.push_back(claimed_rank(ProfileKind::msprof, root, runs[i]).value_or(0));
    const Worth worth = worth_of(root, runs[i]);
    const auto [it, is_first] = best.emplace(devices[i], std::pair{worth, i});
    if (!is_first && worth > it->second.first) it->second = {worth, i};
  }
  std::vector<RankLayout> kept;
  for (size_t i = 0; i < runs.size(); ++i) {
    const size_t chosen = best.at(devices[i]).second;
    if (chosen == i) {
      kept.push_back(std::move(runs[i]));
    } else {
      left.emplace_back(runs[i].dir, "another recording of the same device, with other counters: open it by its path");
    }
  }
  runs = std::move(kept);
}

/// The rank that the graph dump was made on, else the lowest.
RankLayout& rank_of(const SourceFile& graph, ProfileLayout& layout) {
  if (graph.kind == FileKind::execution_trace) {
    const auto rank = rank_in_execution_trace_name(graph.path);
    const auto found = std::find_if(layout.ranks.begin(), layout.ranks.end(),
                                    [&](const RankLayout& one) { return rank && one.rank == *rank; });
    if (found != layout.ranks.end()) return *found;
  }
  return layout.ranks.front();
}

/// What is beyond the bound is listed, not read.
void give_graphs(std::vector<SourceFile> graphs, ProfileLayout& layout) {
  std::sort(graphs.begin(), graphs.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  Remarks remarks;
  for (size_t i = 0; i < graphs.size(); ++i) {
    if (i >= limits::kMaxGraphFiles) {
      graphs[i].state = FileState::not_used;
      graphs[i].why_not = "more than " + std::to_string(limits::kMaxGraphFiles) + " graph dumps: open it by its path";
      remarks.add("graph.too_many", "Graph dumps were not read, since there are too many.", graphs[i].path);
    }
    RankLayout& rank = rank_of(graphs[i], layout);
    rank.files.push_back(std::move(graphs[i]));
  }
  for (LayoutRemark& one : remarks.list()) layout.remarks.push_back(std::move(one));
}

/// One cluster analysis goes to the lowest rank, or stands for a profile without ranks' files.
void give_cluster(Discovery& found, ProfileLayout& layout, bool is_alone) {
  const auto chosen = choose_cluster(found.clusters);
  for (auto it = found.clusters.begin(); it != found.clusters.end(); ++it) {
    if (it == chosen) continue;
    for (const SourceFile& file : it->second) {
      found.note(file.path,
                 file.why_not.empty() ? "another cluster analysis is read: open it by its path" : file.why_not);
    }
  }
  if (chosen == found.clusters.end()) return;
  RankLayout& rank = layout.ranks.front();
  if (is_alone) rank.rank = lowest_rank_named(layout.root, chosen->second).value_or(0);
  RankLayout analysis;
  analysis.files = chosen->second;
  choose_among(analysis.files);
  const bool adds = adds_tables(layout.kind, analysis, FileKind::cluster_db);
  for (SourceFile& file : analysis.files) {
    if (file.kind == FileKind::cluster_db && file.state == FileState::usable && !adds) {
      file.state = FileState::not_used;
      file.why_not = "the text files of the same analysis are read instead";
    }
    rank.files.push_back(std::move(file));
  }
}

void tell_claims(ProfileLayout& layout) {
  Remarks remarks;
  for (const RankLayout& rank : layout.ranks) {
    if (!rank.claimed) continue;
    remarks.add(
        "rank.duplicate", "Runs claim a rank that another run has, and got the next free number.",
        rank.dir + " claims " + std::to_string(*rank.claimed) + " and is shown as " + std::to_string(rank.rank));
  }
  for (LayoutRemark& one : remarks.list()) layout.remarks.push_back(std::move(one));
}

Error nothing_found(const Discovery& found, const fs::path& asked_for) {
  std::string text = found.findings.text();
  if (text.empty()) {
    text = " None of the " + std::to_string(found.walk().entries_seen()) + " names in it is a profiler's.";
  }
  if (found.walk().is_cut()) text += " There are more names, which were not looked at.";
  return Error{ErrorKind::not_found, "profile.none", "It holds no profile that can be opened." + text,
               found.findings.remedies() + kWhatCanBeOpened, asked_for.string()};
}

Result<ProfileLayout> to_layout(Discovery found, const fs::path& asked_for) {
  ProfileLayout layout;
  layout.root = found.walk().root();
  layout.opened = layout.root;
  const bool has_graph = std::any_of(found.graphs.begin(), found.graphs.end(),
                                     [](const SourceFile& file) { return file.state == FileState::usable; });
  const bool has_cluster = choose_cluster(found.clusters) != found.clusters.end();
  if (found.runs.empty() && !has_graph && !has_cluster) {
    for (const SourceFile& graph : found.graphs) found.findings.add_broken(graph.path, graph.why_not);
    for (const auto& [directory, files] : found.clusters) {
      for (const SourceFile& file : files) found.findings.add_broken(file.path, file.why_not);
    }
    return nothing_found(found, asked_for);
  }
  // torch_npu's are what cluster analyses are mostly about; which profiler it was they do not say.
  const bool is_cluster_alone = found.runs.empty() && !has_graph;
  layout.kind = is_cluster_alone ? ProfileKind::torch_npu : ProfileKind::graph_only;
  for (const ProfileKind kind :
       {ProfileKind::kineto, ProfileKind::msprof, ProfileKind::mindspore, ProfileKind::torch_npu}) {
    if (std::any_of(found.runs.begin(), found.runs.end(), [kind](const auto& run) { return run.kind == kind; })) {
      layout.kind = kind;
    }
  }
  for (FoundRun& run : found.runs) {
    if (run.kind != layout.kind) {
      found.note(run.files.dir, beside_another(run.kind));
      continue;
    }
    choose_files(run.kind, layout.root, run.files.files, found.remarks);
    layout.ranks.push_back(std::move(run.files));
  }
  if (layout.kind == ProfileKind::msprof) {
    std::vector<std::pair<std::string, std::string>> left;
    keep_richest(layout.root, layout.ranks, left);
    for (const auto& [dir, why] : left) found.note(dir, why);
  }
  if (layout.ranks.empty()) layout.ranks.emplace_back();  // graphs or a cluster analysis alone
  number_ranks(layout.kind, layout.root, layout.ranks);
  layout.remarks = found.remarks.list();
  for (const SourceFile& other : keep_one_recording(layout)) found.note(other.path, other.why_not);
  layout.framework = is_cluster_alone ? "unknown" : framework_of(layout.kind, found.graphs);
  give_cluster(found, layout, is_cluster_alone);
  tell_claims(layout);
  prefer_generated_code(found.graphs);
  give_graphs(std::move(found.graphs), layout);
  layout.unclaimed = std::move(found.unclaimed);
  return layout;
}

/// The directory that a path stands for: of a file its own, and of an exporter's output the run's.
fs::path root_of(const fs::path& real, bool is_file) {
  const fs::path directory = is_file ? real.parent_path() : real;
  const bool is_output = directory.filename() == kTorchOutput || directory.filename() == kMsprofOutput;
  return is_output && directory.has_parent_path() ? directory.parent_path() : directory;
}

/// A trace or a graph dump is a profile by itself; not_understood: the file is neither. Errors: it cannot be read.
Result<FileKind> alone_kind(const fs::path& file) {
  FileKind kind = kind_of_name(file.filename().native());
  if (kind == FileKind::not_understood) {
    SW_ASSIGN_OR_RETURN(kind, kind_of_content(file));
  }
  const Family family = family_of(kind, file.filename().native());
  return family == Family::kineto || family == Family::graph ? kind : FileKind::not_understood;
}

Result<ProfileLayout> single_file(const fs::path& real, FileKind kind) {
  SourceFile file = detect(real, kind);
  file.path = real.filename().string();
  if (file.state != FileState::usable) {
    return Error{ErrorKind::not_found, "profile.none", "It cannot be used: " + file.why_not + ".", kWhatCanBeOpened,
                 real.string()};
  }
  ProfileLayout layout;
  layout.root = real.parent_path();
  layout.opened = real;
  layout.kind = kind == FileKind::kineto_trace ? ProfileKind::kineto : ProfileKind::graph_only;
  layout.framework = framework_of(layout.kind, {file});
  layout.ranks.emplace_back().files.push_back(std::move(file));
  number_ranks(layout.kind, layout.root, layout.ranks);
  return layout;
}

Error not_of_a_rank(const fs::path& file) {
  return Error{ErrorKind::not_found, "profile.none", "It is no file of a profile that can be opened.", kWhatCanBeOpened,
               file.string()};
}

Result<ProfileLayout> discover_in(const fs::path& root, const fs::path& asked_for,
                                  const std::vector<fs::path>& left_out = {}) {
  Discovery found(root);
  SW_RETURN_IF_ERROR(found.search());
  found.leave_out(left_out);
  return to_layout(std::move(found), asked_for);
}

/// A directory's, or that of the one run in it that is opened.
Result<ProfileLayout> discover_run(const fs::path& root, const fs::path& asked_for) {
  SW_ASSIGN_OR_RETURN(ProfileLayout all, discover_in(root, asked_for));
  return choose_run(std::move(all), [&](const fs::path& run, const std::vector<fs::path>& left_out) {
    return left_out.empty() ? discover_run(run, asked_for) : discover_in(run, asked_for, left_out);
  });
}

}  // namespace

Result<ProfileLayout> discover(const fs::path& path) {
  std::error_code ec;
  const fs::path real = fs::canonical(path, ec);
  if (ec) {
    return Error{ErrorKind::not_found, "profile.missing", "The path cannot be found: " + ec.message() + ".",
                 kWhatCanBeOpened, path.string()};
  }
  const bool is_directory = fs::is_directory(real, ec);
  if (!is_directory && !fs::is_regular_file(real, ec)) {
    return Error{ErrorKind::not_found, "profile.none", "It is neither a directory nor a regular file.",
                 kWhatCanBeOpened, path.string()};
  }
  const fs::path root = root_of(real, !is_directory);
  if (is_directory) return discover_run(root, path);
  SW_ASSIGN_OR_RETURN(const FileKind alone, alone_kind(real));
  if (alone != FileKind::not_understood) return single_file(real, alone);
  // Any other file opens the run that it belongs to; beside other runs it is none.
  Result<ProfileLayout> layout = discover_in(root, path);
  if (layout.ok()) tell_mixed_runs(layout.value());
  const std::string relative = real.lexically_relative(root).string();
  if (layout.ok()) {
    for (const RankLayout& rank : layout.value().ranks) {
      for (const SourceFile& file : rank.files) {
        if (file.path == relative) return layout;
      }
    }
  } else if (kind_of_name(real.filename().native()) != FileKind::not_understood) {
    return layout;  // says what is wrong with it
  }
  return not_of_a_rank(real);
}

Result<void> add_graphs(ProfileLayout& layout, const std::vector<fs::path>& paths) {
  std::vector<SourceFile> graphs;
  for (const fs::path& path : paths) {
    std::error_code ec;
    const fs::path real = fs::canonical(path, ec);
    if (ec) {
      return Error{ErrorKind::not_found, "profile.missing", "The path cannot be found: " + ec.message() + ".", "",
                   path.string()};
    }
    std::vector<SourceFile> found;
    if (fs::is_directory(real, ec)) {
      Discovery discovery(real);
      SW_RETURN_IF_ERROR(discovery.search());
      found = std::move(discovery.graphs);
      for (SourceFile& file : found) file.path = (real / file.path).string();
    } else {
      SW_ASSIGN_OR_RETURN(const FileKind kind, alone_kind(real));
      if (kind != FileKind::not_understood && kind != FileKind::kineto_trace) {
        found.push_back(detect(real, kind));
        found.back().path = real.string();
      }
    }
    if (found.empty()) {
      return Error{ErrorKind::not_found, "graph.none", "It is no graph dump, and holds none.",
                   "Graph dumps are ge_proto_*.txt, ge_onnx_*.pbtxt, ge_readable_*.txt, output_code.py, fx_graph_*.py "
                   "and execution traces.",
                   path.string()};
    }
    for (SourceFile& file : found) graphs.push_back(std::move(file));
  }
  give_graphs(std::move(graphs), layout);
  return {};
}

}  // namespace stepwise::ingest
