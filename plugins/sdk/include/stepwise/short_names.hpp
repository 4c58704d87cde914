// Names of kernels and host calls, short enough for a table: what tells them apart stays. C++ templates write the same
// words before it and their arguments twice behind it, so that neither the beginning nor the end says which one it is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace stepwise {

/// At most `max_columns` code points of UTF-8, those that `mark` stands for left out. A name that fits stays as it is.
/// Of a C++ template go first: `void`, the parameter list, which repeats the arguments, and the namespaces; then the
/// arguments' end, and the middle of what stands before them. Of any other name the middle goes.
std::string short_name(std::string_view name, size_t max_columns, std::string_view mark = "…");

/// The same for names that stand beside each other: those that would look alike show where they begin to differ, and
/// different names stay different (with 8 columns and more). The same names give the same texts, in any order.
std::vector<std::string> short_names(const std::vector<std::string_view>& names, size_t max_columns,
                                     std::string_view mark = "…");

}  // namespace stepwise
