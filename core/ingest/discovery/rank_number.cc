#include "core/ingest/discovery/rank_number.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/ingest/database/db_meta.h"
#include "core/ingest/discovery/format_detect.h"
#include "core/ingest/exports/mindspore_legacy.h"

namespace stepwise::ingest {
namespace {

namespace fs = std::filesystem;

constexpr size_t kBytesSearched = 1u << 18;  // at each end of a trace, for distributedInfo

std::optional<uint32_t> to_rank(const std::optional<int64_t>& number) {
  if (!number || *number < 0 || *number > std::numeric_limits<uint32_t>::max()) return std::nullopt;
  return static_cast<uint32_t>(*number);
}

std::string_view digits_at(std::string_view text) {
  size_t length = 0;
  while (length < text.size() && std::isdigit(static_cast<unsigned char>(text[length])) != 0) ++length;
  return text.substr(0, length);
}

/// rank_id is a number in old files, a string in new ones, and may be absent, or -1: none.
std::optional<uint32_t> rank_id_in(const fs::path& file) {
  const auto text = first_bytes(file, limits::kMaxMetadataBytes);
  if (!text.ok()) return std::nullopt;
  const Result<Json> info = parse_json(text.value());
  if (!info.ok() || !info.value().is_object()) return std::nullopt;
  const auto rank_id = info.value().find("rank_id");
  if (rank_id == info.value().end()) return std::nullopt;
  if (rank_id->is_string()) return to_rank(to_integer(rank_id->get_ref<const std::string&>()));
  return rank_id->is_number_integer() ? to_rank(rank_id->get<int64_t>()) : std::nullopt;
}

std::optional<uint32_t> rank_of_database(const fs::path& root, const RankLayout& run) {
  for (const SourceFile& file : run.files) {
    // One whose tables all stand in text files, too, knows its rank all the same.
    const bool is_there = file.state == FileState::usable || file.state == FileState::not_used;
    if (file.kind != FileKind::profiler_db || !is_there) continue;
    if (const auto rank = rank_in_database(root / file.path)) return rank;
  }
  return std::nullopt;
}

std::optional<uint32_t> rank_of_torch_npu(const fs::path& root, const RankLayout& run) {
  if (const SourceFile* info = run.find(FileKind::profiler_info)) {
    if (const auto named = rank_in_name(info->path)) return named;
    if (const auto inside = rank_id_in(root / info->path)) return inside;
  }
  return rank_of_database(root, run);
}

/// All files of such a run have its device's number in their names.
std::optional<uint32_t> rank_of_mindspore(const fs::path& root, const RankLayout& run) {
  for (const SourceFile& file : run.files) {
    if (family_of(file.kind, fs::path(file.path).filename().native()) == Family::mindspore) {
      return legacy_device(file.path);
    }
  }
  return rank_of_torch_npu(root, run);
}

/// ".../device_3/..." or "info.json.3" -> 3
std::optional<uint32_t> device_in_path(std::string_view path) {
  constexpr std::string_view kFolder = "device_", kInfo = "info.json.";
  if (const size_t at = path.rfind(kInfo); at != path.npos) return to_rank(to_integer(path.substr(at + kInfo.size())));
  const size_t at = path.find(kFolder);
  return at == path.npos ? std::nullopt : to_rank(to_integer(digits_at(path.substr(at + kFolder.size()))));
}

std::optional<uint32_t> rank_of_msprof(const fs::path& root, const RankLayout& run) {
  std::optional<uint32_t> device;
  for (const SourceFile& file : run.files) {
    if (file.kind != FileKind::msprof_info || file.state != FileState::usable) continue;
    if (const auto rank = rank_id_in(root / file.path)) return rank;
    if (!device) device = device_in_path(file.path);
  }
  return device ? device : rank_of_database(root, run);
}

/// {"distributedInfo": {..., "rank": 3
std::optional<uint32_t> rank_in_distributed_info(std::string_view text) {
  const size_t at = text.find("\"distributedInfo\"");
  if (at == text.npos) return std::nullopt;
  text.remove_prefix(at);
  constexpr std::string_view kKey = "\"rank\"";
  // Its own keys stand before the list of process groups, which has many numbers.
  const size_t key = text.substr(0, text.find('[')).find(kKey);
  if (key == text.npos) return std::nullopt;
  text = trim(text.substr(key + kKey.size()));
  if (!text.starts_with(':')) return std::nullopt;
  text = trim(text.substr(1));
  const std::string_view digits = digits_at(text);
  const std::string_view after = trim(text.substr(digits.size()));
  // 1e30 begins with a digit, too.
  return after.starts_with(',') || after.starts_with('}') ? to_rank(to_integer(digits)) : std::nullopt;
}

std::string last_bytes(const fs::path& file, size_t most) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  const auto size = static_cast<std::streamoff>(in.tellg());
  if (!in || size <= 0) return "";
  const std::streamoff length = std::min(size, static_cast<std::streamoff>(most));
  std::string bytes(static_cast<size_t>(length), '\0');
  in.seekg(size - length);
  in.read(bytes.data(), length);
  return in ? bytes : "";
}

/// "worker3_step_12.pt.trace.json", "rank-34.json", "sampled_rank-1.json" -> the number
std::optional<uint32_t> rank_in_trace_name(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (const std::string_view word : {"rank", "worker"}) {
    size_t at = name.find(word);
    if (at == name.npos) continue;
    at += word.size();
    if (at < name.size() && (name[at] == '-' || name[at] == '_')) ++at;
    if (const auto rank = to_rank(to_integer(digits_at(name.substr(at))))) return rank;
  }
  return std::nullopt;
}

std::optional<uint32_t> rank_of_kineto(const fs::path& root, const RankLayout& run) {
  const SourceFile* trace = run.find(FileKind::kineto_trace);
  if (trace == nullptr) return std::nullopt;
  if (const auto start = first_bytes(root / trace->path, kBytesSearched); start.ok()) {
    if (const auto rank = rank_in_distributed_info(start.value())) return rank;
  }
  if (!trace->gzip) {
    if (const auto rank = rank_in_distributed_info(last_bytes(root / trace->path, kBytesSearched))) return rank;
  }
  return rank_in_trace_name(trace->path);
}

}  // namespace

std::optional<uint32_t> rank_in_execution_trace_name(std::string_view path) {
  if (const auto rank = rank_in_trace_name(path)) return rank;
  std::string_view name = path.substr(path.rfind('/') + 1);
  name = name.substr(0, name.rfind(".json"));
  const size_t before = name.find_last_not_of("0123456789");
  const bool is_apart = before != name.npos && (name[before] == '_' || name[before] == '-');
  return is_apart ? to_rank(to_integer(name.substr(before + 1))) : std::nullopt;
}

std::optional<uint32_t> rank_in_name(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  constexpr std::string_view kStem = "profiler_info_";
  if (!name.starts_with(kStem)) return std::nullopt;
  name.remove_prefix(kStem.size());
  return to_rank(to_integer(name.substr(0, name.find('.'))));
}

std::optional<uint32_t> claimed_rank(ProfileKind kind, const fs::path& root, const RankLayout& run) {
  switch (kind) {
    case ProfileKind::torch_npu:
      return rank_of_torch_npu(root, run);
    case ProfileKind::mindspore:
      return rank_of_mindspore(root, run);
    case ProfileKind::msprof:
      return rank_of_msprof(root, run);
    case ProfileKind::kineto:
      return rank_of_kineto(root, run);
    case ProfileKind::graph_only:
      break;
  }
  return std::nullopt;
}

void number_ranks(ProfileKind kind, const fs::path& root, std::vector<RankLayout>& runs) {
  std::set<uint32_t> taken;
  std::vector<RankLayout*> silent, late;
  for (RankLayout& run : runs) {
    const auto claims = claimed_rank(kind, root, run);
    run.rank = claims.value_or(0);
    if (!claims) {
      silent.push_back(&run);
    } else if (!taken.insert(run.rank).second) {
      late.push_back(&run);
    }
  }
  for (RankLayout* run : silent) {
    if (!taken.insert(0).second) late.push_back(run);
  }
  uint32_t next = 0;
  for (RankLayout* run : late) {
    while (!taken.insert(next).second) ++next;
    run->claimed = run->rank;
    run->rank = next;
  }
  std::sort(runs.begin(), runs.end(), [](const RankLayout& a, const RankLayout& b) { return a.rank < b.rank; });
}

}  // namespace stepwise::ingest
