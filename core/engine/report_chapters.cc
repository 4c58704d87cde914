#include "core/engine/report_chapters.h"

#include <algorithm>
#include <utility>

namespace stepwise::engine {
namespace {

constexpr std::string_view kHeading = "## ";

Error unknown_chapter(size_t count) {
  return {ErrorKind::usage, "report.chapter", "The report has the chapters 1 to " + std::to_string(count) + ".",
          "Call read_report without `chapter`: it names them.", "/chapter"};
}

/// Of the line that holds the byte.
size_t line_begin(std::string_view text, size_t at) {
  if (at == 0 || at >= text.size()) return std::min(at, text.size());
  const size_t before = text.rfind('\n', at - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}

/// Behind the last line that fits, and behind the first one in any case.
size_t part_end(std::string_view text, size_t begin, size_t bytes) {
  if (text.size() - begin <= bytes) return text.size();
  const size_t last = text.rfind('\n', begin + bytes - 1);
  if (last != std::string_view::npos && last >= begin) return last + 1;
  const size_t first = text.find('\n', begin);
  return first == std::string_view::npos ? text.size() : first + 1;
}

ToolResult list_of(const std::vector<ReportChapter>& chapters) {
  ToolResult result;
  Json list = Json::array();
  for (size_t i = 0; i < chapters.size(); ++i) {
    list.push_back({{"chapter", i + 1}, {"title", chapters[i].title}, {"chars", chapters[i].text.size()}});
    result.text += chapters[i].title + " (" + std::to_string(chapters[i].text.size()) + " characters)\n";
  }
  result.body["chapters"] = std::move(list);
  return result;
}

}  // namespace

std::vector<ReportChapter> report_chapters(std::string_view markdown) {
  std::vector<ReportChapter> chapters;
  std::vector<size_t> begins;
  for (size_t at = 0; at < markdown.size();) {
    const size_t end = markdown.find('\n', at);
    if (markdown.substr(at, kHeading.size()) == kHeading) begins.push_back(at);
    if (end == std::string_view::npos) break;
    at = end + 1;
  }
  for (size_t i = 0; i < begins.size(); ++i) {
    const size_t end = i + 1 < begins.size() ? begins[i + 1] : markdown.size();
    const std::string_view text = markdown.substr(begins[i], end - begins[i]);
    chapters.push_back({std::string(text.substr(kHeading.size(), text.find('\n') - kHeading.size())), text});
  }
  return chapters;
}

Result<ToolResult> chapter_result(std::string_view markdown, const std::optional<ChapterPart>& part) {
  const auto chapters = report_chapters(markdown);
  if (!part) return list_of(chapters);
  if (part->chapter < 1 || part->chapter > chapters.size()) return unknown_chapter(chapters.size());
  const ReportChapter& chapter = chapters[part->chapter - 1];
  const size_t begin = line_begin(chapter.text, part->from), end = part_end(chapter.text, begin, part->bytes);
  const std::string_view text = chapter.text.substr(begin, end - begin);
  ToolResult result;
  result.body = {{"chapter", part->chapter}, {"title", chapter.title}, {"markdown", text}};
  if (begin > 0) result.body["from"] = begin;
  if (const size_t left = chapter.text.size() - end; left > 0) {
    Json arguments = {{"chapter", part->chapter}, {"from", end}};
    if (part->bytes != kChapterBytes) arguments["bytes"] = part->bytes;
    result.next.push_back(
        {"read_report", std::move(arguments), "the chapter goes on for " + std::to_string(left) + " bytes"});
  }
  result.text = "\n";  // instead of the body: the pieces are the same
  for (size_t at = 0; at < text.size();) {
    const size_t next_line = std::min(text.find('\n', at), text.size() - 1) + 1;
    result.pieces.emplace_back(text.substr(at, next_line - at));
    at = next_line;
  }
  return result;
}

}  // namespace stepwise::engine
