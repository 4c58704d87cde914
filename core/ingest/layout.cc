#include "core/ingest/layout.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/ingest/byte_source.h"
#include "core/ingest/directory_walk.h"
#include "core/ingest/format_detect.h"

namespace stepwise::ingest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOutput = "ASCEND_PROFILER_OUTPUT";
constexpr size_t kMaxJsonSniffed = 64;  // files of any name whose first bytes are looked at
constexpr size_t kMaxNamesInError = 3;
constexpr const char* kWhatCanBeOpened =
    "Stepwise opens text exports of torch_npu's profiler: give a *_ascend_pt directory, its ASCEND_PROFILER_OUTPUT, a "
    "file in it, or a directory with several of them.";

std::string joined(const std::string& directory, const std::string& name) {
  return directory.empty() ? name : directory + "/" + name;
}

/// "profiler_info_12.json" -> 12
std::optional<uint32_t> rank_in_name(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  constexpr std::string_view kStem = "profiler_info_";
  if (!name.starts_with(kStem)) return std::nullopt;
  name.remove_prefix(kStem.size());
  const auto number = to_integer(name.substr(0, name.find('.')));
  if (!number || *number < 0 || *number > std::numeric_limits<uint32_t>::max()) return std::nullopt;
  return static_cast<uint32_t>(*number);
}

/// rank_id is a number in old files, a string in new ones, and may be absent.
std::optional<uint32_t> rank_in_file(const fs::path& file) {
  auto source = open_source(file);
  if (!source.ok()) return std::nullopt;
  constexpr size_t kChunk = 1 << 16;
  std::string text;
  for (size_t length = 0; length <= limits::kMaxMetadataBytes;) {
    text.resize(length + kChunk);
    const auto got = source.value()->read({text.data() + length, kChunk});
    length += got.ok() ? got.value() : 0;
    text.resize(length);
    if (!got.ok() || got.value() == 0) break;
  }
  const Result<Json> info = parse_json(text);
  if (!info.ok() || !info.value().is_object()) return std::nullopt;
  const auto rank_id = info.value().find("rank_id");
  if (rank_id == info.value().end()) return std::nullopt;
  const auto number = rank_id->is_string()           ? to_integer(rank_id->get_ref<const std::string&>())
                      : rank_id->is_number_integer() ? std::optional(rank_id->get<int64_t>())
                                                     : std::nullopt;
  if (!number || *number < 0 || *number > std::numeric_limits<uint32_t>::max()) return std::nullopt;
  return static_cast<uint32_t>(*number);
}

/// What lies there and cannot be opened: for the message when nothing can.
class Findings {
 public:
  void add(Foreign foreign, const std::string& path) { by_kind_[static_cast<size_t>(foreign)].push_back(path); }
  void add_broken(const std::string& path, const std::string& why) { broken_.push_back(path + " (" + why + ")"); }

  std::string text() const {
    std::string out;
    for (size_t i = 1; i < by_kind_.size(); ++i) {
      if (!by_kind_[i].empty()) {
        out += std::string(" Found: ") + info(static_cast<Foreign>(i)).what + " (" + listed(by_kind_[i]) + ").";
      }
    }
    if (!broken_.empty()) out += " Not usable: " + listed(broken_) + ".";
    return out;
  }
  std::string remedies() const {
    std::string out;
    for (size_t i = 1; i < by_kind_.size(); ++i) {
      const std::string remedy = info(static_cast<Foreign>(i)).remedy;
      if (!by_kind_[i].empty() && !remedy.empty()) out += remedy + " ";
    }
    return out;
  }

 private:
  static std::string listed(const std::vector<std::string>& names) {
    std::string out;
    for (size_t i = 0; i < std::min(names.size(), kMaxNamesInError); ++i) out += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > kMaxNamesInError) out += ", ... " + std::to_string(names.size()) + " in all";
    return out;
  }
  std::array<std::vector<std::string>, static_cast<size_t>(Foreign::count_)> by_kind_;
  std::vector<std::string> broken_;
};

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
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
}

class Discovery {
 public:
  explicit Discovery(fs::path root) : walk_(std::move(root)) { layout_.root = walk_.root(); }

  Result<ProfileLayout> run(const fs::path& asked_for) {
    SW_RETURN_IF_ERROR(search("", 0));
    if (walk_.is_exhausted()) {
      note("", "only the first " + std::to_string(walk_.entries_seen()) + " names were looked at");
    }
    if (layout_.ranks.empty()) {
      std::string found = findings_.text();
      if (found.empty()) {
        found = " None of the " + std::to_string(walk_.entries_seen()) + " names in it is a profiler's.";
      }
      return Error{ErrorKind::not_found, "profile.none", "It holds no profile that can be opened." + found,
                   findings_.remedies() + kWhatCanBeOpened, asked_for.string()};
    }
    number_ranks();
    layout_.kind = ProfileKind::torch_npu;
    layout_.framework = "pytorch";
    return std::move(layout_);
  }

 private:
  /// Errors only for the root itself: what cannot be read below it is noted.
  Result<void> search(const std::string& directory, int depth) {
    const std::string shown = directory.empty() ? "." : directory;
    const fs::path name = directory.empty() ? walk_.root().filename() : fs::path(directory).filename();
    const Foreign foreign = foreign_of_directory_name(name.native());
    const bool is_run = foreign == Foreign::torch_npu_raw;  // by its name; whether it was analysed is seen inside
    if (foreign != Foreign::none && !is_run) {
      findings_.add(foreign, shown);
      return {};
    }
    auto listed = walk_.list(walk_.root() / directory);
    if (!listed.ok()) {
      if (depth == 0) return listed.take_error();
      note(directory, listed.error().message);
      findings_.add_broken(directory, listed.error().message);
      return {};
    }
    const std::vector<DirectoryEntry>& entries = listed.value();
    const DirectoryEntry* output = nullptr;
    bool has_content = false;
    for (const DirectoryEntry& entry : entries) {
      if (entry.is_directory && entry.name == kOutput) output = &entry;
      has_content |= !entry.is_directory && is_content(kind_of_name(entry.name));
    }
    if (output != nullptr && !output->why_not.empty()) {
      findings_.add_broken(joined(directory, kOutput), output->why_not);
      output = nullptr;
    }
    if (output != nullptr || (is_run && has_content)) {
      claim(directory, entries);
      return {};
    }
    if (is_run) {
      findings_.add(foreign, shown);
      return {};
    }
    const size_t ranks_before = layout_.ranks.size();
    for (const DirectoryEntry& entry : entries) {
      if (!entry.is_directory) continue;
      const std::string path = joined(directory, entry.name);
      if (!entry.why_not.empty()) {
        note(path, entry.why_not);
      } else if (depth < limits::kMaxProfileDepth) {
        SW_RETURN_IF_ERROR(search(path, depth + 1));
      }
    }
    // Files without a directory of their own are a run if there is no other below them.
    if (has_content && layout_.ranks.size() == ranks_before) {
      claim(directory, entries);
    } else {
      pass_over(directory, entries);
    }
    return {};
  }

  /// Makes a rank of the files in a run's directory and in its ASCEND_PROFILER_OUTPUT.
  void claim(const std::string& directory, const std::vector<DirectoryEntry>& entries) {
    RankLayout rank;
    rank.dir = directory;
    add_files(directory, entries, rank.files);
    bool is_locked = false;  // what may well hold a profile cannot be looked into
    for (const DirectoryEntry& entry : entries) {
      if (!entry.is_directory || entry.name != kOutput) continue;
      const std::string output = joined(directory, kOutput);
      const auto inner = walk_.list(walk_.root() / output);
      if (inner.ok()) {
        add_files(output, inner.value(), rank.files);
      } else {
        note(output, inner.error().message);
        findings_.add_broken(output, inner.error().message);
        is_locked = true;
      }
    }
    choose_among(rank.files);
    const bool is_usable = std::any_of(rank.files.begin(), rank.files.end(), [](const SourceFile& file) {
      return file.state == FileState::usable && is_content(file.kind);
    });
    if (is_usable) {
      layout_.ranks.push_back(std::move(rank));
      return;
    }
    bool found_something = is_locked;
    for (SourceFile& file : rank.files) {
      const Foreign foreign = foreign_of_file_name(fs::path(file.path).filename().native());
      if (foreign != Foreign::none) findings_.add(foreign, file.path);
      if (is_content(file.kind)) findings_.add_broken(file.path, file.why_not);
      found_something |= foreign != Foreign::none || is_content(file.kind);
      if (layout_.unclaimed.size() < limits::kMaxFilesListed) layout_.unclaimed.push_back(std::move(file));
    }
    if (!found_something) findings_.add(Foreign::torch_npu_raw, directory.empty() ? "." : directory);
  }

  void add_files(const std::string& directory, const std::vector<DirectoryEntry>& entries,
                 std::vector<SourceFile>& files) {
    for (const DirectoryEntry& entry : entries) {
      if (entry.is_directory) continue;
      const std::string path = joined(directory, entry.name);
      SourceFile file;
      if (entry.why_not.empty()) {
        file = detect(walk_.root() / path);
      } else {
        file.kind = kind_of_name(entry.name);
        file.state = FileState::unreadable;
        file.why_not = entry.why_not;
      }
      file.path = path;
      files.push_back(std::move(file));
    }
  }

  /// Files that belong to no run.
  void pass_over(const std::string& directory, const std::vector<DirectoryEntry>& entries) {
    for (const DirectoryEntry& entry : entries) {
      if (entry.is_directory) continue;
      const std::string path = joined(directory, entry.name);
      Foreign foreign = foreign_of_file_name(entry.name);
      if (foreign == Foreign::none && entry.why_not.empty() && entry.name.find(".json") != std::string::npos &&
          json_sniffed_++ < kMaxJsonSniffed && is_kineto_trace(walk_.root() / path)) {
        foreign = Foreign::kineto;
      }
      if (foreign != Foreign::none) findings_.add(foreign, path);
      note(path, !entry.why_not.empty()     ? entry.why_not
                 : foreign != Foreign::none ? std::string(info(foreign).what) + ": not opened in this version"
                                            : "it belongs to no rank");
    }
  }

  void note(const std::string& path, const std::string& why_not) {
    if (layout_.unclaimed.size() >= limits::kMaxFilesListed) return;
    SourceFile file;
    file.path = path;
    file.why_not = why_not;
    layout_.unclaimed.push_back(std::move(file));
  }

  /// A number that a run's files claim goes to the first that claims it, in the order of paths; runs that claim none
  /// are 0. Whoever comes too late gets the next free number.
  void number_ranks() {
    std::set<uint32_t> taken;
    std::vector<RankLayout*> silent, late;
    for (RankLayout& rank : layout_.ranks) {
      const SourceFile* info = rank.find(FileKind::profiler_info);
      auto claims = info == nullptr ? std::nullopt : rank_in_name(info->path);
      if (info != nullptr && !claims) claims = rank_in_file(layout_.root / info->path);
      rank.rank = claims.value_or(0);
      if (!claims) {
        silent.push_back(&rank);
      } else if (!taken.insert(rank.rank).second) {
        late.push_back(&rank);
      }
    }
    for (RankLayout* rank : silent) {
      if (!taken.insert(0).second) late.push_back(rank);
    }
    uint32_t next = 0;
    for (RankLayout* rank : late) {
      while (!taken.insert(next).second) ++next;
      rank->claimed = rank->rank;
      rank->rank = next;
    }
    std::sort(layout_.ranks.begin(), layout_.ranks.end(),
              [](const RankLayout& a, const RankLayout& b) { return a.rank < b.rank; });
  }

  DirectoryWalk walk_;
  ProfileLayout layout_;
  Findings findings_;
  size_t json_sniffed_ = 0;
};

/// The directory that a path stands for: of a file its own, and of ASCEND_PROFILER_OUTPUT the run's.
fs::path root_of(const fs::path& real, bool is_file) {
  const fs::path directory = is_file ? real.parent_path() : real;
  return directory.filename() == kOutput && directory.has_parent_path() ? directory.parent_path() : directory;
}

Error not_of_a_rank(const fs::path& file) {
  Foreign foreign = foreign_of_file_name(file.filename().native());
  if (foreign == Foreign::none && is_kineto_trace(file)) foreign = Foreign::kineto;
  const std::string what = foreign == Foreign::none
                               ? "It is no file of a profile that can be opened."
                               : std::string("This is a ") + info(foreign).what + ", which this version cannot open.";
  const std::string remedy = info(foreign).remedy;
  return Error{ErrorKind::not_found, "profile.none", what, (remedy.empty() ? "" : remedy + " ") + kWhatCanBeOpened,
               file.string()};
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
  Result<ProfileLayout> layout = Discovery(root).run(path);
  if (is_directory) return layout;
  // A file opens the run that it belongs to; beside other runs it is none.
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

}  // namespace stepwise::ingest
