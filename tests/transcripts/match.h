// Does a message fit a pattern?
#pragma once

#include <string>

#include "core/base/json.h"

namespace stepwise::transcripts {

/// Objects: every key of the pattern is there and fits, others are free. Arrays: the same length, item by item.
/// Strings "<any>", "<string>", "<number>", "<object>" fit any value of that kind, "<absent>" a key that is not there,
/// "<has TEXT>" a string that holds TEXT. All else is equality.
/// Empty: it fits. Else the place (JSON pointer) and what is wrong there.
std::string mismatch(const Json& pattern, const Json& value, const std::string& place = "");

}  // namespace stepwise::transcripts
