// What several chapters print alike: a table of rows, a list of figures, evidence. [any thread]
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/report/document.h"
#include "core/report/words.h"

namespace stepwise::report {

/// A key of the result envelope: no part of a tool's own body.
bool is_envelope(std::string_view key);
/// Rows of a result as a table; columns without any value in it are left out, and `other` becomes the last row.
Table rows_table(Lang lang, const Json& answer, const std::vector<std::string>& columns);
/// The columns that a result wants: its declared ones, else the keys of its first row.
std::vector<std::string> columns_of(const Json& result);
/// The body's own keys (no rows, nothing of the envelope) as a table of names and values; objects inside are unfolded.
Table figures_table(Lang lang, const Json& answer);
/// Where the figures come from: id, file, row, what stands there.
Table evidence_table(Lang lang, const Json& answer);
/// Ids of the evidence for one figure of the body: entries that begin with the figure's key ("op_time_us: ...").
std::string evidence_ids_for(const Json& answer, std::string_view key);
/// A list of ids as one cell.
std::string ids_text(const Json& ids);
/// "The tool could not answer: ..." for an error or a not_applicable; "" for an answer.
std::string no_answer_text(Lang lang, const Json& result);

}  // namespace stepwise::report
