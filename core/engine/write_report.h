// The whole report for those who have no terminal to call `stepwise analyze` in: write_report as files, read_report a
// chapter at a time, without writing.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/engine/provider.h"
#include "core/engine/registry.h"
#include "core/report/make_report.h"
#include "core/report/words.h"

namespace stepwise::engine {

class WriteReport : public ToolProvider {
 public:
  struct Parts {
    std::function<std::shared_ptr<const Registry>()> registry;
    std::filesystem::path out_dir;
    std::string version;  // of the program
  };
  /// `others`: all tools that there are, of which it calls those that reports ask. Errors: as EngineTools::make.
  static Result<std::shared_ptr<WriteReport>> make(Parts parts, const std::vector<ToolDecl>& others);

  std::vector<ToolDecl> tools() const override { return {writing_, reading_}; }
  /// Reads on demand: only what the report's analyses want of the profile. Errors: `call.again` (CallHost::read); usage
  /// `report.dir`, `report.chapter`; bad_data `analyze.nothing_readable`; io `report.unwritable`.
  Result<ToolResult> call(const std::string& tool, const Json& arguments, CallHost& host) override;

 private:
  explicit WriteReport(Parts parts) : parts_(std::move(parts)) {}

  Result<ToolResult> write(const Json& arguments, CallHost& host) const;
  Result<ToolResult> read(const Json& arguments, CallHost& host) const;
  Result<report::Report> make_report(report::Lang lang, CallHost& host) const;

  const Parts parts_;
  ToolDecl writing_, reading_;
};

}  // namespace stepwise::engine
