// Where a report goes. Inputs are never written to: a directory inside the profile is not used, even as a default.
// [any thread]
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace stepwise::cli {

struct ReportFile {
  std::string name, text;
};

struct WrittenReport {
  std::filesystem::path dir;
  std::vector<std::filesystem::path> files;
  std::string note;  // why it is not where it was wanted; empty: it is
};

/// Writes the files into `wanted` (made if need be); where that cannot be written to, into a new temporary directory,
/// and says why. A file appears whole or not at all. Errors: io `report.unwritable` (not even there).
Result<WrittenReport> write_report_files(const std::filesystem::path& wanted, const std::filesystem::path& profile,
                                         const std::vector<ReportFile>& files);

/// Whether `dir` (which need not exist) lies in the profile.
bool lies_inside(const std::filesystem::path& dir, const std::filesystem::path& profile);

}  // namespace stepwise::cli
