// What the names of msprof's exported files say: the export, its time, and the number of a slice of a long table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stepwise::ingest {

/// What the name of an exported file says; ".gz" behind it does not count.
struct ExportName {
  std::string key;                // of the export, with its folder: "dir/op_summary_slice_*_20260823170000.csv"
  std::string time;               // "20260823165358"; "": it says none
  std::optional<uint32_t> slice;  // 0 = first; nullopt: the file is a whole table
};
ExportName export_name(std::string_view path);

/// Slices that must have been there, since there are later ones (or since an export with one slice is not cut).
/// paths: the files of one export.
std::vector<uint32_t> missing_slices(const std::vector<std::string>& paths);

}  // namespace stepwise::ingest
