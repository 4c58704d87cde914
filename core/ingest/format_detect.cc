#include "core/ingest/format_detect.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <system_error>

#include "core/base/text.h"
#include "core/ingest/byte_source.h"

namespace stepwise::ingest {
namespace {

constexpr size_t kFirstBytes = 4096;
constexpr std::string_view kGzipMagic = "\x1F\x8B";

struct NameOfKind {
  FileKind kind;
  std::string_view name;
  char opens_with;  // first byte that JSON of this kind must have; '\0': CSV; '*': object or list
};
constexpr std::array<NameOfKind, 8> kNames{{
    {FileKind::kernel_details, "kernel_details.csv", '\0'},
    {FileKind::step_trace_time, "step_trace_time.csv", '\0'},
    {FileKind::op_statistic, "op_statistic.csv", '\0'},
    {FileKind::api_statistic, "api_statistic.csv", '\0'},
    {FileKind::operator_details, "operator_details.csv", '\0'},
    {FileKind::communication, "communication.json", '{'},
    {FileKind::profiler_metadata, "profiler_metadata.json", '{'},
    {FileKind::trace_view, "trace_view.json", '*'},
}};

std::string_view without_gz(std::string_view name) {
  if (name.ends_with(".gz")) name.remove_suffix(3);
  return name;
}

bool is_profiler_info(std::string_view name) {
  constexpr std::string_view kStem = "profiler_info", kEnd = ".json";
  if (!name.starts_with(kStem) || !name.ends_with(kEnd) || name.size() < kStem.size() + kEnd.size()) return false;
  const std::string_view middle = name.substr(kStem.size(), name.size() - kStem.size() - kEnd.size());
  return middle.empty() || (middle.size() > 1 && middle[0] == '_' &&
                            std::all_of(middle.begin() + 1, middle.end(), [](char c) { return c >= '0' && c <= '9'; }));
}

char opens_with(FileKind kind) {
  for (const NameOfKind& one : kNames) {
    if (one.kind == kind) return one.opens_with;
  }
  return '{';  // profiler_info
}

bool is_gzip(const std::filesystem::path& file) {
  std::string magic(kGzipMagic.size(), '\0');
  std::ifstream(file, std::ios::binary).read(magic.data(), static_cast<std::streamsize>(magic.size()));
  return magic == kGzipMagic;
}

/// Inflated if need be. Empty and ok: the file has no bytes.
Result<std::string> first_bytes(const std::filesystem::path& file) {
  auto source = open_source(file);
  if (!source.ok()) return source.take_error();
  std::string bytes(kFirstBytes, '\0');
  size_t length = 0;
  while (length < bytes.size()) {
    const auto got = source.value()->read({bytes.data() + length, bytes.size() - length});
    if (!got.ok() && length == 0) return got.error();
    if (!got.ok() || got.value() == 0) break;  // what there is suffices; the reader will report the rest
    length += got.value();
  }
  bytes.resize(length);
  return bytes;
}

/// Text has hardly any control characters; one byte in ten of compressed or random data is one.
bool is_binary(std::string_view bytes) {
  if (bytes.starts_with(kGzipMagic) || bytes.starts_with("PK\x03\x04") || bytes.starts_with("SQLite format 3")) {
    return true;
  }
  const auto controls = std::count_if(bytes.begin(), bytes.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && c != '\t' && c != '\n' && c != '\r';
  });
  return static_cast<size_t>(controls) * 20 > bytes.size();
}

/// First byte that is no blank, after a BOM; '\0' if there is none.
char first_visible(std::string_view bytes) {
  constexpr std::string_view kBom = "\xEF\xBB\xBF";
  if (bytes.starts_with(kBom)) bytes.remove_prefix(kBom.size());
  bytes = trim(bytes);
  return bytes.empty() ? '\0' : bytes[0];
}

/// "": the first bytes fit the name.
std::string mismatch(FileKind kind, std::string_view bytes) {
  if (is_binary(bytes)) return "its first bytes are binary, not text";
  const char wanted = opens_with(kind), found = first_visible(bytes);
  const bool is_json = found == '{' || found == '[';
  if (wanted == '\0') return is_json ? "it holds JSON, not CSV" : "";
  if (wanted == '*' ? is_json : found == wanted) return "";
  return is_json ? "it holds another kind of JSON" : "it does not begin like JSON";
}

bool is_any_prefix(std::string_view name, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view one) { return name.starts_with(one); });
}

}  // namespace

FileKind kind_of_name(std::string_view file_name) {
  const std::string_view name = without_gz(file_name);
  for (const NameOfKind& one : kNames) {
    if (one.name == name) return one.kind;
  }
  return is_profiler_info(name) ? FileKind::profiler_info : FileKind::not_understood;
}

bool is_content(FileKind kind) {
  return kind != FileKind::not_understood && kind != FileKind::profiler_info && kind != FileKind::profiler_metadata;
}

SourceFile detect(const std::filesystem::path& file) {
  SourceFile found;
  found.kind = kind_of_name(file.filename().native());
  std::error_code ec;
  found.bytes = std::filesystem::file_size(file, ec);
  if (ec) found.bytes = 0;
  if (found.kind == FileKind::not_understood) {
    found.why_not = "no table takes it in this version";
    return found;
  }
  found.gzip = is_gzip(file);
  const Result<std::string> bytes = first_bytes(file);
  if (!bytes.ok()) {
    found.state = FileState::unreadable;
    found.why_not = "it cannot be read: " + bytes.error().message;
  } else if (bytes.value().empty()) {
    found.state = FileState::empty;
    found.why_not = "it is empty";
  } else if (std::string why = mismatch(found.kind, bytes.value()); !why.empty()) {
    found.state = FileState::wrong_format;
    found.why_not = std::move(why);
  } else {
    found.state = FileState::usable;
  }
  return found;
}

const ForeignInfo& info(Foreign foreign) {
  static constexpr std::array<ForeignInfo, static_cast<size_t>(Foreign::count_)> kTable{{
      {"", ""},
      {"msprof output", ""},
      {"MindSpore profile", ""},
      {"Kineto trace", ""},
      {"torch_npu database", "Export it as text too: experimental_config export_type=[\"text\"]."},
      {"torch_npu recording that was not analysed",
       "Run torch_npu.profiler.profiler.analyse(DIRECTORY) to make ASCEND_PROFILER_OUTPUT."},
      {"graph dump", ""},
  }};
  return kTable[static_cast<size_t>(foreign)];
}

Foreign foreign_of_file_name(std::string_view file_name) {
  const std::string_view name = without_gz(file_name);
  if (name.ends_with(".db")) {
    if (is_any_prefix(name, {"ascend_pytorch_profiler", "analysis."})) return Foreign::torch_npu_db;
    if (name.starts_with("msprof_")) return Foreign::msprof;
  }
  if (is_any_prefix(name, {"op_summary_", "msprof_", "task_time_", "communication_statistic_", "step_trace_2"})) {
    return Foreign::msprof;
  }
  if (is_any_prefix(name, {"aicore_intermediate_", "aicpu_intermediate_", "framework_raw_", "hccl_raw_",
                           "step_trace_raw_", "ascend_cluster_analyse_"})) {
    return Foreign::mindspore;
  }
  if (is_any_prefix(name, {"ge_proto_", "ge_onnx_", "ge_readable_", "fx_graph_", "ir_pre_fusion", "ir_post_fusion"}) ||
      name.find("output_code") != std::string_view::npos) {
    return Foreign::graph;
  }
  return name.find(".pt.trace.json") != std::string_view::npos ? Foreign::kineto : Foreign::none;
}

Foreign foreign_of_directory_name(std::string_view name) {
  if (name.starts_with("PROF_") || name == "mindstudio_profiler_output") return Foreign::msprof;
  if (name.ends_with("_ascend_ms")) return Foreign::mindspore;
  if (name.ends_with("_ascend_pt")) return Foreign::torch_npu_raw;
  return Foreign::none;
}

bool is_kineto_trace(const std::filesystem::path& file) {
  if (!without_gz(file.filename().native()).ends_with(".json")) return false;
  const Result<std::string> bytes = first_bytes(file);
  if (!bytes.ok() || first_visible(bytes.value()) != '{') return false;
  for (const char* key : {"\"traceEvents\"", "\"deviceProperties\"", "\"distributedInfo\""}) {
    if (bytes.value().find(key) != std::string::npos) return true;
  }
  return false;
}

}  // namespace stepwise::ingest
