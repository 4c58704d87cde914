#include "core/advice/draft/visible.h"

#include <algorithm>

#include "core/advice/plain_letters.h"

namespace stepwise::advice {

std::string visible_markdown(std::string_view text) {
  std::string without;
  for (size_t i = 0; i < text.size();) {
    const size_t open = text.find("<!--", i);
    without += text.substr(i, std::min(open, text.size()) - i);
    if (open == text.npos) break;
    const size_t close = text.find("-->", open + 4);
    if (close == text.npos) break;
    i = close + 3;
  }
  // What plain_letters leaves out has no width. Of the rest each letter is copied as it was written.
  const PlainText plain = plain_letters_with_offsets(without);
  std::string out;
  for (size_t i = 0; i + 1 < plain.offsets.size(); ++i) {
    const size_t begin = plain.offsets[i];
    const auto lead = static_cast<unsigned char>(without[begin]), shown = static_cast<unsigned char>(plain.text[i]);
    const size_t bytes = lead < 0x80 || shown >= 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    out += std::string_view(without).substr(begin, bytes);
  }
  return out;
}

}  // namespace stepwise::advice
