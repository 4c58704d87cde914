// What a file is, by its name and its first bytes. The one place that decides it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/ingest/discovery/layout.h"

namespace stepwise::ingest {

/// By its name, with or without ".gz".
FileKind kind_of_name(std::string_view file_name);
/// The name that a file seems to be meant to have whose own is not known: communication_group_old.json ->
/// communication_group.json. "": none.
std::string misnamed(std::string_view file_name);
/// By its first bytes, for traces and generated code that may have any name: kineto_trace, execution_trace,
/// inductor_code, fx_graph or not_understood. Looks only into files with such names. Errors: as open_source.
Result<FileKind> kind_of_content(const std::filesystem::path& file);
/// Whether a file of that name may be a trace or generated code: then its first bytes decide.
bool may_hold_content(std::string_view file_name);

/// Why a file of such a name that is neither a trace nor generated code is left out, by its first bytes.
std::string why_no_content(const std::filesystem::path& file);

/// A Kineto trace that lists no events, as far as its first bytes tell.
bool is_trace_without_events(const std::filesystem::path& file);

/// Whose file it is.
enum class Family : uint8_t { none, torch_npu, msprof, mindspore, cluster, kineto, graph };  // mindspore: before 2.4
Family family_of(FileKind kind, std::string_view file_name);
/// How files of the kind are called where the family's names carry a number: "op_statistic_*.csv". "": they do not.
std::string numbered_name(FileKind kind, Family family);
/// Whether a table can come from it alone (profiler_info and the like only describe a run).
bool is_content(FileKind kind);

/// Fills kind, state, bytes, gzip and why_not of a regular file; `path` is left alone.
SourceFile detect(const std::filesystem::path& file, FileKind kind);

/// Inflated if need be, at most so many. Empty and ok: the file has no bytes.
Result<std::string> first_bytes(const std::filesystem::path& file, size_t most);

}  // namespace stepwise::ingest
