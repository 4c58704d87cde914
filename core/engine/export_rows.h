// Rows into a file of the output directory, as CSV or JSON: all of them, as they come. Never inside a profile: where
// the directory lies in it, or cannot be written, the file goes into a new temporary directory, and the answer says so.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "core/engine/plan.h"
#include "core/engine/render.h"
#include "core/engine/result.h"
#include "core/query/query.h"

namespace stepwise::engine {

/// The argument `export`.
Json export_argument();
/// The hints of a tool that has it: it can write a file, the same one for the same call.
Json export_annotations();
/// "<what>-1a2b3c4d.csv": of equal calls the same name.
std::string export_name(const std::string& what, const std::string& call, const std::string& format);

/// A file under construction; without finish() nothing remains of it.
class ExportFile : public query::RowSink {
 public:
  /// Errors: io `export.write` (not even a temporary directory can be written).
  static Result<std::unique_ptr<ExportFile>> create(const std::filesystem::path& dir,
                                                    const std::filesystem::path& profile, const std::string& name,
                                                    const std::string& format);
  ~ExportFile() override;

  /// Errors: io `export.write`.
  Result<void> columns(std::vector<std::string> names) override;
  Result<bool> row(std::span<const query::Cell> cells) override;
  /// The file gets its name; the result's body its path, rows and bytes. Errors: io `export.write`.
  Result<void> finish(ToolResult& result);

 private:
  ExportFile() = default;
  Result<void> open_in(const std::filesystem::path& dir, const std::string& name);
  Result<void> write(const std::string& text);
  void write_csv(std::span<const query::Cell> cells);
  void write_json(std::span<const query::Cell> cells);

  std::filesystem::path path_, part_;
  std::FILE* file_ = nullptr;
  bool json_ = false;
  std::vector<std::string> names_;  // JSON: as texts of JSON
  std::string buffer_, note_;
  uint64_t rows_ = 0, bytes_ = 0;
};

/// The rows of an analysis. Errors: usage `export.rows` (it has none); io `export.write`.
Result<Page> export_page(const CallPlan& plan, const ToolResult& result, const std::filesystem::path& out_dir);

}  // namespace stepwise::engine
