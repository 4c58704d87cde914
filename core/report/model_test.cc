#include "core/report/model.h"

#include "core/report/plan.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::report;

namespace {

Json opened(double seconds) {
  return {{"status", "ok"},
          {"id", "p1"},
          {"kind", "torch_npu"},
          {"steps", {50}},
          {"tables", {{"kernel", seconds > 1 ? Json(3) : Json()}}},
          {"ingest", {{"seconds", seconds}, {"from_cache", seconds < 1}}},
          {"files", Json::array()}};
}

ChapterResult result(const std::string& chapter, const std::string& tool) {
  ChapterResult out;
  out.chapter = chapter;
  out.tool = tool;
  out.answer = {{"status", "ok"}, {"x_us", 8873.756000000001}};
  return out;
}

}  // namespace

TEST_CASE("the model is the same whatever varies from run to run") {
  const std::vector<ChapterResult> results = {result("a", "t")};
  CHECK(dump_json(make_model("0.1.0", "run", opened(2.5), results)) ==
        dump_json(make_model("0.1.0", "run", opened(0.1), results)));
}

TEST_CASE("results of one chapter stand together, in order") {
  const Json model = make_model("0.1.0", "run", opened(1), {result("a", "t1"), result("a", "t2"), result("b", "t3")});
  CHECK(model["report"] == 1);
  REQUIRE(model["chapters"].size() == 3);
  CHECK(model["chapters"][0]["id"] == "files");
  CHECK(model["chapters"][1]["results"].size() == 2);
  CHECK(model["chapters"][1]["results"][1]["tool"] == "t2");
  CHECK(model["chapters"][2]["id"] == "b");
  CHECK(model["profile"] == Json{{"name", "run"}, {"id", "p1"}, {"kind", "torch_npu"}, {"steps", {50}}});
}

TEST_CASE("figures are carried exactly") {
  const Json model = make_model("0.1.0", "run", opened(1), {result("a", "t")});
  CHECK(dump_json(model).find("8873.756000000001") != std::string::npos);
}

TEST_CASE("a failed call is told, with its error") {
  ChapterResult failed = result("a", "t");
  failed.error = Error{ErrorKind::plugin, "plugin.crash", "It threw.", "", "here"};
  const Json model = make_model("0.1.0", "run", opened(1), {failed});
  const Json& told = model["chapters"][1]["results"][0];
  CHECK_FALSE(told.contains("answer"));
  CHECK(told["error"] ==
        Json{{"code", "plugin.crash"}, {"kind", "plugin"}, {"message", "It threw."}, {"where", "here"}});
}

TEST_CASE("the plan's arguments are JSON objects, its chapters contiguous") {
  std::vector<std::string_view> seen;
  for (const PlannedCall& call : plan()) {
    auto arguments = parse_json(call.arguments_json);
    REQUIRE(arguments.ok());
    CHECK(arguments.value().is_object());
    if (!seen.empty() && seen.back() == call.chapter) continue;
    CHECK(std::find(seen.begin(), seen.end(), call.chapter) == seen.end());
    seen.push_back(call.chapter);
  }
  CHECK(is_planned("top_operators"));
  CHECK_FALSE(is_planned("query_sql"));
}
