#include "core/ingest/discovery/msprof_choice.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "core/base/text.h"
#include "core/ingest/base/byte_source.h"

namespace stepwise::ingest {
namespace {

constexpr uint64_t kMaxBytesLookedAt = 64u << 20;  // inflated; the rows behind them are estimated

struct KeyColumn {
  FileKind kind;
  const char* name;  // nullptr: a kind without columns
};
constexpr std::array<KeyColumn, 16> kKeyColumns{{
    {FileKind::op_summary, "Op Name"},
    {FileKind::op_statistic, "OP Type"},
    {FileKind::api_statistic, "API Name"},
    {FileKind::step_trace, "Iteration ID"},
    {FileKind::memory_record, "Component"},
    {FileKind::npu_mem, "event"},
    {FileKind::operator_memory, "Name"},
    {FileKind::npu_module_mem, "Component"},
    {FileKind::static_op_mem, "Op Name"},
    {FileKind::l2_cache, "Op Name"},
    {FileKind::data_preprocess, "Node"},
    {FileKind::fusion_op, "Fusion Op"},
    {FileKind::task_time, "kernel_name"},
    {FileKind::core_utilization, "Core ID"},
    {FileKind::vector_core_utilization, "Core ID"},
    {FileKind::msprof_trace, nullptr},
}};

/// All slices of one export, or its one file.
struct Export {
  std::string time, first_path;
  std::map<std::optional<uint32_t>, size_t> files;  // by slice
  std::vector<std::string> paths;
  uint64_t rows = 0, columns = 0;
  bool has_key = true;
  size_t missing = 0;

  bool is_complete() const { return has_key && rows > 0 && missing == 0; }
  /// The greater one is read.
  auto merit() const { return std::tuple(is_complete(), has_key && rows > 0, time, rows, columns); }
};

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// A file that lies there inflated and compressed is taken inflated; the other's choice is made here.
std::vector<Export> group(const std::vector<ExportFile>& files, std::vector<ExportChoice>& choices) {
  std::map<std::string, Export> by_key;
  std::vector<size_t> order(files.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&files](size_t a, size_t b) { return files[a].path < files[b].path; });
  for (const size_t i : order) {
    const ExportName name = export_name(files[i].path);
    Export& one = by_key[name.key];
    if (const auto [it, is_new] = one.files.try_emplace(name.slice, i); !is_new) {
      choices[i].why_not = file_name(files[it->second].path) + " is read instead: it is the same, not compressed";
      continue;
    }
    if (one.paths.empty()) one.first_path = files[i].path;
    one.time = name.time;
    one.paths.push_back(files[i].path);
    one.rows += files[i].rows;
    one.columns = std::max(one.columns, files[i].columns);
    one.has_key = one.has_key && files[i].has_key;
  }
  std::vector<Export> exports;
  for (auto& [key, one] : by_key) {
    one.missing = missing_slices(one.paths).size();
    exports.push_back(std::move(one));
  }
  return exports;
}

std::string why_not(const Export& other, const Export& best) {
  const std::string instead = file_name(best.first_path) + " is read instead: ";
  if (!other.has_key) return instead + "this one does not name its rows";
  if (other.rows == 0) return instead + "this one has no rows";
  if (best.is_complete() && other.missing != 0) {
    return instead + "this one lacks " + std::to_string(other.missing) + " of its slices";
  }
  if (best.time != other.time) {
    const std::string more = other.rows > best.rows ? ", though this one holds more" : "";
    return instead + "it was exported later" + more;
  }
  if (best.rows != other.rows) {
    return instead + "it has " + std::to_string(best.rows) + " rows, this one " + std::to_string(other.rows);
  }
  if (best.columns != other.columns) {
    return instead + "it has " + std::to_string(best.columns) + " columns, this one " + std::to_string(other.columns);
  }
  return instead + "it has as many rows and columns, and comes first by name";
}

/// Counts lines, and takes the first one apart. msprof quotes nothing and writes no line breaks inside cells.
ExportFile look_at(const std::filesystem::path& root, const SourceFile& file, const char* key_column) {
  ExportFile out{file.path, true, 0, 0};
  if (key_column == nullptr) {  // a timeline: its bytes say how much it holds
    out.rows = file.bytes;
    return out;
  }
  out.has_key = false;
  const auto source = open_source(root / file.path);
  if (!source.ok()) return out;
  std::vector<char> chunk(size_t{1} << 18);
  std::string header;
  bool has_header = false;
  char last = '\n';
  uint64_t lines = 0, looked_at = 0;
  while (looked_at < kMaxBytesLookedAt) {
    const auto got = source.value()->read(chunk);
    if (!got.ok() || got.value() == 0) break;
    const std::string_view bytes(chunk.data(), got.value());
    if (!has_header) {
      const size_t end = bytes.find('\n');
      has_header = end != std::string_view::npos || header.size() > chunk.size();
      header += bytes.substr(0, end);
    }
    lines += static_cast<uint64_t>(std::count(bytes.begin(), bytes.end(), '\n'));
    last = bytes.back();
    looked_at += bytes.size();
  }
  if (last != '\n') ++lines;
  for (size_t begin = 0; begin <= header.size();) {
    const size_t end = std::min(header.find(',', begin), header.size());
    std::string_view cell = trim(std::string_view(header).substr(begin, end - begin));
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
    out.has_key |= cell == key_column;
    ++out.columns;
    begin = end + 1;
  }
  out.rows = lines == 0 ? 0 : lines - 1;
  const uint64_t consumed = source.value()->consumed_bytes(), all = source.value()->file_bytes();
  if (looked_at >= kMaxBytesLookedAt && consumed > 0 && consumed < all) {
    out.rows =
        static_cast<uint64_t>(static_cast<double>(out.rows) * static_cast<double>(all) / static_cast<double>(consumed));
  }
  return out;
}

}  // namespace

std::vector<ExportChoice> choose_export(const std::vector<ExportFile>& files) {
  std::vector<ExportChoice> choices(files.size());
  if (files.empty()) return choices;
  const std::vector<Export> exports = group(files, choices);
  const Export& best = *std::max_element(exports.begin(), exports.end(), [](const Export& a, const Export& b) {
    return a.merit() != b.merit() ? a.merit() < b.merit() : a.first_path > b.first_path;
  });
  for (const Export& one : exports) {
    for (const auto& [slice, file] : one.files) {
      choices[file].is_read = &one == &best;
      choices[file].rows = one.rows;
      if (&one == &best) continue;
      choices[file].why_not = why_not(one, best);
      const bool is_lost = one.is_complete() && one.rows > best.rows;
      if (is_lost) choices[file].rows_lost = one.rows - best.rows;
    }
  }
  return choices;
}

void choose_exports(const std::filesystem::path& root, std::vector<SourceFile>& files, Remarks& remarks) {
  for (const KeyColumn& by : kKeyColumns) {
    std::vector<SourceFile*> of_kind;
    for (SourceFile& file : files) {
      if (file.kind != by.kind || file.state != FileState::usable) continue;
      of_kind.push_back(&file);
    }
    if (of_kind.size() < 2) continue;
    std::set<std::string> keys;
    for (const SourceFile* file : of_kind) keys.insert(export_name(file->path).key);
    std::vector<ExportFile> looks;
    for (const SourceFile* file : of_kind) {
      // Where there is but one export, nothing depends on what is in it.
      looks.push_back(keys.size() > 1 ? look_at(root, *file, by.name) : ExportFile{file->path, true, 1, 1});
    }
    const std::vector<ExportChoice> choices = choose_export(looks);
    std::set<std::string> told;
    for (size_t i = 0; i < of_kind.size(); ++i) {
      if (choices[i].is_read) continue;
      if (choices[i].rows_lost > 0 && told.insert(export_name(looks[i].path).key).second) {
        const char* unit = by.name == nullptr ? " bytes" : " rows";
        tell_larger_export(remarks, looks[i].path + " has " + std::to_string(choices[i].rows) + unit +
                                        ", what is read " + std::to_string(choices[i].rows - choices[i].rows_lost));
      }
      of_kind[i]->state = FileState::not_used;
      of_kind[i]->why_not = choices[i].why_not;
    }
  }
}

}  // namespace stepwise::ingest
