// What a third party's plugin may say.
#include "core/engine/prose_guard.h"

#include "tests/catch.h"

namespace stepwise::engine {
namespace {

ToolDecl tool() {
  ToolDecl decl;
  decl.name = "their_tool";
  decl.output = {
      {"type", "object"},
      {"properties",
       {{"names", {{"type", "array"}, {"x-role", "data"}}},
        {"hints",
         {{"type", "array"}, {"items", {{"type", "object"}, {"properties", {{"api", {{"x-role", "data"}}}}}}}}},
        {"rows", {{"type", "array"}, {"items", {{"properties", {{"name", {{"x-role", "data"}}}}}}}}}}}};
  return decl;
}

ToolResult guarded(ToolResult result) {
  std::vector<Error> faults;
  static const auto knowledge = advice::Knowledge::load({"skills/knowledge"}, faults);
  guard_prose(tool(), knowledge, result);
  return result;
}

}  // namespace

TEST_CASE("texts that name or set what did not pass are left out, wherever they stand, and the reader is told") {
  const std::string hidden = "Faster with export NPU_OPS_SYNC=0.";
  ToolResult result;
  result.body = {{"summary", hidden}, {"hints", {{{"says", hidden}}, {{"says", "Set TASK_QUEUE_ENABLE=2."}}}}};
  result.rows = {{{"name", "MatMulV2"}, {"note", hidden}}};
  result.text = hidden;
  result.evidence = {{"e1", "a.csv", 1, hidden}};
  result.missing = {{"a.csv", hidden}};
  result.warnings = {{"their.warning", hidden}};
  result.next = {{"advise", Json::object(), hidden}};
  const ToolResult after = guarded(result);
  const std::string all = dump_json(to_json(after)) + after.text;
  CHECK(all.find("NPU_OPS_SYNC=0") == std::string::npos);
  CHECK(all.find("TASK_QUEUE_ENABLE=2") == std::string::npos);  // in which mode it runs nobody asked
  CHECK(after.rows[0]["name"] == "MatMulV2");
  size_t told = 0;
  for (const Warning& one : after.warnings) told += one.code == "advice.left_out" ? 1 : 0;
  CHECK(told == 2);
}

TEST_CASE("facts pass: names of data, calls that the profile holds, figures") {
  ToolResult result;
  result.body = {{"names", {"NPU_OPS_SYNC=0", "x"}},
                 {"hints", {{{"api", "NPU_OPS_SYNC=0"}, {"says", "aclrtSynchronizeStream takes 12.3 ms a step."}}}}};
  const Json before = result.body;
  const ToolResult after = guarded(result);
  CHECK(after.body == before);
  CHECK(after.warnings.empty());
}

}  // namespace stepwise::engine
