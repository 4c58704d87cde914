#include "core/engine/result.h"

#include "core/engine/evidence_place.h"
#include "core/engine/schema.h"

namespace stepwise::engine {
namespace {

// The parts of the envelope that a plugin may fill, as a schema: everything else in its object is its own.
const Json& envelope_schema() {
  static const Json schema = [] {
    const Json text = {{"type", "string"}};
    const Json object = {{"type", "object"}};
    const auto list_of = [](Json properties, Json required) {
      return Json{
          {"type", "array"},
          {"items", {{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}}}};
    };
    return Json{{"type", "object"},
                {"properties",
                 {{"status", {{"enum", {"ok", "partial", "not_applicable"}}}},
                  {"rows", {{"type", "array"}, {"items", object}}},
                  {"total_rows", {{"type", "integer"}, {"minimum", 0}}},
                  {"other", object},
                  {"metrics", object},
                  {"evidence", list_of({{"id", text}, {"file", text}, {"row", {{"type", "integer"}}}, {"says", text}},
                                       {"file", "says"})},
                  {"missing", list_of({{"input", text}, {"costs", text}}, {"input", "costs"})},
                  {"warnings", list_of({{"code", text}, {"text", text}}, {"code", "text"})},
                  {"next", list_of({{"tool", text}, {"arguments", object}, {"why", text}}, {"tool", "why"})}}}};
  }();
  return schema;
}

Status status_from(const std::string& name) {
  if (name == "partial") return Status::partial;
  if (name == "not_applicable") return Status::not_applicable;
  return Status::ok;
}

Json take(Json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end()) return nullptr;
  Json value = std::move(*it);
  object.erase(it);
  return value;
}

}  // namespace

const char* to_string(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::partial:
      return "partial";
    case Status::not_applicable:
      return "not_applicable";
    case Status::running:
      return "running";
  }
  return "ok";
}

Result<ToolResult> tool_result_from_json(Json emitted) {
  if (auto checked = validate(envelope_schema(), emitted); !checked.ok()) {
    Error error = checked.take_error();
    return Error{ErrorKind::plugin, "plugin.result", "The analyzer's result is malformed: " + error.message,
                 "This is a fault of the analyzer, not of the call.", error.where};
  }
  ToolResult result;
  const Json status = take(emitted, "status");
  if (status.is_string()) result.status = status_from(status.get<std::string>());
  if (Json rows = take(emitted, "rows"); rows.is_array()) {
    result.has_rows = true;
    result.rows = std::move(rows.get_ref<Json::array_t&>());
  }
  const Json total = take(emitted, "total_rows");
  result.total_rows = total.is_number() ? total.get<uint64_t>() : result.rows.size();
  result.other = take(emitted, "other");
  for (const Json& one : take(emitted, "evidence")) {
    result.evidence.push_back(
        {one.value("id", ""), one.value("file", ""), one.value("row", int64_t{0}), one.value("says", "")});
  }
  for (const Json& one : take(emitted, "missing"))
    result.missing.push_back({one.value("input", ""), one.value("costs", "")});
  for (const Json& one : take(emitted, "warnings"))
    result.warnings.push_back({one.value("code", ""), one.value("text", "")});
  for (const Json& one : take(emitted, "next")) {
    result.next.push_back({one.value("tool", ""), one.value("arguments", Json::object()), one.value("why", "")});
  }
  result.body = std::move(emitted);
  return result;
}

Json to_json(const ToolResult& result) { return to_json(result, result.rows, result.other); }

Json to_json(const ToolResult& result, std::span<const Json> rows, const Json& other) {
  Json out = result.body;
  out["status"] = to_string(result.status);
  if (result.has_rows) {
    out["rows"] = Json::array_t(rows.begin(), rows.end());
    out["total_rows"] = result.more_rows ? Json() : Json(result.total_rows);
    if (result.more_rows) out["more_rows"] = true;
    if (!result.columns.empty()) out["columns"] = result.columns;
    if (!other.is_null()) out["other"] = other;
  }
  const auto put = [&out](const char* key, Json list) {
    if (!list.empty()) out[key] = std::move(list);
  };
  Json list = Json::array();
  for (const Evidence& one : result.evidence) {
    Json entry = {{"file", one.file}, {"says", one.says}};
    if (!one.id.empty()) entry["id"] = one.id;
    if (one.row != 0) {
      entry["row"] = one.row;
      entry["unit"] = counts_bytes(one.file) ? "byte" : "row";
    }
    list.push_back(std::move(entry));
  }
  put("evidence", std::exchange(list, Json::array()));
  for (const Missing& one : result.missing) list.push_back({{"input", one.input}, {"costs", one.costs}});
  put("missing", std::exchange(list, Json::array()));
  for (const Warning& one : result.warnings) list.push_back({{"code", one.code}, {"text", one.text}});
  put("warnings", std::exchange(list, Json::array()));
  put("next", to_json(result.next));
  return out;
}

Json to_json(std::span<const Next> next) {
  Json list = Json::array();
  for (const Next& one : next) list.push_back({{"tool", one.tool}, {"arguments", one.arguments}, {"why", one.why}});
  return list;
}

}  // namespace stepwise::engine
