// The words as tables, one a file, each sorted by key; a key stands in one of them. Internal to core/report.
#pragma once

#include <array>
#include <span>

#include "core/report/words.h"

namespace stepwise::report {

std::span<const WordEntry> column_words();  // col.*
std::span<const WordEntry> text_words();    // chart, check, heading, list, screen, text
std::span<const WordEntry> value_words();   // all others

inline std::array<std::span<const WordEntry>, 3> word_tables() { return {column_words(), text_words(), value_words()}; }

}  // namespace stepwise::report
