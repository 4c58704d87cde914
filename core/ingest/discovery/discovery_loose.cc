// Files that lie in no run's directory: runs by themselves, graph dumps, or nothing, and then why.
#include <algorithm>
#include <map>
#include <utility>

#include "core/ingest/discovery/discovery.h"
#include "core/ingest/discovery/entries.h"
#include "core/ingest/discovery/format_detect.h"
#include "core/ingest/discovery/rank_number.h"
#include "core/ingest/discovery/unread_names.h"
#include "core/ingest/exports/mindspore_legacy.h"

namespace stepwise::ingest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNoEvents = "it holds no events, and does not say whose rank it is";

}  // namespace

/// Files without a directory of their own. is_alone: there is no run below; only then are they one themselves.
void Discovery::take_loose(const std::string& directory, const Entries& entries, bool is_alone) {
  const bool is_torch = is_alone && has_family(entries, Family::torch_npu);
  const bool is_msprof = is_alone && !is_torch && has_family(entries, Family::msprof);
  // Its files have names that nothing else has; recordings of msprof may lie below them.
  const bool is_mindspore = !is_torch && !is_msprof && has_family(entries, Family::mindspore);
  std::vector<SourceFile> files;
  for (DirectoryEntry entry : entries) {
    if (entry.is_directory) continue;
    const std::string path = joined(directory, entry.name);
    const FileKind kind = kind_of(path, entry);
    const Family family = family_of(kind, entry.name);
    if (family == Family::kineto) {
      SourceFile trace = look_at(path, entry, kind);
      if (is_usable_content(trace) && is_nobodys(trace)) {
        findings.add_broken(path, kNoEvents);
        note(path, kNoEvents);
        remarks.add("trace.no_events", "Traces without events that do not say their rank were left out.", path);
      } else if (is_usable_content(trace)) {
        claim(ProfileKind::kineto, path, {std::move(trace)});
      } else {
        tell_unreadable(path, trace.why_not);
      }
    } else if (family == Family::graph) {
      graphs.push_back(look_at(path, entry, kind));
    } else if (family == Family::cluster) {
      clusters[directory].push_back(look_at(path, entry, kind));
    } else if (is_torch || is_msprof || is_mindspore) {
      files.push_back(look_at(path, entry, kind));
    } else {
      note(path, entry.why_not.empty() ? why_loose(path, kind, is_alone) : entry.why_not);
    }
  }
  if (is_mindspore) {
    claim_legacy(directory, std::move(files));
  } else if (!files.empty()) {
    claim(is_torch ? ProfileKind::torch_npu : ProfileKind::msprof, directory, std::move(files));
  }
}

/// Why a file that lies in no run is left out.
std::string Discovery::why_loose(const std::string& path, FileKind kind, bool is_alone) {
  const std::string name = fs::path(path).filename().string();
  if (kind != FileKind::not_understood) {
    const std::string why = is_alone ? "it only describes a run, and no other file of that run lies beside it"
                                     : "it lies above the runs, and belongs to none of them";
    findings.add_broken(path, why);
    return why;
  }
  if (const std::string known = known_reason(name); !known.empty()) return known;
  if (const std::string right = misnamed(name); !right.empty()) {
    return "it is not called " + right + ", which would be read";
  }
  return may_hold_content(name) ? why_no_content(walk_.root() / path) : "its name is none that a profiler gives";
}

/// Files of MindSpore before 2.4: those of each device are a run.
void Discovery::claim_legacy(const std::string& directory, std::vector<SourceFile> files) {
  std::map<uint32_t, std::vector<SourceFile>> by_device;
  for (SourceFile& file : files) {
    const std::string why = file.kind == FileKind::not_understood ? why_not_legacy(file.path) : "";
    if (!why.empty()) file.why_not = why;
    if (const auto device = legacy_device(file.path)) {
      by_device[*device].push_back(std::move(file));
    } else {
      note(file.path, file.why_not);
    }
  }
  for (auto& [device, of_device] : by_device) {
    const auto has = [&of_device = of_device](FileKind kind) {
      return std::any_of(of_device.begin(), of_device.end(), [kind](const SourceFile& file) {
        return file.kind == kind && file.state == FileState::usable;
      });
    };
    const bool has_operators =
        has(FileKind::ms_operator_names) || has(FileKind::ms_timeline) || has(FileKind::ms_display);
    const bool has_steps = has(FileKind::ms_steps);
    for (SourceFile& file : of_device) {
      if (file.state != FileState::usable) continue;
      if (file.kind == FileKind::ms_framework && !has_operators) {
        file.state = FileState::not_used;
        file.why_not = "it only says more about operators that another file times, and there is none";
      } else if (file.kind == FileKind::ms_cluster_steps && !has_steps) {
        file.state = FileState::not_used;
        file.why_not = "it only says more about steps that another file times, and there is none";
      }
    }
    if (std::any_of(of_device.begin(), of_device.end(), [](const auto& file) { return is_content(file.kind); })) {
      claim(ProfileKind::mindspore, directory, std::move(of_device));
    } else {
      for (const SourceFile& file : of_device) note(file.path, file.why_not);
    }
  }
}

/// A trace that would be taken for rank 0, and hide the one that is.
bool Discovery::is_nobodys(const SourceFile& trace) const {
  if (!is_trace_without_events(walk_.root() / trace.path)) return false;
  RankLayout run;
  run.files = {trace};
  return !claimed_rank(ProfileKind::kineto, walk_.root(), run);
}

}  // namespace stepwise::ingest
