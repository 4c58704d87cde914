#include "core/advice/gate/readable.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "core/advice/gate/entities.h"
#include "core/advice/plain_letters.h"
#include "core/base/text.h"

namespace stepwise::advice {
namespace {

constexpr size_t kMaxTagBytes = 2048;  // a longer one is read as text
constexpr size_t kMaxAddressBytes = 4096;
constexpr std::string_view kPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

/// Where the next byte of a kind is: looked up from left to right, each byte is passed once.
class Next {
 public:
  Next(std::string_view text, std::string_view wanted) : text_(text), wanted_(wanted) {}
  size_t from(size_t at, size_t& steps) {
    if (at_ < at || !is_known_) {
      at_ = text_.find(wanted_, at);
      steps += std::min(at_, text_.size()) - at;
      is_known_ = true;
    }
    return at_;
  }

 private:
  std::string_view text_, wanted_;
  size_t at_ = 0;
  bool is_known_ = false;
};

class Reader {
 public:
  explicit Reader(std::string_view text)
      : text_(text), tag_end_(text, ">"), comment_end_(text, "-->"), address_end_(text, ")") {
    find_code_ends();
    find_links();
  }

  struct Byte {
    char c;
    Zone zone;
    uint32_t at;
  };

  size_t steps() const { return steps_; }

  std::vector<Byte> read() {
    bool is_line_start = true;
    for (size_t i = 0; i < text_.size();) {
      if (is_line_start) {
        is_line_start = false;
        if (const size_t end = read_whole_line(i); end != i) {
          i = end;
          is_line_start = true;
          continue;
        }
      }
      is_line_start = text_[i] == '\n';
      i = read_inline(i);
    }
    out_.push_back({'\n', Zone::hidden, static_cast<uint32_t>(text_.size())});
    out_.insert(out_.end(), hidden_.begin(), hidden_.end());
    return std::move(out_);
  }

 private:
  struct Line {
    size_t end;      // behind the line's end
    size_t content;  // behind blanks and marks of quotes
    size_t indent;   // blanks before it
  };

  Line line_at(size_t at) {
    Line line{text_.find('\n', at), at, 0};
    line.end = line.end == text_.npos ? text_.size() : line.end + 1;
    for (; line.content < line.end; ++line.content) {
      const char c = text_[line.content];
      if (c == '>') {
        line.indent = 0;
      } else if (c == '\t') {
        line.indent += 4;
      } else if (c == ' ') {
        ++line.indent;
      } else {
        break;
      }
    }
    steps_ += line.end - at;
    return line;
  }

  size_t run_at(size_t at) {
    size_t end = at;
    while (end < text_.size() && text_[end] == text_[at]) ++end;
    steps_ += end - at;
    return end - at;
  }

  /// Lines that are read as a whole: of code, and its fences. Returns `at`: it is none.
  size_t read_whole_line(size_t at) {
    const Line line = line_at(at);
    const bool is_blank = line.content >= line.end || text_[line.content] == '\n' || text_[line.content] == '\r';
    const char first = is_blank ? ' ' : text_[line.content];
    const size_t run = first == '`' || first == '~' ? run_at(line.content) : 0;
    if (fence_length_ > 0) {
      if (run >= fence_length_ && first == fence_ &&
          trim(text_.substr(line.content + run, line.end - line.content - run)).empty()) {
        fence_length_ = 0;
        put('\n', Zone::prose, at);
      } else {
        put_code(at, line.end, Zone::block);
      }
      return line.end;
    }
    const std::string_view info = run >= 3 ? text_.substr(line.content + run, line.end - line.content - run) : "";
    if (run >= 3 && info.find('`') == info.npos) {
      fence_ = first;
      fence_length_ = run;
      hide(line.content + run, line.end);
      put('\n', Zone::prose, at);
      return line.end;
    }
    const bool is_indented = !is_blank && line.indent >= 4 && !is_list_ && (after_blank_ || after_code_);
    after_blank_ = is_blank;
    after_code_ = is_indented;
    if (is_indented) {
      put_code(at, line.end, Zone::block);
      return line.end;
    }
    if (!is_blank && line.indent < 4) {
      is_list_ = first == '-' || first == '*' || first == '+' || std::isdigit(static_cast<unsigned char>(first)) != 0;
    }
    return at;
  }

  size_t read_inline(size_t i) {
    const char c = text_[i];
    if (c == '`') return read_inline_code(i);
    if (c == '\\' && i + 1 < text_.size()) {
      if (kPunctuation.find(text_[i + 1]) != kPunctuation.npos) {
        put(text_[i + 1], Zone::prose, i + 1);
        return i + 2;
      }
      if (text_[i + 1] == '\n') return i + 1;
    }
    if (c == '*') return i + run_at(i);
    if (c == '~') {
      const size_t run = run_at(i);
      for (size_t k = 0; run != 2 && k < run; ++k) put(c, Zone::prose, i + k);
      return i + run;
    }
    if (c == '<') return read_tag(i);
    if (c == '[' || c == ']') return read_link(i);
    if (c == '!' && i + 1 < text_.size() && opens_.contains(i + 1)) return i + 1;
    put(c, Zone::prose, i);
    return i + 1;
  }

  size_t read_inline_code(size_t i) {
    const size_t run = run_at(i);
    const auto it = code_ends_.find(i);
    if (it == code_ends_.end()) return i + run;
    put_code(i + run, it->second, Zone::inline_code);
    return it->second + run;
  }

  size_t read_tag(size_t i) {
    if (text_.substr(i, 4) == "<!--") {
      size_t end = comment_end_.from(i + 4, steps_);
      const size_t behind = end == text_.npos ? text_.size() : end + 3;
      end = std::min(end, text_.size());
      hide(i + 4, end);
      return behind;
    }
    const char next = i + 1 < text_.size() ? text_[i + 1] : ' ';
    const size_t end = tag_end_.from(i, steps_);
    const bool is_tag =
        (std::isalpha(static_cast<unsigned char>(next)) != 0 || next == '/' || next == '!' || next == '?') &&
        end != text_.npos && end - i <= kMaxTagBytes;
    if (!is_tag) {
      put('<', Zone::prose, i);
      return i + 1;
    }
    hide(i + 1, end);
    if (next == 'b' && text_.substr(i, 3) == "<br") put(' ', Zone::prose, i);
    return end + 1;
  }

  size_t read_link(size_t i) {
    if (opens_.contains(i)) return i + 1;
    const auto it = closes_.find(i);
    if (it == closes_.end()) {
      put(text_[i], Zone::prose, i);
      return i + 1;
    }
    if (it->second > i + 1) hide(i + 2, it->second - 1);
    return it->second;
  }

  void put(char c, Zone zone, size_t at) { out_.push_back({c, zone, static_cast<uint32_t>(at)}); }

  /// A backslash before an underscore shows in code, but hides nothing more.
  void put_code(size_t begin, size_t end, Zone zone) {
    for (size_t i = begin; i < end; ++i) {
      if (text_[i] == '\\' && i + 1 < end && (text_[i + 1] == '_' || text_[i + 1] == '\n')) continue;
      put(text_[i], zone, i);
    }
  }

  void hide(size_t begin, size_t end) {
    const auto hex = [&](size_t at) {
      const auto byte = static_cast<unsigned char>(text_[at]);
      return std::isxdigit(byte) == 0 ? -1 : std::isdigit(byte) != 0 ? byte - '0' : std::tolower(byte) - 'a' + 10;
    };
    for (size_t i = begin; i < end; ++i) {
      char c = text_[i];
      const auto at = static_cast<uint32_t>(i);
      if (c == '%' && i + 2 < end && hex(i + 1) >= 0 && hex(i + 2) >= 0) {
        c = static_cast<char>(hex(i + 1) * 16 + hex(i + 2));
        i += 2;
      }
      if (c == '\\' && i + 1 < end && text_[i + 1] == '_') continue;
      hidden_.push_back({c, Zone::hidden, at});
    }
    hidden_.push_back({'\n', Zone::hidden, static_cast<uint32_t>(end > begin ? end - 1 : begin)});
  }

  /// Of each run of backticks the next of the same length in the same paragraph.
  void find_code_ends() {
    struct Run {
      size_t at, length, paragraph;
    };
    std::vector<Run> runs;
    size_t paragraph = 0;
    bool is_blank = true;
    for (size_t i = 0; i < text_.size();) {
      const char c = text_[i];
      if (c == '`') {
        const size_t length = run_at(i);
        if (is_blank && length >= 3) ++paragraph;
        runs.push_back({i, length, paragraph});
        i += length;
        is_blank = false;
        continue;
      }
      if (c == '\n') {
        if (is_blank) ++paragraph;
        is_blank = true;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        is_blank = false;
      }
      ++i;
    }
    std::map<size_t, Run> last;  // by length
    for (size_t i = runs.size(); i-- > 0;) {
      const auto it = last.find(runs[i].length);
      if (it != last.end() && it->second.paragraph == runs[i].paragraph) code_ends_[runs[i].at] = it->second.at;
      last[runs[i].length] = runs[i];
    }
  }

  /// `[text](address)`, `[text][name]`, `[name]`: the brackets around the text go, the address is hidden.
  void find_links() {
    std::set<std::string_view> names;
    for (size_t i = text_.find("]:"); i != text_.npos; i = text_.find("]:", i + 2)) {
      const size_t open = text_.substr(i < 128 ? 0 : i - 128, std::min<size_t>(i, 128)).rfind('[');
      if (open != text_.npos)
        names.insert(text_.substr((i < 128 ? 0 : i - 128) + open + 1, i - (i < 128 ? 0 : i - 128) - open - 1));
    }
    std::vector<size_t> open;
    for (size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] == '[') {
        open.push_back(i);
      } else if (text_[i] == ']' && !open.empty()) {
        const size_t begin = open.back();
        open.pop_back();
        size_t behind = 0;
        const char next = i + 1 < text_.size() ? text_[i + 1] : ' ';
        if (next == '(') {
          const size_t end = address_end_.from(i + 1, steps_);
          if (end != text_.npos && end - i <= kMaxAddressBytes) behind = end + 1;
        } else if (next == '[') {
          const size_t end = text_.substr(i + 2, 128).find(']');
          if (end != text_.npos && (end == 0 || names.contains(text_.substr(i + 2, end)))) behind = i + end + 3;
        } else if (next != ':' && names.contains(text_.substr(begin + 1, i - begin - 1))) {
          behind = i + 1;
        }
        if (behind == 0) continue;
        opens_.insert(begin);
        closes_[i] = behind;
      }
    }
  }

  std::string_view text_;
  Next tag_end_, comment_end_, address_end_;
  std::vector<Byte> out_, hidden_;
  std::map<size_t, size_t> code_ends_, closes_;
  std::set<size_t> opens_;
  size_t steps_ = 0;
  char fence_ = 0;
  size_t fence_length_ = 0;
  bool after_blank_ = true, after_code_ = false, is_list_ = false;
};

}  // namespace

Readable read_markdown(std::string_view text) {
  const Decoded decoded = decode_entities(text);
  const PlainText plain = plain_letters_with_offsets(decoded.text);
  Reader reader(plain.text);
  const std::vector<Reader::Byte> bytes = reader.read();
  Readable out;
  out.text.reserve(bytes.size());
  const auto origin = [&](size_t at) { return decoded.offsets[plain.offsets[std::min(at, plain.text.size())]]; };
  for (const Reader::Byte& one : bytes) {
    out.text += one.c;
    out.zones.push_back(one.zone);
    out.begin.push_back(origin(one.at));
    out.end.push_back(origin(one.at + 1));
  }
  out.steps = text.size() + bytes.size() + reader.steps();
  return out;
}

}  // namespace stepwise::advice
