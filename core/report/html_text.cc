#include "core/report/html_text.h"

#include "core/base/text.h"
#include "core/report/markdown_table.h"

namespace stepwise::report {
namespace {

constexpr size_t kLongestUnbroken = 32;  // characters of a name before it may break anywhere

void add_escaped(char c, std::string& out) {
  switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    default: {
      const auto byte = static_cast<unsigned char>(c);
      if ((byte >= 0x20 || c == '\n' || c == '\t') && byte != 0x7f) out += c;
    }
  }
}

bool may_break_after(char c) { return std::string_view("_/;,:.|=-").find(c) != std::string_view::npos; }

/// Names of operators and files have no spaces: without places to break, one of them makes its column as wide as it is.
std::string with_breaks(std::string_view text) {
  std::string out;
  size_t run = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool begins_character = (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80;
    if (begins_character && run >= kLongestUnbroken) {
      out += "<wbr>";
      run = 0;
    }
    add_escaped(text[i], out);
    if (text[i] == ' ') {
      run = 0;
    } else if (may_break_after(text[i]) && run > 4 && i + 1 < text.size() && text[i + 1] != ' ') {
      out += "<wbr>";
      run = 0;
    } else if (begins_character) {
      ++run;
    }
  }
  return out;
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : to_valid_utf8(text)) add_escaped(c, out);
  return out;
}

std::string html_text(std::string_view raw) {
  const std::string text = to_valid_utf8(raw);
  std::string out;
  size_t plain = 0;
  const auto flush = [&](size_t end) { out += with_breaks(std::string_view(text).substr(plain, end - plain)); };
  for (size_t i = 0; i < text.size();) {
    const size_t span = code_span_at(text, i);
    if (span == 0) {
      ++i;
      continue;
    }
    flush(i);
    out += "<code>" + with_breaks(std::string_view(text).substr(i + 1, span - 2)) + "</code>";
    plain = i += span;
  }
  flush(text.size());
  return out;
}

std::string html_link(std::string_view address) {
  const bool followable = address.starts_with("https://") || address.starts_with("http://");
  if (!followable) return html_text(address);
  return "<a href=\"" + escape_html(address) + "\" rel=\"noreferrer\">" + html_text(address) + "</a>";
}

}  // namespace stepwise::report
