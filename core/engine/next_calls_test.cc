// What answers suggest to call next: calls that a client can make as they stand.
#include <fstream>

#include "core/engine/engine.h"
#include "core/engine/manifest.h"
#include "core/engine/test_provider.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::engine;
using namespace stepwise::engine::testing;

namespace {

namespace fs = std::filesystem;

fs::path make_run(const fs::path& dir) {
  const fs::path run = dir / "run_ascend_pt";
  fs::create_directories(run / "ASCEND_PROFILER_OUTPUT");
  std::ofstream(run / "ASCEND_PROFILER_OUTPUT" / "step_trace_time.csv")
      << "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
         "Communication(Not Overlapped and Exclude Receive),Preparing\n1,6,3,1,4,1,10,0,3,2\n";
  return run;
}

/// Suggests a listed tool, one that is not, and one about no profile.
class Guide : public ToolProvider {
 public:
  std::vector<ToolDecl> tools() const override { return {declare("guide", "core"), declare("aside", "extra")}; }
  Result<ToolResult> call(const std::string&, const Json&, CallHost&) override {
    ToolResult result;
    result.next = {{"guide", {{"step", 3}}, "on"},
                   {"aside", {{"step", 3}}, "beside"},
                   {"aside", Json::object(), "beside"},
                   {"list_analyses", Json::object(), "all"},
                   {"guide", {{"text", std::string(100'000, 'x')}}, "too long to be told"}};
    return result;
  }

 private:
  static ToolDecl declare(const char* name, const char* exposure) {
    const Json input = {{"type", "object"},
                        {"properties", {{"step", {{"type", "integer"}}}, {"text", {{"type", "string"}}}}}};
    return tool_from_json({{"name", name},
                           {"description", "A tool for tests."},
                           {"exposure", exposure},
                           {"input", input},
                           {"output", {{"type", "object"}}}},
                          "")
        .value();
  }
};

}  // namespace

TEST_CASE("a suggestion names the profile, and goes through run_analysis where its tool is not listed") {
  EngineOptions options;
  options.providers.push_back(std::make_shared<Guide>());
  TestEngine t(std::move(options));
  const Answer answer = t.submit("guide", {{"profile", make_run(t.dir).string()}})->wait();
  REQUIRE_FALSE(answer.error.has_value());
  const std::string id = answer.structured["profile"];
  const Json& next = answer.structured["next"];
  REQUIRE(next.size() == 4);
  CHECK(next[0] == Json{{"tool", "guide"}, {"arguments", {{"profile", id}, {"step", 3}}}, {"why", "on"}});
  CHECK(next[1]["tool"] == "run_analysis");
  CHECK(next[1]["arguments"] == Json{{"analysis", "aside"}, {"arguments", {{"step", 3}}}, {"profile", id}});
  CHECK(next[2]["arguments"] == Json{{"analysis", "aside"}, {"profile", id}});
  CHECK(next[3]["arguments"] == Json::object());
  for (const Json& one : next) {
    CHECK(answer.text.find("next: " + one["tool"].get<std::string>() + " " + dump_json(one["arguments"])) !=
          std::string::npos);
    CHECK_FALSE(t.submit(one["tool"].get<std::string>().c_str(), one["arguments"])->wait().error.has_value());
  }
}

TEST_CASE("an id that nobody knows is told as such, with the profiles that are open and what to call") {
  TestEngine t;
  const std::string path = make_run(t.dir).string();
  for (const char* where : {"profile", "path"}) {
    const Answer none =
        t.submit(where == std::string("path") ? "open_profile" : "describe_tables", {{where, "p0123abcd"}})->wait();
    REQUIRE(none.error.has_value());
    CHECK(none.error->code == "profile.unknown");
    CHECK(none.error->message == "No profile has the id p0123abcd.");
    CHECK(none.error->hint == "Call open_profile with the profile's path.");
    CHECK(none.error->where == "/" + std::string(where));
  }
  const std::string id = t.submit("open_profile", {{"path", path}})->wait().structured["id"];
  CHECK(t.submit("describe_tables", {{"profile", "p0123abcd"}})->wait().error->hint ==
        "Call open_profile with the profile's path. Open are: " + id + ".");
  CHECK(t.submit("open_profile", {{"path", id}})->wait().structured["id"] == id);
}

TEST_CASE("an id whose profile is gone is told as such") {
  TestEngine t;
  const fs::path run = make_run(t.dir);
  const std::string id = t.submit("open_profile", {{"path", run.string()}})->wait().structured["id"];
  REQUIRE_FALSE(t.submit("close_profile", {{"id", id}})->wait().error.has_value());
  fs::remove_all(run);
  const Answer gone = t.submit("describe_tables", {{"profile", id}})->wait();
  REQUIRE(gone.error.has_value());
  CHECK(gone.error->code == "profile.unknown");
  CHECK(gone.error->message == "No profile has the id " + id + " any more: what it stood for is gone.");
}
