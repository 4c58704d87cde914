#include "core/engine/report_chapters.h"

#include <utility>

namespace stepwise::engine {
namespace {

constexpr std::string_view kHeading = "## ";
constexpr size_t kMaxMarkdownChars = 30'000;  // 7,500 tokens: beside the envelope an answer has room for so much

Error unknown_chapter(size_t count) {
  return {ErrorKind::usage, "report.chapter", "The report has the chapters 1 to " + std::to_string(count) + ".",
          "Call read_report without `chapter`: it names them.", "/chapter"};
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

Result<ToolResult> chapter_result(std::string_view markdown, std::optional<size_t> number) {
  const auto chapters = report_chapters(markdown);
  if (!number) return list_of(chapters);
  if (*number < 1 || *number > chapters.size()) return unknown_chapter(chapters.size());
  const ReportChapter& chapter = chapters[*number - 1];
  std::string_view text = chapter.text;
  if (text.size() > kMaxMarkdownChars) text = text.substr(0, text.rfind('\n', kMaxMarkdownChars) + 1);
  ToolResult result;
  result.body = {{"chapter", *number}, {"title", chapter.title}, {"markdown", text}};
  if (const size_t left = chapter.text.size() - text.size(); left > 0) {
    result.warnings.push_back({"report.cut", "The chapter goes on for " + std::to_string(left) +
                                                 " characters: write_report writes it whole."});
  }
  result.text = "\n";  // instead of the body: the pieces are the same
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    result.pieces.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return result;
}

}  // namespace stepwise::engine
