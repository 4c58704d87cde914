// The words of reports and of the terminal, in English and Chinese: data, so that a language is a column of a table.
// Keys have a kind and a name: "heading.files", "col.total_us", "value.training", "text.step_takes".
// [any thread]
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace stepwise::report {

enum class Lang : uint8_t { en, zh };
std::optional<Lang> lang_from(std::string_view name);

struct WordEntry {
  std::string_view key, en, zh;
};

/// The text of a key that is in the tables (word_tables.h); an unknown key stands for itself, so that it is seen.
std::string_view word(Lang lang, std::string_view key);
/// "kind.name" where the tables have it, else the name as it is: columns, values and parts that a tool added later.
std::string label(Lang lang, std::string_view kind, std::string_view name);
/// word(), with {0}, {1}... replaced.
std::string sentence(Lang lang, std::string_view key, std::initializer_list<std::string_view> values);

}  // namespace stepwise::report
