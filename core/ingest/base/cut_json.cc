#include "core/ingest/base/cut_json.h"

#include <string_view>

#include "core/base/text.h"

namespace stepwise::ingest {

std::optional<size_t> close_cut_json(std::string& text, int depth) {
  std::string open;           // the brackets that are open, outermost first
  std::string open_after_it;  // as they were after the last whole object
  size_t whole_end = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      open += c;
    } else if ((c == '}' || c == ']') && !open.empty()) {
      if (c == '}' && static_cast<int>(open.size()) == depth) {
        whole_end = i + 1;
        open_after_it = open.substr(0, open.size() - 1);
      }
      open.pop_back();
    }
  }
  if (open.empty() && !in_string) return std::nullopt;
  text.resize(whole_end);
  for (auto bracket = open_after_it.rbegin(); bracket != open_after_it.rend(); ++bracket) {
    text += *bracket == '{' ? '}' : ']';
  }
  return whole_end;
}

void make_valid_utf8(std::string& text, const std::string& file, Diagnostics& diagnostics) {
  constexpr std::string_view kBom = "\xEF\xBB\xBF";
  if (text.starts_with(kBom)) text.erase(0, kBom.size());
  if (is_valid_utf8(text)) return;
  diagnostics.count(Diag::text_not_utf8, file);
  text = to_valid_utf8(text);
}

}  // namespace stepwise::ingest
