// What a report checks of itself before anybody reads it: figures are derived again from their parts, tables are
// counted as a renderer will see them, and every piece of advice must have passed the gate. The checks are part of the
// model. [any thread]
//
//   "checks": [{"id": "step_parts", "what": "...", "of": "summarize_profile", "unit": "us", "expected": 136581.0,
//               "found": 136581.0, "ok": true}]
//
// `of` is the analysis whose answer was checked (with its chapter where one is asked twice), `unit` a key of whose kind
// the two figures are. A check whose figures are absent is left out: absent is not wrong.
#pragma once

#include <string>
#include <string_view>

#include "core/base/json.h"

namespace stepwise::report {

/// Sets model["checks"]. Last of all: the tables that it counts are those of the model.
void add_checks(Json& model);

/// Of a Markdown text: rows of tables whose cells are not as many as their head has.
size_t uneven_rows(std::string_view markdown);

}  // namespace stepwise::report
