// Long cells in rows: an operator over a whole model's weights has thousands of characters of shapes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stepwise::overview {

/// At most 64 bytes: whole tensors (split by ';') as long as they fit, then how many there are in all, as
/// "64,3;64;... (57 tensors)". Shorter text stays as it is.
std::optional<std::string> short_cell(std::optional<std::string_view> cell);

/// At most 96 columns: names of C++ templates go on for pages.
inline constexpr size_t kNameColumns = 96;
std::optional<std::string> short_name(std::optional<std::string_view> name);
/// Of the rows of a list: different names stay different.
std::vector<std::optional<std::string>> short_names_of(const std::vector<std::optional<std::string_view>>& names);

}  // namespace stepwise::overview
