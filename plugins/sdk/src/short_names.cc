#include "stepwise/short_names.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace stepwise {
namespace {

constexpr std::string_view kVoid = "void ", kAnonymous = "(anonymous namespace)::";

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

size_t columns_of(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

/// The bytes of its first `columns` code points.
std::string_view first(std::string_view text, size_t columns) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (starts_character(text[at]) && columns-- == 0) return text.substr(0, at);
  }
  return text;
}

std::string_view last(std::string_view text, size_t columns) {
  const size_t all = columns_of(text);
  return all <= columns ? text : text.substr(first(text, all - columns).size());
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

bool is_template(std::string_view name) {
  return name.substr(0, kVoid.size()) == kVoid || (name.find('<') != std::string_view::npos && name.front() != '<');
}

/// Without the list of parameters that it ends in: "f<int>(int, float)". A blank before the list is prose:
/// "Memcpy DtoH (Device -> Pageable)".
std::string_view without_parameters(std::string_view name) {
  if (name.empty() || name.back() != ')') return name;
  int depth = 0;
  for (size_t at = name.size(); at-- > 1;) {
    if (name[at] == ')') ++depth;
    if (name[at] == '(' && --depth == 0) return name[at - 1] == ' ' ? name : name.substr(0, at);
  }
  return name;
}

/// A template without what repeats and what says where it was declared; any other name as it is.
std::string folded(std::string_view name) {
  if (!is_template(name)) return std::string(name);
  if (name.substr(0, kVoid.size()) == kVoid) name.remove_prefix(kVoid.size());
  name = without_parameters(name);
  std::string out;
  for (size_t at = 0; at < name.size();) {
    if (name.substr(at, kAnonymous.size()) == kAnonymous) {
      at += kAnonymous.size();
      continue;
    }
    if (name[at] == ' ' && at > 0 && name[at - 1] == '>' && at + 1 < name.size() && name[at + 1] == '>') {
      ++at;  // "> >" of old compilers
      continue;
    }
    const bool begins_word = is_letter(name[at]) && (at == 0 || !is_word(name[at - 1]));
    size_t end = at;
    while (begins_word && end < name.size() && is_word(name[end])) ++end;
    const bool qualifies = begins_word && name.substr(end, 2) == "::" && end + 2 < name.size() &&
                           (is_letter(name[end + 2]) || name[end + 2] == '(');
    if (qualifies) {
      at = end + 2;
    } else {
      end = std::max(end, at + 1);
      out.append(name, at, end - at);
      at = end;
    }
  }
  return out;
}

/// The middle left out, if anything is.
std::string squeezed(std::string_view text, size_t max_columns, std::string_view mark) {
  if (columns_of(text) <= max_columns) return std::string(text);
  const size_t room = max_columns - std::min(max_columns, columns_of(mark));
  const size_t head = room - room / 2;
  return std::string(first(text, head)).append(mark).append(last(text, room / 2));
}

/// The end left out, if anything is.
std::string cut(std::string_view text, size_t max_columns, std::string_view mark) {
  if (columns_of(text) <= max_columns) return std::string(text);
  return std::string(first(text, max_columns - std::min(max_columns, columns_of(mark)))).append(mark);
}

/// How many bytes all of them begin with, up to the beginning of a character.
size_t common_start(const std::vector<std::string>& texts) {
  size_t length = texts.front().size();
  for (const std::string& text : texts) {
    const size_t most = std::min(length, text.size());
    length = static_cast<size_t>(
        std::mismatch(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(most), texts.front().begin()).first -
        text.begin());
  }
  while (length > 0 && length < texts.front().size() && !starts_character(texts.front()[length])) --length;
  return length;
}

/// Where to go on behind the mark: at a word before the difference, so far before it that half of the room is left for
/// it, or farther where the rest does not fill the room.
size_t start_of_difference(const std::string& text, size_t common, size_t room) {
  const std::string_view whole = text;
  const size_t rest = columns_of(whole.substr(common));
  const size_t back = std::max(room / 2, room - std::min(room, rest));
  const size_t earliest = common - last(whole.substr(0, common), back).size();
  for (size_t at = earliest; at < common; ++at) {
    if (is_word(text[at]) && (at == 0 || !is_word(text[at - 1]))) return at;
  }
  return earliest;
}

/// Names that look alike: the beginning, the mark, and on from where they differ.
void tell_apart(const std::vector<std::string_view>& alike, size_t max_columns, std::string_view mark,
                std::map<std::string_view, std::string>& texts) {
  std::vector<std::string> whole;
  for (const std::string_view name : alike) whole.push_back(folded(name));
  if (std::set<std::string>(whole.begin(), whole.end()).size() < whole.size()) whole.assign(alike.begin(), alike.end());
  const size_t common = common_start(whole), mark_columns = columns_of(mark);
  const size_t head = max_columns / 3;
  const size_t room = max_columns - std::min(max_columns, head + mark_columns);
  for (size_t i = 0; i < alike.size(); ++i) {
    const size_t from = start_of_difference(whole[i], common, room);
    const std::string_view start = std::string_view(whole[i]).substr(0, from);
    if (columns_of(start) <= head + mark_columns) {
      texts[alike[i]] = cut(whole[i], max_columns, mark);
    } else {
      texts[alike[i]] =
          std::string(first(start, head)).append(mark) + cut(std::string_view(whole[i]).substr(from), room, mark);
    }
  }
}

using Texts = std::map<std::string_view, std::string>;  // by name
using Alike = std::map<std::string, std::vector<std::string_view>>;

/// Those that share a text.
Alike look_alikes(const Texts& texts) {
  Alike alike;
  for (const auto& [name, text] : texts) alike[text].push_back(name);
  std::erase_if(alike, [](const auto& entry) { return entry.second.size() < 2; });
  return alike;
}

/// They differ in several places, none of which shows all: a number has to do.
void number(size_t max_columns, std::string_view mark, Texts& texts) {
  std::set<std::string> used;
  for (const auto& [name, text] : texts) used.insert(text);
  for (const auto& [text, names] : look_alikes(texts)) {
    size_t count = 1;
    for (size_t i = 1; i < names.size(); ++i) {
      do {
        const std::string end = "#" + std::to_string(++count);
        texts[names[i]] = cut(text, max_columns - std::min(max_columns, end.size()), mark) + end;
      } while (!used.insert(texts[names[i]]).second);
    }
  }
}

}  // namespace

std::string short_name(std::string_view name, size_t max_columns, std::string_view mark) {
  if (columns_of(name) <= max_columns) return std::string(name);
  const std::string text = folded(name);
  if (columns_of(text) <= max_columns) return text;
  const size_t arguments = is_template(name) ? text.find('<') : std::string::npos;
  // One argument without arguments of its own is a name like any other: "Kernel<cutlass_80_tensorop_...>".
  const bool is_plain =
      arguments == std::string::npos || arguments == 0 || text.find_first_of("<,", arguments + 1) == std::string::npos;
  if (is_plain) return squeezed(text, max_columns, mark);
  const std::string base = squeezed(std::string_view(text).substr(0, arguments), max_columns * 2 / 3, mark);
  return base + cut(std::string_view(text).substr(arguments), max_columns - columns_of(base), mark);
}

std::vector<std::string> short_names(const std::vector<std::string_view>& names, size_t max_columns,
                                     std::string_view mark) {
  constexpr int kRounds = 8;
  Texts texts;
  for (const std::string_view name : names) texts.try_emplace(name, short_name(name, max_columns, mark));
  for (int round = 0; round < kRounds; ++round) {
    const Alike alike = look_alikes(texts);
    if (alike.empty()) break;
    for (const auto& [text, group] : alike) tell_apart(group, max_columns, mark, texts);
  }
  number(max_columns, mark, texts);
  std::vector<std::string> out;
  for (const std::string_view name : names) out.push_back(texts[name]);
  return out;
}

}  // namespace stepwise
