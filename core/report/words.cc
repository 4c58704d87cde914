#include "core/report/words.h"

#include <algorithm>

#include "core/report/word_tables.h"

namespace stepwise::report {

std::optional<Lang> lang_from(std::string_view name) {
  if (name == "en") return Lang::en;
  if (name == "zh") return Lang::zh;
  return std::nullopt;
}

namespace {

const WordEntry* find_entry(std::string_view key) {
  for (const std::span<const WordEntry> table : word_tables()) {
    const auto at = std::ranges::lower_bound(table, key, {}, &WordEntry::key);
    if (at != table.end() && at->key == key) return &*at;
  }
  return nullptr;
}

std::string_view text_of(const WordEntry& entry, Lang lang) { return lang == Lang::zh ? entry.zh : entry.en; }

}  // namespace

std::string_view word(Lang lang, std::string_view key) {
  const WordEntry* entry = find_entry(key);
  return entry ? text_of(*entry, lang) : key;
}

std::string label(Lang lang, std::string_view kind, std::string_view name) {
  const WordEntry* entry = find_entry(std::string(kind) + "." + std::string(name));
  return std::string(entry ? text_of(*entry, lang) : name);
}

std::string sentence(Lang lang, std::string_view key, std::initializer_list<std::string_view> values) {
  const std::string_view pattern = word(lang, key);
  std::string out;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const bool is_slot = pattern[i] == '{' && i + 2 < pattern.size() && pattern[i + 2] == '}' &&
                         pattern[i + 1] >= '0' && pattern[i + 1] <= '9';
    if (!is_slot) {
      out += pattern[i];
      continue;
    }
    const auto slot = static_cast<size_t>(pattern[i + 1] - '0');
    if (slot < values.size()) out += *(values.begin() + slot);
    i += 2;
  }
  return out;
}

}  // namespace stepwise::report
