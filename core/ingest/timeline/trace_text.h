// Raw JSON tokens into numbers and texts, exactly.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stepwise::ingest {

/// Microseconds to ns, as us_to_ns; the usual form (up to 18 digits, three of them behind the point) goes fast.
/// Eight bytes behind the text must be readable.
std::optional<int64_t> token_us_to_ns(std::string_view text);

/// A whole decimal integer that fits. Eight bytes behind the text must be readable.
std::optional<int64_t> token_to_integer(std::string_view text);

/// How a text is kept: as it is, without CR, on one line (without CR and LF), or, of lists of sizes that stand where a
/// text might, as shapes: "[[8, 16], [], [[4], [2]]]" as "8,16;;4;2".
enum class TextForm : uint8_t { plain, lines, one_line, shapes };

/// What stands between the quotes of a JSON string, escapes resolved; surrogates without their partner become U+FFFD.
/// Appends to `out`. False: an escape that JSON does not have, or no shapes.
bool unescape(std::string_view raw, TextForm form, std::string& out);

}  // namespace stepwise::ingest
