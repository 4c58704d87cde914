// JSON values for messages and small files. Parsing and writing live in json.cc only (they are
// expensive to compile, and have traps that are closed there once).
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/limits.h"

namespace stepwise {

using Json = nlohmann::json;  // keys sorted: the same value always has the same text

/// Parses one JSON text. Errors: bad_data `json.syntax` (where = "@offset"), limit `json.depth`.
Result<Json> parse_json(std::string_view text, int max_depth = limits::kMaxJsonDepth);

/// One line. Invalid UTF-8 (it came from a profile) is replaced, never thrown.
std::string dump_json(const Json& value);
/// Indented by two, ending in a newline: for files and people.
std::string dump_json_pretty(const Json& value);

}  // namespace stepwise
