// The look of the HTML report: one style sheet, inside the page. [any thread]
#pragma once

#include <string_view>

namespace stepwise::report {

std::string_view html_style();

}  // namespace stepwise::report
