// Text from outside in HTML. [any thread]
#pragma once

#include <string>
#include <string_view>

namespace stepwise::report {

/// For the text of an element and for quoted attributes: nothing in it is markup; control characters are left out.
std::string escape_html(std::string_view text);
/// The same for a text that may wrap: `names` in backticks become code, long names get places where they may break.
std::string html_text(std::string_view text);
/// An address that a reader may follow (http, https): a link; any other: text.
std::string html_link(std::string_view address);

}  // namespace stepwise::report
