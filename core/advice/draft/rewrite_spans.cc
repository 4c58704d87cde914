#include "core/advice/draft/rewrite_spans.h"

#include "core/base/characters.h"

#include <algorithm>
#include <array>

namespace stepwise::advice {
namespace {

constexpr size_t kMaxCodeBytes = 512;  // of inline code that is replaced as a whole
constexpr size_t kNone = std::string_view::npos;

/// Behind the bracket that closes the one at `open`, on the same line; kNone: none does.
size_t closed_end(std::string_view text, size_t open) {
  size_t depth = 0;
  for (size_t i = open; i < text.size() && i - open < kMaxCodeBytes && text[i] != '\n'; ++i) {
    if (text[i] == '(' || text[i] == '[' || text[i] == '{') ++depth;
    if ((text[i] == ')' || text[i] == ']' || text[i] == '}') && --depth == 0) return i + 1;
  }
  return kNone;
}

}  // namespace

std::vector<Span> code_blocks(std::string_view text) {
  std::vector<Span> blocks;
  bool is_open = false;
  char fence = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t next = std::min(text.find('\n', at), text.size() - 1) + 1;
    const size_t first = text.find_first_not_of(" \t>", at);
    const std::string_view line = first < next ? text.substr(first, next - first) : std::string_view{};
    const bool is_fence = line.substr(0, 3) == "```" || line.substr(0, 3) == "~~~";
    if (is_fence && (!is_open || line[0] == fence)) {
      if (!is_open) blocks.push_back({at, text.size()});
      if (is_open) blocks.back().end = next;
      is_open = !is_open;
      fence = line[0];
    }
    at = next;
  }
  return blocks;
}

bool is_in(const std::vector<Span>& spans, size_t at) {
  const auto it = std::upper_bound(spans.begin(), spans.end(), at,
                                   [](size_t wanted, const Span& one) { return wanted < one.begin; });
  return it != spans.begin() && at < std::prev(it)->end;
}

Span lines_of(std::string_view text, Span span) {
  const size_t begin = span.begin == 0 ? kNone : text.rfind('\n', span.begin - 1);
  const size_t end = text.find('\n', std::max(span.begin, span.end - 1));
  return {begin == kNone ? 0 : begin + 1, end == kNone ? text.size() : end + 1};
}

Span code_around(std::string_view text, Span span) {
  const size_t from = span.begin < kMaxCodeBytes ? 0 : span.begin - kMaxCodeBytes;
  const std::string_view before = text.substr(from, span.begin - from), behind = text.substr(span.end, kMaxCodeBytes);
  const size_t open = before.find_last_of("`\n"), close = behind.find_first_of("`\n");
  if (open == kNone || close == kNone || before[open] != '`' || behind[close] != '`') return span;
  size_t begin = from + open, end = span.end + close;
  while (begin > from && text[begin - 1] == '`') --begin;
  while (end < text.size() && text[end] == '`') ++end;
  return {begin, end};
}

Span with_command(std::string_view text, Span span) {
  static constexpr auto kCommands =
      std::to_array<std::string_view>({"export ", "setenv ", "unset ", "env ", "ENV ", "-e ", "-x ", "$env:"});
  for (const std::string_view one : kCommands) {
    if (span.begin >= one.size() && text.substr(span.begin - one.size(), one.size()) == one) span.begin -= one.size();
  }
  return span;
}

Span expression_around(std::string_view text, Span span) {
  while (span.begin > 1 && text[span.begin - 1] == '.' && is_word(text[span.begin - 2])) {
    --span.begin;
    while (span.begin > 0 && is_word(text[span.begin - 1])) --span.begin;
  }
  if (span.end < text.size() && text[span.end] == '(') {
    const size_t end = closed_end(text, span.end);
    if (end != kNone) span.end = end;
  }
  if (span.begin == 0 || (text[span.begin - 1] != '"' && text[span.begin - 1] != '\'')) return span;
  // A key: from the brace that it stands behind, with `options=` before it.
  const size_t from = span.begin < kMaxCodeBytes ? 0 : span.begin - kMaxCodeBytes;
  const std::string_view before = text.substr(from, span.begin - from);
  const size_t brace = before.find_last_of("{}\n");
  if (brace == kNone || before[brace] != '{') return span;
  const size_t end = closed_end(text, from + brace);
  if (end == kNone || end < span.end) return span;
  size_t begin = from + brace;
  while (begin > 0 && (text[begin - 1] == '=' || is_word(text[begin - 1]))) --begin;
  return {begin, end};
}

bool is_in_two_cells(std::string_view text, const Mention& mention) {
  const size_t name_end = mention.offset + mention.length;
  if (!mention.value || mention.value_end <= name_end) return false;
  const std::string_view rest = text.substr(name_end, mention.value_end - name_end);
  const size_t first = rest.find_first_not_of(" `*\t");
  return first != rest.npos && rest[first] == '|';
}

}  // namespace stepwise::advice
