// Reading a tool's answer without trusting it: a result may come from anybody's plugin, so a key that is absent or of
// another type is "not known", never a failure. [any thread]
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/json.h"

namespace stepwise::report {

/// "iterations.avg_us" -> the value there; nullptr: absent, or null.
const Json* find_value(const Json& object, std::string_view dotted_path);
std::optional<double> find_number(const Json& object, std::string_view dotted_path);
/// A string, or the `value` of an object that has one (detect_scenario's answer, nested); "" when absent.
std::string find_text(const Json& object, std::string_view dotted_path);
/// The list of that name; an empty one when absent or no list.
const Json& find_list(const Json& object, std::string_view dotted_path);

}  // namespace stepwise::report
