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

/// How much of a chapter one answer has: by default what a reader who pays per token expects.
inline constexpr size_t kChapterBytes = 6'000, kMostChapterBytes = 30'000;

struct ChapterPart {
  size_t chapter = 1;  // from 1
  size_t from = 0;     // byte of the chapter; the line that it stands in begins the part
  size_t bytes = kChapterBytes;
};

/// Without a part the list of chapters, else that part: whole lines, at least one. `next` leads to what follows.
/// Errors: usage `report.chapter`.
Result<ToolResult> chapter_result(std::string_view markdown, const std::optional<ChapterPart>& part);

}  // namespace stepwise::engine
