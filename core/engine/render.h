// From a result to an answer: pages the rows, sums what is past them, and writes the text that stands alone.
// The host alone does this, so that every tool pages and reads alike.
#pragma once

#include "core/base/json.h"
#include "core/engine/plan.h"
#include "core/engine/result.h"

namespace stepwise::engine {

struct Page {
  Json structured;  // the envelope of docs/tools.md
  std::string text;
};

/// cap_text: keep the text under limits::kTextTokensDefault by leaving rows out (and saying so).
/// Errors: usage `args.cursor` (not a cursor of this call).
Result<Page> render(const CallPlan& plan, const ToolResult& result, bool cap_text);

/// The answer `running`: the work goes on, the same call again joins it.
Page render_running(const CallPlan* plan, double done_ratio, const char* phase);

}  // namespace stepwise::engine
