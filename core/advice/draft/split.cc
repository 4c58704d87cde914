#include "core/advice/draft/split.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "core/base/characters.h"
#include "core/base/text.h"

namespace stepwise::advice {
namespace {

constexpr size_t kMaxLabelBytes = 48;

struct Line {
  size_t begin = 0, end = 0;  // with its line end
  size_t indent = 0;
  std::string_view text;  // without blanks around it
};

/// Behind "- ", "* ", "1. ", "2) ", "措施3：" at the start; 0: no entry of a list.
size_t marker_of(std::string_view text) {
  if (text.size() >= 2 && (text[0] == '-' || text[0] == '*' || text[0] == '+') && text[1] == ' ') return 2;
  size_t i = 0;
  while (i < text.size() && i < 4 && is_digit(text[i])) ++i;
  if (i > 0 && i < text.size() && (text[i] == '.' || text[i] == ')')) {
    return i + 1 == text.size() || text[i + 1] == ' ' || static_cast<unsigned char>(text[i + 1]) >= 0x80 ? i + 1 : 0;
  }
  for (const std::string_view mark : {"、", "）"}) {
    if (i > 0 && text.substr(i, mark.size()) == mark) return i + mark.size();
  }
  return 0;
}

/// "Gain: ...", "**预期收益**：...": the label of a field of the item that it stands in; empty: it is none.
std::string field_label(std::string_view text) {
  static constexpr auto kLabels = std::to_array<std::string_view>(
      {"trigger", "condition", "gain",     "benefit",  "expected", "example", "source", "reference", "risk",   "where",
       "why",     "when",      "evidence", "priority", "problem",  "measure", "note",   "how",       "action", "code",
       "触发",    "条件",      "适用",     "预期",     "收益",     "实施",    "示例",   "来源",      "参考",   "风险",
       "优先级",  "位置",      "证据",     "问题",     "措施",     "说明",    "约束",   "注意",      "依据",   "步骤"});
  std::string label;
  for (size_t i = 0; i < text.size() && i < kMaxLabelBytes; ++i) {
    if (text[i] == ':' || text.substr(i, 3) == "：") {
      if (!label.empty() && is_digit(label.back())) return "";  // "Measure 3:" is an item
      const auto begins = [&](std::string_view one) { return label.compare(0, one.size(), one) == 0; };
      const bool is_label =
          std::any_of(kLabels.begin(), kLabels.end(), begins) || label.find("optimization") != label.npos;
      return is_label ? label : "";
    }
    const char c = text[i];
    if (c == '*' || c == '_' || c == '`' || (c == ' ' && label.empty())) continue;
    label += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return "";
}

bool is_field(std::string_view text) { return !field_label(text).empty(); }

bool is_table_rule(std::string_view text) {
  return text.find('-') != text.npos && text.find('|') != text.npos &&
         std::all_of(text.begin(), text.end(), [](char c) { return c == '|' || c == '-' || c == ':' || c == ' '; });
}

bool is_row(std::string_view text) { return text.size() > 2 && text.front() == '|'; }

class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  std::vector<DraftItem> split() {
    for (size_t at = 0; at < text_.size();) {
      const Line line = line_at(at);
      read(line);
      at = line.end;
    }
    close(text_.size());
    return std::move(items_);
  }

 private:
  enum class Kind : uint8_t { none, heading, entry, paragraph, row };

  Line line_at(size_t at) const {
    Line line{at, text_.find('\n', at), 0, {}};
    line.end = line.end == text_.npos ? text_.size() : line.end + 1;
    const std::string_view whole = text_.substr(at, line.end - at);
    line.text = trim(whole);
    while (!line.text.empty() && (whole[line.indent] == ' ' || whole[line.indent] == '\t')) ++line.indent;
    return line;
  }

  /// A fence's line, or one within: it belongs to the item at hand.
  bool read_code(const Line& line) {
    const char c = line.text.empty() ? ' ' : line.text[0];
    size_t run = 0;
    while (run < line.text.size() && (c == '`' || c == '~') && line.text[run] == c) ++run;
    if (fence_ > 0) {
      if (c == fence_char_ && run >= fence_ && run == line.text.size()) fence_ = 0;
      return true;
    }
    if (run < 3 || line.text.find('`', run) != line.text.npos) return false;
    fence_ = run;
    fence_char_ = c;
    return true;
  }

  void read(const Line& line) {
    if (read_code(line)) {
      has_body_ = true;
      after_blank_ = false;
      return;
    }
    if (line.text.empty()) {
      after_blank_ = true;
      return;
    }
    if (line.text[0] == '#') {
      begin(line, Kind::heading);
    } else if (is_row(line.text)) {
      read_row(line);
    } else if (const size_t marker = marker_of(line.text); marker > 0 && line.indent < 2) {
      read_entry(line, field_label(trim(line.text.substr(marker))));
    } else if (after_blank_ && line.indent < 2 && !is_field(line.text) && kind_ != Kind::heading &&
               kind_ != Kind::none) {
      begin(line, Kind::paragraph);
    } else if (kind_ == Kind::none) {
      begin(line, Kind::paragraph);
    } else {
      has_body_ = true;
    }
    after_blank_ = false;
  }

  /// `label`: of a field, else empty.
  void read_entry(const Line& line, const std::string& label) {
    // "1. Problem: ...", "2. Problem: ...": where the first of its fields comes again, an item begins.
    const bool is_of_item = !label.empty() && kind_ != Kind::none && label != first_label_;
    if (is_of_item) {
      if (first_label_.empty()) first_label_ = label;
      has_body_ = true;
      return;
    }
    // Under a heading that already says something, entries of a list are items beside it.
    begin(line, Kind::entry);
    first_label_ = label;
  }

  void read_row(const Line& line) {
    if (is_table_rule(line.text)) {
      columns_ = last_row_;
      has_body_ = has_body_ && kind_ != Kind::row;
      is_head_ = true;
      return;
    }
    last_row_ = line.text;
    if (!columns_.empty() && is_head_) {
      // The head of the table goes with its first row.
      is_head_ = false;
      items_at_hand_columns_ = columns_;
      has_body_ = true;
      return;
    }
    if (kind_ == Kind::row && after_blank_) columns_ = {};
    begin(line, Kind::row);
    items_at_hand_columns_ = columns_;
  }

  void begin(const Line& line, Kind kind) {
    // A heading alone goes with what stands below it.
    const bool is_heading_alone = kind_ == Kind::heading && !has_body_;
    if (kind_ != Kind::none && !is_heading_alone) close(line.begin);
    first_label_.clear();
    if (kind != Kind::row) columns_ = items_at_hand_columns_ = {};
    // What a heading says alone, its first paragraph goes on with; an entry below it is an item of its own.
    kind_ = kind;
    has_body_ = kind != Kind::heading;
    is_head_ = false;
  }

  void close(size_t end) {
    if (end > begin_ && !trim(text_.substr(begin_, end - begin_)).empty()) {
      items_.push_back({begin_, end - begin_, text_.substr(begin_, end - begin_), items_at_hand_columns_});
      begin_ = end;
    }
  }

  std::string_view text_;
  std::vector<DraftItem> items_;
  size_t begin_ = 0;
  Kind kind_ = Kind::none;
  bool has_body_ = false, after_blank_ = false, is_head_ = false;
  char fence_char_ = 0;
  size_t fence_ = 0;
  std::string_view last_row_, columns_, items_at_hand_columns_;
  std::string first_label_;  // of the item's fields
};

}  // namespace

std::vector<DraftItem> split_draft(std::string_view markdown) { return Splitter(markdown).split(); }

}  // namespace stepwise::advice
