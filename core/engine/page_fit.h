// What a client of a protocol is given fills the context of a model: here an answer's structure is kept within its
// share. Rows are left to the next page; what no page can hold is cut, and says so.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/json.h"

namespace stepwise::engine {

/// How many characters the value takes as JSON, or a few more: made for measuring, without writing it.
size_t json_chars(const Json& value);

/// How many of the rows, from the first on, stay within that many characters as JSON; one of them in any case.
size_t rows_that_fit(std::span<const Json> rows, size_t max_chars);

/// Makes an answer's structure fit: long texts are cut, with their size behind a mark, then long lists to their first
/// entries, shorter and shorter until the whole is no larger than max_chars as JSON. The key `cut` then says how short:
/// {"texts": characters, "lists": entries}. Numbers and keys stay, and so do the rows: those are paged.
/// False: it fitted as it was.
bool cut_to_fit(Json& object, size_t max_chars);

}  // namespace stepwise::engine
