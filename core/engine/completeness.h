// What a result cannot say because an input is absent or was damaged: the host adds it to every answer, so that no
// tool can forget to.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/engine/plan.h"
#include "core/engine/provider.h"
#include "core/engine/result.h"

namespace stepwise::engine {

/// The first of the tool's needs that no table meets; empty: all are met.
Result<std::vector<std::string>> unmet_need(const CallPlan& plan, CallHost& host);

/// Why a tool does not apply, as its whole result.
ToolResult not_applicable(const CallPlan& plan, const std::vector<std::string>& unmet, CallHost& host);

/// Everything odd that was met in reading a segment, as warnings, whatever it can change. No losses.
Result<void> add_oddities(const store::Segment& segment, ToolResult& result);

/// Drops suggestions of tools whose needs the profile cannot meet; an answer that is not applicable suggests what is
/// there instead.
void keep_what_applies(const CallPlan& plan, CallHost& host, ToolResult& result);

/// Adds absent `uses` and losses of reading to `missing`, oddities to `warnings`; an ok result that lost something
/// becomes partial. `asked`: tables that the tool read on demand, beside those that it declares.
Result<void> tell_what_is_missing(const CallPlan& plan, CallHost& host, const std::set<std::string, std::less<>>& asked,
                                  ToolResult& result);

}  // namespace stepwise::engine
