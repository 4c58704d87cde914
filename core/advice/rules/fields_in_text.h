// Texts with {NAME} in them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace stepwise::advice {

/// What stands between braces and is letters, digits, and any of _ . : % - ; other braces are text.
std::vector<std::string> fields_in(std::string_view text);

/// With each of them replaced by what `value_of` gives.
std::string filled(std::string_view text, const std::function<std::string(std::string_view)>& value_of);

}  // namespace stepwise::advice
