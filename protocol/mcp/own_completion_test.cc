#include "protocol/mcp/own_completion.h"

#include "protocol/mcp/fake_engine.h"
#include "protocol/mcp/own_catalog.h"
#include "protocol/mcp/own_limits.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::mcp;

using Names = std::vector<std::string>;

namespace {

engine::Answer answer_of(Json structured) {
  engine::Answer answer;
  answer.structured = std::move(structured);
  return answer;
}

struct Fixture {
  Fixture() : engine({declared_tool("alpha"), declared_tool("beta")}) {
    catalog = own_catalog({"skills", "docs", engine});
  }
  CatalogAnswer<Completion> ask(bool of_prompt, const std::string& ref, const std::string& argument,
                                const std::string& value, std::map<std::string, std::string> context = {}) const {
    const auto got = catalog->complete({of_prompt, ref, argument, value, std::move(context)});
    REQUIRE(got);
    return *got;
  }
  Names values(const std::string& ref, const std::string& argument, const std::string& value) const {
    return std::get<Completion>(ask(false, ref, argument, value)).values;
  }

  FakeEngine engine;
  std::shared_ptr<const Catalog> catalog;
};

}  // namespace

TEST_CASE("what begins with the typed comes before what has it inside, each in the order given") {
  CHECK(best_first("ma", {"gamma", "MatMul", "x", "map", "map"}) == Names{"MatMul", "map", "gamma"});
  CHECK(best_first("", {"b", "a"}) == Names{"b", "a"});
  CHECK(best_first("zz", {"a"}).empty());
}

TEST_CASE_METHOD(Fixture, "names are completed where they are known beforehand") {
  CHECK(values("stepwise://tools/{name}", "name", "be") == Names{"beta"});
  CHECK(values("stepwise://metrics/{name}", "name", "comm.overlap") == Names{"comm.overlap_ratio"});
  CHECK(values("skill://{name}/SKILL.md", "name", "runs") == Names{"compare-two-runs"});
  CHECK(values("profile://{id}/tables/{table}", "table", "graph_") == Names{"graph_node", "graph_edge"});
  CHECK(values("stepwise://tools/{name}", "other", "be").empty());
  CHECK(values("stepwise://parameters/{name}", "name", "").empty());  // this engine knows none
}

TEST_CASE_METHOD(Fixture, "a template takes ids of open profiles, a prompt paths as well") {
  const Json rows = {
      {"rows", {{{"profile", "p00000001"}, {"path", "runs/fast"}}, {{"profile", "p00000002"}, {"path", "runs/p"}}}}};
  const auto of_template = std::get<ByTool<Completion>>(ask(false, "profile://{id}/summary", "id", "p"));
  CHECK(of_template.request.tool == "list_profiles");
  CHECK(of_template.then(answer_of(rows)).value().values == Names{"p00000001", "p00000002"});
  const auto of_prompt = std::get<ByTool<Completion>>(ask(true, "analyze_training", "profile", "run"));
  CHECK(of_prompt.then(answer_of(rows)).value().values == Names{"runs/fast", "runs/p"});
}

TEST_CASE_METHOD(Fixture, "operators are those of the profile that is settled, the costliest first") {
  const std::string ref = "profile://{id}/operators/{op_type}";
  CHECK(std::get<Completion>(ask(false, ref, "op_type", "Mat")).values.empty());
  CHECK(std::get<Completion>(ask(false, ref, "op_type", "Mat", {{"id", "runs/fast"}})).values.empty());
  const auto by_tool = std::get<ByTool<Completion>>(ask(false, ref, "op_type", "It's", {{"id", "p00000001"}}));
  CHECK(by_tool.request.tool == "query_sql");
  CHECK(by_tool.request.arguments["profile"] == "p00000001");
  CHECK(by_tool.request.arguments["sql"].get<std::string>().find("'it''s'") != std::string::npos);
  CHECK(by_tool.request.arguments["sql"].get<std::string>().find("<= " + std::to_string(kCompletedNameChars) + " ") !=
        std::string::npos);
  const auto mat = std::get<ByTool<Completion>>(ask(false, ref, "op_type", "mat", {{"id", "p00000001"}}));
  const Json rows = parse_json(R"({"rows": [["BatchMatMul", 9], ["MatMulV3", 5], ["MatMulV2", 5]]})").value();
  CHECK(mat.then(answer_of(rows)).value().values == Names{"MatMulV3", "MatMulV2", "BatchMatMul"});
}

TEST_CASE_METHOD(Fixture, "a tool that fails or is still reading completes nothing") {
  const auto by_tool = std::get<ByTool<Completion>>(ask(false, "profile://{id}/summary", "id", ""));
  CHECK(by_tool.request.answer_running);
  CHECK(by_tool.then(answer_of({{"status", "running"}})).value().values.empty());
  engine::Answer failed;
  failed.error = Error{ErrorKind::io, "test.failed", "It failed.", "", ""};
  CHECK(by_tool.then(failed).value().values.empty());
}

TEST_CASE_METHOD(Fixture, "what is longer than any name completes to nothing, and asks nobody") {
  const std::string typed(kAddressBytes + 1, 'a');
  CHECK(std::get<Completion>(ask(false, "profile://{id}/summary", "id", typed)).values.empty());
  CHECK(std::get<Completion>(ask(true, "analyze_training", "profile", typed)).values.empty());
}

TEST_CASE_METHOD(Fixture, "what is not this catalog's is left to others") {
  CHECK_FALSE(catalog->complete({true, "somebody_elses", "profile", "", {}}));
  CHECK_FALSE(catalog->complete({false, "stepwise://tools/{other}", "other", "", {}}));
  CHECK(std::get<Completion>(ask(true, "write_a_plugin", "question", "why")).values.empty());
}
