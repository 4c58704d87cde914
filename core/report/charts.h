// The charts of a report, made from the answers whose tables stand beside them. A figure that is absent makes no bar;
// a chart without bars is left out by Document::chart. [any thread]
#pragma once

#include "core/base/json.h"
#include "core/report/digest.h"
#include "core/report/document.h"
#include "core/report/words.h"

namespace stepwise::report {

/// Where the step's time goes: one bar of its parts.
Chart step_chart(Lang lang, const Digest& facts);
/// The operators that cost most; the last bar is all others.
Chart operators_chart(Lang lang, const Digest& facts);
/// stage_breakdown's stages in the order of a step, and what is in none.
Chart stages_chart(Lang lang, const Json& answer);
/// comm_overlap's step: computing alone, communication hidden behind it, communication that is not, free.
Chart overlap_chart(Lang lang, const Json& answer);
/// cluster_summary's ranks beside each other; empty where there is but one.
Chart ranks_chart(Lang lang, const Json& answer);

}  // namespace stepwise::report
