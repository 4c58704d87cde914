// The report model: everything that a report says, as one JSON value, which is also report.json. Exact figures, no time
// of day, nothing that varies from run to run: the same input gives the same bytes.
//
//   {"report": 1, "stepwise": "0.1.0",
//    "profile": {"id", "name", "kind", "framework", "origin_ns", "ranks", "rank_count", "steps", "step_count"},
//    "chapters": [{"id", "results": [{"tool", "title", "arguments", "columns", "answer" | "error"}]}]}
//
// The first chapter is `files`, the answer of open_profile. Renderers need the model and nothing else. [any thread]
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"

namespace stepwise::report {

/// Grows by keys that readers may ignore; a new number means that old readers would misread it.
inline constexpr int kModelVersion = 1;

struct ChapterResult {
  std::string chapter, tool, title;
  Json arguments = Json::object();
  std::vector<std::string> columns;  // of the rows' table, in order; empty: as the rows come
  Json answer;                       // the tool's result envelope
  std::optional<Error> error;        // set: the call failed, and the report says so
};

/// Results of one chapter must follow each other. `opened` is open_profile's answer, `name` what people call the
/// profile (its directory).
Json make_model(const std::string& stepwise_version, const std::string& name, const Json& opened,
                const std::vector<ChapterResult>& results);

/// {"code", "kind", "message", "hint", "where"}; empty ones are left out.
Json to_json(const Error& error);

}  // namespace stepwise::report
