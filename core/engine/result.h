// What a tool gives. The host alone adds profile, paging, text and next_cursor (render.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/engine/client.h"

namespace stepwise::engine {

enum class Status : uint8_t { ok, partial, not_applicable, running };
const char* to_string(Status status);

struct Evidence {
  std::string id, file;
  int64_t row = 0;  // row or byte offset in the file; 0: the file as a whole
  std::string says;
};
struct Missing {
  std::string input, costs;
};
struct Warning {
  std::string code, text;
};
struct Next {
  std::string tool;
  Json arguments = Json::object();
  std::string why;
};

struct ToolResult {
  Status status = Status::ok;
  Json body = Json::object();  // the tool's own keys, and "metrics"
  std::vector<Json> rows;      // ranked, best first
  bool has_rows = false;       // a tool without rows shows none
  uint64_t total_rows = 0;
  bool more_rows = false;            // there are more than total_rows, nobody knows how many
  std::vector<std::string> columns;  // set: rows are lists of values in this order, else objects
  std::string text{};                // set: stands in the answer's text for the body
  // Set: paragraphs that stand in the answer's text for the table, one a row; of a tool without rows, behind its text.
  // Only whole ones are shown, as many as there is room for.
  std::vector<std::string> pieces{};
  Json content;   // set: an array of MCP content blocks that stands for everything else (a picture, a sound)
  ClientAsk ask;  // not empty: the tool asks the client first; everything else is ignored
  Json other;     // sums of the additive columns past what rows hold; null: none
  std::vector<Evidence> evidence;
  std::vector<Missing> missing;
  std::vector<Warning> warnings;
  std::vector<Next> next;
};

/// The result as a plugin emits it: envelope keys and its own side by side in one object.
/// Errors: plugin `plugin.result` (where = JSON pointer).
Result<ToolResult> tool_result_from_json(Json emitted);
Json to_json(const ToolResult& result);
/// With these of its rows alone, and these sums of the others.
Json to_json(const ToolResult& result, std::span<const Json> rows, const Json& other);
Json to_json(std::span<const Next> next);

}  // namespace stepwise::engine
