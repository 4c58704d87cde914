// The report as one HTML page, from the model alone: no scripts, nothing from elsewhere, readable offline, on a phone,
// on paper, in light and dark. It says what the Markdown says, and draws the charts. [any thread]
#pragma once

#include <string>
#include <string_view>

#include "core/base/json.h"
#include "core/report/document.h"
#include "core/report/words.h"

namespace stepwise::report {

std::string to_html(const Json& model, Lang lang);
/// `title` is the page's, in the window's head.
std::string html_of(const Document& document, std::string_view title, Lang lang);

}  // namespace stepwise::report
