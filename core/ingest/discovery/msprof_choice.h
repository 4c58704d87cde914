// Which of msprof's exports is read. Every export writes its files anew beside those before it, with its time in their
// names; a long table is cut into slices that belong together:
//   op_summary_20260823165358.csv
//   op_summary_slice_0_20260823170000.csv, op_summary_slice_1_20260823170000.csv
//   op_summary_0_1_1.csv (older exporters: device, model, iteration), op_summary_20260823165358_no_op_name.csv
// One export of each kind is read, with all its slices.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/ingest/base/export_name.h"
#include "core/ingest/discovery/layout.h"
#include "core/ingest/discovery/remarks.h"

namespace stepwise::ingest {

/// A file that may be read, as far as a quick look tells.
struct ExportFile {
  std::string path;
  bool has_key = true;   // the column by which its rows are told (Op Name) is there
  uint64_t rows = 0;     // below the header
  uint64_t columns = 0;  // of the header
};

struct ExportChoice {
  bool is_read = false;
  std::string why_not;     // why another is read instead; "": it is read
  uint64_t rows = 0;       // of the whole export, with all its slices
  uint64_t rows_lost = 0;  // that it has more than the one that is read, though nothing is wrong with it
};

/// Chooses among the exports of one kind: files of different kinds are never given together. An export that is
/// complete (its key column is there, it has rows, and none of its slices is missing) goes before one that is not;
/// then the most recent one, the one with most rows, with most columns, and the first by name. The answer has one
/// choice for each file, in their order; files that hold nothing are read if there is nothing else. Of one file that
/// lies there inflated and compressed, the inflated one is read.
std::vector<ExportChoice> choose_export(const std::vector<ExportFile>& files);

/// The same for all usable files of a run: those of the kinds that msprof exports with a time in their names
/// that are not read become not_used, and why_not says why. Looks into the files of a kind
/// only if it has several exports; paths are relative to root. An export that is left out though it has more rows (of
/// timelines: bytes) than a later one is remarked.
void choose_exports(const std::filesystem::path& root, std::vector<SourceFile>& files, Remarks& remarks);

}  // namespace stepwise::ingest
