#include "core/report/markdown.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/report/compose.h"
#include "core/report/markdown_table.h"

namespace stepwise::report {
namespace {

size_t longest_run(std::string_view text, char wanted) {
  size_t longest = 0, run = 0;
  for (const char c : text) longest = std::max(longest, run = c == wanted ? run + 1 : 0);
  return longest;
}

/// A fence longer than any run of its sign inside: the text cannot end it.
std::string fenced(const std::string& raw) {
  std::string text = to_valid_utf8(raw);
  std::erase_if(text,
                [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f; });
  const std::string fence(std::max<size_t>(3, longest_run(text, '`') + 1), '`');
  return fence + "\n" + text + (text.ends_with('\n') ? "" : "\n") + fence + "\n\n";
}

class Writer {
 public:
  void operator()(const Heading& heading) {
    end_bullets();
    out +=
        std::string(static_cast<size_t>(heading.level), '#') + " " + escape_markdown(cut_text(heading.text)) + "\n\n";
  }
  void operator()(const Paragraph& paragraph) {
    end_bullets();
    const std::string text = escape_markdown(cut_text(paragraph.text));
    const std::string lead = escape_markdown(paragraph.lead);
    if (!lead.empty()) out += "**" + lead + "**";
    out += (paragraph.is_failure ? "**" + text + "**" : text) + "\n\n";
  }
  void operator()(const Bullet& bullet) {
    out += "- " + escape_markdown(bullet.text) + "\n";
    in_bullets_ = true;
  }
  void operator()(const Table& table) {
    end_bullets();
    out += markdown_of(table);
  }
  void operator()(const Code& code) {
    end_bullets();
    out += fenced(code.text);
  }
  void operator()(const Chart&) {}

  std::string out;

 private:
  void end_bullets() {
    if (in_bullets_) out += "\n";
    in_bullets_ = false;
  }
  bool in_bullets_ = false;
};

}  // namespace

std::string markdown_of(const Document& document) {
  Writer writer;
  for (const Block& block : document.blocks()) std::visit(writer, block);
  while (writer.out.ends_with("\n\n")) writer.out.pop_back();
  return std::move(writer.out);
}

std::string to_markdown(const Json& model, Lang lang) { return markdown_of(compose(model, lang)); }

}  // namespace stepwise::report
