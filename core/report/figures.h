// Figures as text. Reports print what the profile holds (times to the nanosecond); the terminal rounds.
// The unit comes from the key's suffix (_us, _ratio, _bytes), as everywhere in the results. [any thread]
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/json.h"
#include "core/report/words.h"

namespace stepwise::report {

/// 101963.203 -> "101,963.203": microseconds with all the nanoseconds that the profile has.
std::string exact_us(double us);
/// 0.74654 -> "74.65 %"
std::string percent(double ratio, int decimals = 2);
/// 12345 -> "12,345"
std::string grouped(int64_t value);
/// Three significant digits by default, with the unit that fits: "137 ms", "624 us", "1.2 s".
std::string human_time(double us, int significant_digits = 3);

/// One cell: formatted by the key's unit; null is a dash; lists are joined; names that a vocabulary closes (problem,
/// flag) in the report's language.
std::string cell_text(Lang lang, std::string_view key, const Json& value);
/// Whether the column is set flush right.
bool is_figure(const Json& value);

}  // namespace stepwise::report
