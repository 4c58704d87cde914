// From a result to an answer: pages the rows, sums what is past them, and writes the text that stands alone.
// The host alone does this, so that every tool pages and reads alike.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/json.h"
#include "core/engine/plan.h"
#include "core/engine/result.h"

namespace stepwise::engine {

struct Page {
  Json structured;  // the envelope of docs/tools.md
  std::string text;
};

/// Who reads the page: a client, whose context it fills, or this program (the command line, a report).
/// For a client, text and structure each stay within limits::kTextTokensDefault, where it asks for more rows than the
/// tool's default within limits::kTextTokensHard: a page holds the rows that both have room for. And what it is told to
/// call next it can call as it stands: a tool that tools/list does not show goes through run_analysis.
enum class Reader : uint8_t { client, program };

/// Errors: usage `args.cursor` (not a cursor of this call).
Result<Page> render(const CallPlan& plan, const ToolResult& result, Reader reader);

/// The answer `running`: the work goes on, the same call again joins it.
Page render_running(const CallPlan* plan, double done_ratio, const char* phase);

}  // namespace stepwise::engine
