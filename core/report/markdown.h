// The report as Markdown, in English or Chinese, from the model alone. Chapters stand in the order of the model; the
// last ones say what is missing and where to look next. What was not analyzed is not there. [any thread]
#pragma once

#include <string>

#include "core/base/json.h"
#include "core/report/words.h"

namespace stepwise::report {

std::string to_markdown(const Json& model, Lang lang);

}  // namespace stepwise::report
