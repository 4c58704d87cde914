// Text for people and models out of JSON values: aligned tables, short lines, three significant digits.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.h"

namespace stepwise::engine {

/// "1.23", "yes", "a, b"; null is "-". Never a line break.
std::string to_cell(const Json& value);

/// One line a row under a line of headings, columns aligned, numbers to the right; at most max_chars. Instants
/// (start_us, end_us, *_at_us) keep three decimals. Names that are too long show what tells them apart. Rows that do
/// not fit are left out; `shown` says how many are in.
std::string text_table(const std::vector<std::string>& columns, const std::vector<Json>& rows, size_t max_chars,
                       size_t& shown);

/// An object as lines `key: value`, nested objects as `key: a=1 b=2`, lists of objects as small tables; what is null
/// is named once, at the end. Texts of 400 characters and less stand whole, except in tables and deeper objects.
/// What the schema of the object requires comes first, in that order. Objects of zeros and rows of rounding are left
/// out.
std::string text_lines(const Json& object, const Json& schema = Json::object());

}  // namespace stepwise::engine
