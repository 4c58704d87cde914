// A written report a chapter at a time, for those who read it through answers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/result.h"

namespace stepwise::engine {

struct ReportChapter {
  std::string title;      // "3. Operator types"
  std::string_view text;  // with its heading
};

/// The chapters of report.md, in order; the views point into it.
std::vector<ReportChapter> report_chapters(std::string_view markdown);

/// Without a number the list of chapters, else that one (from 1). A chapter that no answer can hold is cut between two
/// lines, and says so. Errors: usage `report.chapter`.
Result<ToolResult> chapter_result(std::string_view markdown, std::optional<size_t> chapter);

}  // namespace stepwise::engine
