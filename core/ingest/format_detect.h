// What a file is, by its name and its first bytes. The one place that decides it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/ingest/layout.h"

namespace stepwise::ingest {

/// A torch_npu text export's file by its name, with or without ".gz".
FileKind kind_of_name(std::string_view file_name);

/// Whether a table can come from it (profiler_info and the like only describe a run).
bool is_content(FileKind kind);

/// Fills kind, state, bytes, gzip and why_not of a regular file; `path` is left alone.
SourceFile detect(const std::filesystem::path& file);

/// What other profilers and exporters leave, and Stepwise cannot open yet.
enum class Foreign : uint8_t { none, msprof, mindspore, kineto, torch_npu_db, torch_npu_raw, graph, count_ };
struct ForeignInfo {
  const char* what;    // "msprof output"
  const char* remedy;  // "" or what the user can do about it today
};
const ForeignInfo& info(Foreign foreign);
Foreign foreign_of_file_name(std::string_view file_name);
Foreign foreign_of_directory_name(std::string_view name);
/// Kineto traces have any name: this looks at the first bytes of a .json or .json.gz.
bool is_kineto_trace(const std::filesystem::path& file);

}  // namespace stepwise::ingest
