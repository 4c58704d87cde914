#include "core/report/make_report.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "core/report/checks.h"

namespace stepwise::report {
namespace {

namespace fs = std::filesystem;

std::string profile_name(const std::string& path) {
  std::error_code ec;
  const fs::path real = fs::canonical(path, ec);
  const std::string name = real.filename().string();
  return ec || name.empty() ? path : name;
}

/// No analysis gave anything. Where each failed, the first failure is the reason; else the profile is.
Error nothing_readable(const std::string& path, const std::vector<ChapterResult>& results, const Digest& facts) {
  const bool all_failed =
      !results.empty() && std::ranges::all_of(results, [](const auto& result) { return result.error.has_value(); });
  if (all_failed) return *results.front().error;
  std::vector<std::string> reasons;
  for (const auto* list : {&facts.failures, &facts.warnings, &facts.missing}) {
    for (const Digest::Text& one : *list) {
      if (std::ranges::find(reasons, one.text) == reasons.end()) reasons.push_back(one.text);
    }
  }
  std::string message = "Nothing in the profile could be analyzed.";
  for (const std::string& reason : reasons) message += " " + reason;
  return {ErrorKind::bad_data, "analyze.nothing_readable", std::move(message),
          "See its files with: stepwise call open_profile --profile " + path, path};
}

}  // namespace

Result<Report> make_report(const std::string& stepwise_version, const std::string& path, const Json& opened,
                           const std::vector<ChapterResult>& results) {
  Report report;
  report.model = make_model(stepwise_version, profile_name(path), opened, results);
  add_checks(report.model);
  report.facts = digest(report.model);
  if (!report.facts.measured) return nothing_readable(path, results, report.facts);
  return report;
}

}  // namespace stepwise::report
