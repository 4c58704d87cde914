#include "protocol/mcp/own_formats.h"

#include "core/ingest/discovery/layout.h"
#include "stepwise/tables.hpp"

namespace stepwise::mcp {
namespace {

using ingest::FileKind;
using ingest::ProfileKind;

constexpr const char* kHead =
    R"(# What is read

A profile is a directory as a profiler left it, a file in it, one trace or one graph dump; a directory of ranks is one
profile. Files may be .gz, except databases. Inputs are only read. open_profile says which files were found, of which kind,
and why one is not used.

| kind of profile | written by |
| --- | --- |
| `torch_npu` | torch_npu on Ascend NPUs: `*_ascend_pt`, text files or databases |
| `msprof` | msprof on Ascend NPUs: `PROF_*`, text files or databases |
| `mindspore` | MindSpore: `*_ascend_ms` since 2.4, before that one directory for all devices |
| `kineto` | PyTorch's profiler on GPUs: a trace of events in JSON |
| `graph_only` | graph dumps of GE, fx, inductor, or execution traces, without times |

Graph dumps anywhere below a profile belong to it. A table that no file fills is empty, and the answer's `missing` says what
that costs. Times become integer ns, sizes whole bytes; null means that the file does not tell.

| table | a row is | kinds of files |
| --- | --- | --- |
)";

constexpr ProfileKind kProfiles[] = {ProfileKind::torch_npu, ProfileKind::msprof, ProfileKind::mindspore,
                                     ProfileKind::kineto, ProfileKind::graph_only};

bool fills(FileKind file, const char* table) {
  for (const ProfileKind profile : kProfiles) {
    if (ingest::is_input(profile, table, file)) return true;
  }
  return false;
}

}  // namespace

std::string formats_page() {
  std::string out = kHead;
  for (const table::TableDecl* decl : table::kAllTables) {
    std::string files;
    for (int kind = 0; kind < static_cast<int>(FileKind::not_understood); ++kind) {
      if (!fills(static_cast<FileKind>(kind), decl->name)) continue;
      files += (files.empty() ? "" : ", ") + std::string(ingest::to_string(static_cast<FileKind>(kind)));
    }
    out += "| `" + std::string(decl->name) + "` | " + decl->says + " | " + (files.empty() ? "any" : files) + " |\n";
  }
  return out;
}

}  // namespace stepwise::mcp
