// Markdown without what its reader does not see. Internal to core/advice/draft.
#pragma once

#include <string>
#include <string_view>

namespace stepwise::advice {

/// Comments and letters without width go; all else stays. Linear.
std::string visible_markdown(std::string_view text);

}  // namespace stepwise::advice
