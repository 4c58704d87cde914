// From the answers of a report's analyses to the report. [any thread]
#pragma once

#include <string>
#include <vector>

#include "core/report/digest.h"
#include "core/report/model.h"

namespace stepwise::report {

struct Report {
  Json model;  // with its checks
  Digest facts;
};

/// `path` of the profile: its last part is the report's name of it; `opened` is open_profile's answer. Errors: bad_data
/// `analyze.nothing_readable` (no analysis gave anything), or the first failure where each analysis failed.
Result<Report> make_report(const std::string& stepwise_version, const std::string& path, const Json& opened,
                           const std::vector<ChapterResult>& results);

}  // namespace stepwise::report
