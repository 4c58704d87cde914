// The chapter of advice: what to do, because of what, what it may gain and what it risks. Only what passed the gate is
// advice; where the gate took parameters away, the text says so. [any thread]
#pragma once

#include "core/base/json.h"
#include "core/report/document.h"
#include "core/report/words.h"

namespace stepwise::report {

/// `answer`: of the tool `advise`.
void add_advice(Lang lang, const Json& answer, Document& out);
/// What stands in place of the chapter where the program has no such tool.
void add_no_advice(Lang lang, Document& out);

}  // namespace stepwise::report
