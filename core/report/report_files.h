// A report's files, and where they go. Inputs are never written to: a directory inside the profile is not used, even as
// a default. [any thread]
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/report/words.h"

namespace stepwise::report {

inline constexpr std::array kFormats = {"md", "html", "json"};

struct Formats {
  bool markdown = true, html = true, json = true;
};
/// Errors: usage `report.format` (a name that is not one of kFormats).
Result<Formats> formats_from(std::span<const std::string> names);

struct ReportFile {
  std::string name, text;
};
/// report.md, report.html, report.json: those that are wanted.
std::vector<ReportFile> report_files(const Json& model, Formats wanted, Lang lang);

struct WrittenFile {
  std::filesystem::path path;
  uint64_t bytes = 0;
};
struct WrittenReport {
  std::filesystem::path dir;
  std::vector<WrittenFile> files;
  std::string note;  // why it is not where it was wanted; empty: it is
};

/// Writes the files into `wanted` (made if need be); where that cannot be written to, into a new temporary directory,
/// and says why. A file appears whole or not at all. Errors: io `report.unwritable` (not even there).
Result<WrittenReport> write_report_files(const std::filesystem::path& wanted, const std::filesystem::path& profile,
                                         const std::vector<ReportFile>& files);

}  // namespace stepwise::report
