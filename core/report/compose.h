// The report as a document, from the model alone. Chapters stand in the order of the model; after them what is missing,
// where to look next and what was checked; advice is the last. What was not analyzed is not there. [any thread]
#pragma once

#include "core/base/json.h"
#include "core/report/document.h"
#include "core/report/words.h"

namespace stepwise::report {

Document compose(const Json& model, Lang lang);

}  // namespace stepwise::report
