// What a report asks, asked: the plan of core/report, and the analyses that came after it was written. One function for
// `stepwise analyze` and the tool write_report, so that both write the same report.
#pragma once

#include <functional>
#include <vector>

#include "core/engine/registry.h"
#include "core/report/model.h"
#include "core/report/words.h"

namespace stepwise::engine {

/// One call of a tool about the report's profile; the answer is that of a client: paged, with its profile's id.
using AskTool = std::function<Result<Json>(const ToolDecl& tool, const Json& arguments)>;

/// An analysis that no plan names: it needs nothing but a profile, and changes nothing.
bool applies_unplanned(const ToolDecl& tool);

/// A call that fails is a result with an error, and the report says so. Errors: the first of kind cancelled: what is
/// there then is of no use.
Result<std::vector<report::ChapterResult>> ask_for_report(const Registry& registry, report::Lang lang,
                                                          const AskTool& ask);

}  // namespace stepwise::engine
