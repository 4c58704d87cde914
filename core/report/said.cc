#include "core/report/said.h"

#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace stepwise::report {
namespace {

constexpr int kDeepest = 3;  // of a sentence within a sentence

struct Piece {
  std::string_view literal;  // in front of the slot
  size_t slot = 0;
  std::string_view kind;  // behind the colon
  bool has_slot = false;
};

std::vector<Piece> pieces_of(std::string_view pattern) {
  std::vector<Piece> pieces;
  for (;;) {
    const size_t open = pattern.find('{');
    const size_t close = open == pattern.npos ? pattern.npos : pattern.find('}', open);
    if (close == pattern.npos) break;
    Piece one{pattern.substr(0, open), static_cast<size_t>(pattern[open + 1] - '0'), {}, true};
    if (pattern[open + 2] == ':') one.kind = pattern.substr(open + 3, close - open - 3);
    pieces.push_back(one);
    pattern.remove_prefix(close + 1);
  }
  pieces.push_back({pattern, 0, {}, false});
  return pieces;
}

using Slots = std::array<std::string_view, 10>;

/// Each slot ends where the text behind it first stands; the last text must end the whole.
std::optional<Slots> slots_of(const std::vector<Piece>& pieces, std::string_view text) {
  Slots slots;
  if (!text.starts_with(pieces.front().literal)) return std::nullopt;
  text.remove_prefix(pieces.front().literal.size());
  for (size_t i = 1; i < pieces.size(); ++i) {
    const std::string_view behind = pieces[i].literal;
    const bool is_last = i + 1 == pieces.size();
    if (is_last && (text.size() < behind.size() || !text.ends_with(behind))) return std::nullopt;
    const size_t end = is_last ? text.size() - behind.size() : text.find(behind, 1);
    if (end == text.npos || end == 0) return std::nullopt;
    slots[pieces[i - 1].slot] = text.substr(0, end);
    text.remove_prefix(end + behind.size());
  }
  if (!text.empty()) return std::nullopt;
  return slots;
}

std::string said_at(std::span<const SaidPattern> patterns, std::string_view text, int depth) {
  if (depth > kDeepest) return std::string(text);
  for (const SaidPattern& pattern : patterns) {
    const auto slots = slots_of(pieces_of(pattern.en), text);
    if (!slots) continue;
    std::string out;
    for (const Piece& piece : pieces_of(pattern.zh)) {
      out += piece.literal;
      if (!piece.has_slot) continue;
      const std::string_view value = (*slots)[piece.slot];
      if (piece.kind.empty()) out += value;
      if (piece.kind == "said") out += said_at(patterns, value, depth + 1);
      if (!piece.kind.empty() && piece.kind != "said") out += label(Lang::zh, piece.kind, value);
    }
    return out;
  }
  return std::string(text);
}

}  // namespace

std::string said_by(std::span<const SaidPattern> patterns, std::string_view text) { return said_at(patterns, text, 0); }

std::string said(Lang lang, std::string_view text) {
  if (lang != Lang::zh || text.empty()) return std::string(text);
  for (const auto& patterns : {said_of_evidence(), said_of_gaps(), said_of_next()}) {
    std::string out = said_by(patterns, text);
    if (out != text) return out;
  }
  // What several analyses say of one thing is joined.
  for (size_t end = text.find("; "); end != text.npos; end = text.find("; ", end + 2)) {
    const std::string first = said(lang, text.substr(0, end));
    if (first != text.substr(0, end)) return first + "；" + said(lang, text.substr(end + 2));
  }
  return std::string(text);
}

}  // namespace stepwise::report
