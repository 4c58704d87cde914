// The report as Markdown, in English or Chinese, from the model alone; charts are HTML's, their figures stand in the
// tables. [any thread]
#pragma once

#include <string>

#include "core/base/json.h"
#include "core/report/document.h"
#include "core/report/words.h"

namespace stepwise::report {

std::string to_markdown(const Json& model, Lang lang);
std::string markdown_of(const Document& document);

}  // namespace stepwise::report
