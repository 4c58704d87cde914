// One chapter of the model as a document, without its heading. [any thread]
#pragma once

#include <string>

#include "core/base/json.h"
#include "core/report/document.h"
#include "core/report/words.h"

namespace stepwise::report {

/// The heading's text: of the words' table, or the title that a tool which came later gave itself.
std::string chapter_title(Lang lang, const Json& chapter);
Document chapter_document(Lang lang, const Json& chapter);

}  // namespace stepwise::report
