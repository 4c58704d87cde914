#include "protocol/mcp/own_catalog.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/engine/report_chapters.h"
#include "protocol/mcp/fake_engine.h"
#include "protocol/mcp/own_limits.h"
#include "stepwise/tables.hpp"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::mcp;

using Contents = std::vector<ResourceContents>;

namespace {

engine::ToolDecl analysis(const std::string& name) {
  auto decl = declared_tool(name);
  decl.needs_profile = true;
  return decl;
}

engine::ToolDecl top() {
  auto decl = analysis("top_things");
  decl.core = false;
  decl.plugin = "things";
  decl.needs = {{"kernel", "op_stat"}};
  decl.uses = {{"step", "no steps"}, {"meta", ""}};
  decl.input["properties"] = {
      {"by", {{"type", "string"}, {"enum", {"type", "name"}}, {"default", "type"}, {"description", "What to sum by."}}},
      {"limit", {{"type", "integer"}, {"minimum", 1}, {"maximum", 9}}}};
  decl.output["properties"] = {{"rows", {{"type", "array"}}}, {"by", {{"type", "string"}}}};
  return decl;
}

struct Fixture {
  Fixture() : engine(tools()) { catalog = own_catalog({"skills", "docs", engine}); }

  static std::vector<engine::ToolDecl> tools() {
    auto writes = analysis("write_report");
    writes.pure = false;
    auto asks = analysis("query_sql");
    asks.input["required"] = {"sql"};
    return {top(), writes, asks, analysis("validate_advice"), declared_tool("lookup_parameter")};
  }
  CatalogAnswer<Contents> read(const std::string& uri) const {
    const auto got = catalog->read(uri, {});
    REQUIRE(got);
    return *got;
  }
  ResourceContents page(const std::string& uri) const { return std::get<Contents>(read(uri)).at(0); }
  Error error(const std::string& uri) const { return std::get<Error>(read(uri)); }
  ByTool<Contents> by_tool(const std::string& uri) const { return std::get<ByTool<Contents>>(read(uri)); }

  FakeEngine engine;
  std::shared_ptr<const Catalog> catalog;
};

engine::Answer answer_of(Json structured, std::string text = "text") {
  engine::Answer answer;
  answer.structured = std::move(structured);
  answer.text = std::move(text);
  return answer;
}

engine::Answer failure(Error error) {
  engine::Answer answer;
  answer.error = std::move(error);
  return answer;
}

}  // namespace

TEST_CASE_METHOD(Fixture, "each resource that is listed can be read, has what was said of it, and fits an answer") {
  const auto all = catalog->resources();
  CHECK(all.size() == 9);
  CHECK(std::is_sorted(all.begin(), all.end(), [](const Resource& a, const Resource& b) { return a.uri < b.uri; }));
  for (const Resource& one : all) {
    INFO(one.uri);
    const ResourceContents contents = page(one.uri);
    CHECK(contents.uri == one.uri);
    CHECK(contents.mime_type == one.mime_type);
    CHECK_FALSE(contents.is_blob);
    CHECK(contents.text.size() > 100);
    CHECK(contents.text.size() <= kResourceTextChars);
    if (one.size_bytes) CHECK(contents.text.size() == *one.size_bytes);
  }
}

TEST_CASE_METHOD(Fixture, "skills are listed under their own names and descriptions") {
  const auto all = catalog->resources();
  const auto skill = std::find_if(all.begin(), all.end(),
                                  [](const Resource& one) { return one.uri == "skill://review-advice/SKILL.md"; });
  REQUIRE(skill != all.end());
  CHECK(skill->name == "review-advice");
  CHECK(skill->mime_type == "text/markdown");
  CHECK(page(skill->uri).text.find("description: " + skill->description + "\n") != std::string::npos);
  CHECK(parse_json(page("skill://index.json").text).value()["skills"].size() == 5);
}

TEST_CASE_METHOD(Fixture, "a program without its folders still offers what it knows by itself") {
  const auto bare = own_catalog({"no/skills", "no/docs", engine});
  REQUIRE(bare->resources().size() == 2);
  CHECK(bare->resources()[0].uri == "stepwise://formats");
  CHECK(bare->resources()[1].uri == "stepwise://tools");
  CHECK(bare->prompts().empty());
  CHECK_FALSE(bare->prompt("analyze_training", {}, {}));
  CHECK(std::holds_alternative<Error>(*bare->read("skill://index.json", {})));
  CHECK(std::holds_alternative<Error>(*bare->read("stepwise://metrics", {})));
}

TEST_CASE_METHOD(Fixture, "addresses of other schemes are left to other catalogs") {
  for (const char* uri : {"test://static", "file:///etc/passwd", "", "stepwise", "stepwisex://tools"}) {
    INFO(uri);
    CHECK_FALSE(catalog->read(uri, {}));
  }
}

TEST_CASE_METHOD(Fixture, "an address that names nothing is an error that names what is near") {
  const Error metric = error("stepwise://metrics/comm.overlap_ration");
  CHECK(metric.kind == ErrorKind::not_found);
  CHECK(metric.code == "resource.unknown");
  CHECK(metric.where == "stepwise://metrics/comm.overlap_ration");
  CHECK(metric.hint.find("stepwise://metrics/comm.overlap_ratio") != std::string::npos);
  CHECK(error("stepwise://tools/top_thing").hint.find("stepwise://tools/top_things") != std::string::npos);
  CHECK(error("skill://analyse-training/SKILL.md").hint.find("skill://analyze-training/SKILL.md") != std::string::npos);
  for (const char* uri :
       {"skill://../metrics.json", "skill://analyze-training/%2e%2e", "skill://knowledge/parameters.json",
        "skill://analyze-training", "stepwise://", "stepwise://tools/top_things/x", "stepwise://xyzzy"}) {
    INFO(uri);
    CHECK(error(uri).code == "resource.unknown");
  }
}

TEST_CASE_METHOD(Fixture, "a long address names nothing, and an error shows its beginning alone") {
  const std::string longest = "stepwise://tools/" + std::string(kAddressBytes - 17, 'x');
  for (const std::string& uri : {longest, longest + "x", "stepwise://tools/" + std::string(1u << 20, 'x')}) {
    const Error got = error(uri);
    CHECK(got.code == "resource.unknown");
    CHECK(got.where.size() < kShownChars + 10);
    CHECK(got.message == (uri == longest ? "There is no such resource." : "The address is not well formed."));
  }
}

TEST_CASE_METHOD(Fixture, "a tool's page says what it takes, needs and gives") {
  CHECK(page("stepwise://tools/top_things").text ==
        "# top_things\n\nA description.\n\nFrom plugin `things`; looks at all ranks.\n\n## Tables\n\n"
        "- needs kernel or op_stat: without it the answer is `not_applicable`\n- without step: no steps\n\n"
        "## Arguments\n\n- `by` (one of type, name; default \"type\"): What to sum by.\n"
        "- `limit` (integer, from 1, up to 9)\n\nKeys of the result: `by`, `rows`.\n");
  const std::string list = page("stepwise://tools").text;
  CHECK(list.find("- `lookup_parameter`: A description.\n") < list.find("## Other analyses"));
  CHECK(list.find("## Other analyses") < list.find("- `top_things`: A description.\n"));
}

TEST_CASE_METHOD(Fixture, "every table stands on the page of formats, with the kinds of files that fill it") {
  const std::string formats = page("stepwise://formats").text;
  for (const table::TableDecl* decl : table::kAllTables) {
    INFO(decl->name);
    CHECK(formats.find(std::string("| `") + decl->name + "` | ") != std::string::npos);
  }
  CHECK(formats.find("| operator_details |\n") != std::string::npos);
  CHECK(formats.find("| `fusion_op` | an operator that a compiled graph fused from others | fusion_op |\n") !=
        std::string::npos);
}

TEST_CASE_METHOD(Fixture, "a profile's summary, advice and tables are what tools answer") {
  const std::pair<const char*, const char*> expected[] = {{"summary", "summarize_profile"},
                                                          {"advice", "advise"},
                                                          {"report", "read_report"},
                                                          {"tables", "describe_tables"},
                                                          {"analyses/top_things", "top_things"}};
  for (const auto& [name, tool] : expected) {
    INFO(name);
    const std::string uri = std::string("profile://p0123abcd/") + name;
    const auto got = by_tool(uri);
    CHECK(got.request.tool == tool);
    CHECK(got.request.arguments == Json{{"profile", "p0123abcd"}});
    CHECK_FALSE(got.request.answer_running);
    CHECK(got.request.cap_text);
    const auto contents = got.then(answer_of({{"status", "ok"}}, "The answer.")).value();
    REQUIRE(contents.size() == 1);
    CHECK(contents[0].uri == uri);
    CHECK(contents[0].text == "The answer.");
  }
}

TEST_CASE_METHOD(Fixture, "a chapter of a report is Markdown, and one that is not there is unknown") {
  const std::string uri = "profile://p0123abcd/report/2";
  const auto got = by_tool(uri);
  CHECK(got.request.tool == "read_report");
  CHECK(got.request.arguments == Json{{"profile", "p0123abcd"}, {"chapter", 2}, {"bytes", engine::kMostChapterBytes}});
  const auto contents = got.then(answer_of({{"status", "ok"}, {"markdown", "## 2. Two"}}, "head")).value();
  CHECK(contents[0].text == "## 2. Two");
  CHECK(contents[0].mime_type == "text/markdown");
  engine::Answer failed;
  failed.error = Error{ErrorKind::usage, "report.chapter", "The report has the chapters 1 to 1.", "", "/chapter"};
  CHECK(got.then(failed).error().code == "resource.unknown");
}

TEST_CASE_METHOD(Fixture, "a profile goes by its id alone, and what it has not is unknown") {
  for (const char* uri :
       {"profile://p0123abcg/summary", "profile://p0123abc/summary", "profile://p0123abcde/summary",
        "profile://%2Fetc%2Fpasswd/summary", "profile://runs/summary", "profile://p0123abcd",
        "profile://p0123abcd/report/x", "profile://p0123abcd/report/0", "profile://p0123abcd/report/100",
        "profile://p0123abcd/summary/x", "profile://p0123abcd/x/y"}) {
    INFO(uri);
    CHECK(error(uri).code == "resource.unknown");
  }
  CHECK(error("profile://p0123abcd/sumary").hint.find("profile://p0123abcd/summary") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "only analyses that need nothing more than a profile, and write nothing, can be read") {
  for (const char* name : {"write_report", "query_sql", "validate_advice", "lookup_parameter", "top_thing"}) {
    INFO(name);
    CHECK(error(std::string("profile://p0123abcd/analyses/") + name).code == "resource.unknown");
  }
  CHECK(error("profile://p0123abcd/analyses/top_thing").hint == "Nearest: profile://p0123abcd/analyses/top_things.");
}

TEST_CASE_METHOD(Fixture, "what a tool does not find is an unknown resource; other failures are handed on") {
  const auto got = by_tool("profile://p0123abcd/summary");
  const auto unknown =
      got.then(failure({ErrorKind::not_found, "profile.unknown", "No such profile.", "Open it.", "/x"}));
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().code == "resource.unknown");
  CHECK(unknown.error().message == "No such profile.");
  CHECK(unknown.error().where == "profile://p0123abcd/summary");
  const auto broken = got.then(failure({ErrorKind::io, "test.io", "The disk is gone.", "", ""}));
  REQUIRE_FALSE(broken.ok());
  CHECK(broken.error().code == "test.io");
}

TEST_CASE_METHOD(Fixture, "a table is read as its first rows, as many as there is room for, and says how to go on") {
  const auto got = by_tool("profile://p0123abcd/tables/kernel");
  CHECK(got.request.tool == "query_sql");
  CHECK(got.request.arguments["sql"] == "SELECT * FROM \"kernel\" LIMIT 50");
  CHECK(got.request.arguments["limit"] == 50);
  const Json few = {{"columns", {"id", "name"}}, {"rows", {{0, "a"}, {1, "b"}}}};
  const auto all = got.then(answer_of(few)).value();
  CHECK(all[0].mime_type == "application/json");
  CHECK(parse_json(all[0].text).value() ==
        Json{{"table", "kernel"}, {"columns", {"id", "name"}}, {"rows", few["rows"]}});

  Json many = {{"columns", {"id", "name"}}, {"rows", Json::array()}};
  for (int i = 0; i < 50; ++i) many["rows"].push_back({i, std::string(400, 'x')});
  const auto cut = got.then(answer_of(many)).value();
  CHECK(cut[0].text.size() <= kResourceTextChars);
  const Json page = parse_json(cut[0].text).value();
  const size_t shown = page["rows"].size();
  CHECK(shown > 10);
  CHECK(shown < 50);
  CHECK(page["more"]["arguments"]["sql"] == "SELECT * FROM \"kernel\" LIMIT 50 OFFSET " + std::to_string(shown));
}

TEST_CASE_METHOD(Fixture, "a table that there is not is unknown, whatever its name tries") {
  CHECK(error("profile://p0123abcd/tables/kernels").hint.find("profile://p0123abcd/tables/kernel") !=
        std::string::npos);
  CHECK(error("profile://p0123abcd/tables/kernel%22%3B").code == "resource.unknown");
}

TEST_CASE_METHOD(Fixture, "an operator's name is a text in SQL, and one that did not run is unknown") {
  const auto got = by_tool("profile://p0123abcd/operators/It%27s");
  CHECK(got.request.tool == "query_sql");
  CHECK(got.request.arguments["sql"].get<std::string>().find("coalesce(op_type, name) = 'It''s' GROUP") !=
        std::string::npos);
  CHECK(got.then(answer_of({{"rows", {{0, "1", 2, 3.0, 1.5, 2.0}}}}, "table")).value()[0].text == "table");
  const auto none = got.then(answer_of({{"rows", Json::array()}}));
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().code == "resource.unknown");
  CHECK(none.error().hint.find("profile://p0123abcd/analyses/top_operators") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "a parameter is looked up; one of which nothing is known names the nearest") {
  const auto got = by_tool("stepwise://parameters/TASK%5FQUEUE");
  CHECK(got.request.tool == "lookup_parameter");
  CHECK(got.request.arguments == Json{{"name", "TASK_QUEUE"}});
  CHECK(got.then(answer_of({{"found", true}, {"entry", {{"id", "x"}}}}, "what is known")).value()[0].text ==
        "what is known");
  const auto none = got.then(answer_of({{"found", false}, {"nearest", {"TASK_QUEUE_ENABLE"}}}));
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().hint == "Nearest: stepwise://parameters/TASK_QUEUE_ENABLE.");
}

TEST_CASE_METHOD(Fixture, "templates are sorted, and each leads to something") {
  const auto all = catalog->templates();
  CHECK(all.size() == 12);
  for (size_t i = 1; i < all.size(); ++i) CHECK(all[i - 1].uri_template < all[i].uri_template);
  const std::pair<const char*, const char*> values[] = {{"{id}", "p0123abcd"},
                                                        {"{analysis}", "top_things"},
                                                        {"{op_type}", "Mul"},
                                                        {"{table}", "kernel"},
                                                        {"{chapter}", "1"}};
  for (const ResourceTemplate& one : all) {
    INFO(one.uri_template);
    std::string uri = one.uri_template;
    for (const auto& [variable, value] : values) {
      if (const size_t at = uri.find(variable); at != std::string::npos)
        uri.replace(at, std::string(variable).size(), value);
    }
    const std::string name = uri.starts_with("skill")                ? "write-a-plugin"
                             : uri.starts_with("stepwise://metrics") ? "step.wall_us"
                                                                     : "top_things";
    if (const size_t at = uri.find("{name}"); at != std::string::npos) uri.replace(at, 6, name);
    CHECK_FALSE(std::holds_alternative<Error>(read(uri)));
  }
}

TEST_CASE_METHOD(Fixture, "a prompt's calls have the arguments in them, and an analysis that there is not is refused") {
  const auto text_of = [&](const std::string& name, const std::map<std::string, std::string>& arguments) {
    return std::get<PromptMessages>(*catalog->prompt(name, arguments, {}))
        .messages[0]["content"]["text"]
        .get<std::string>();
  };
  const std::string one = text_of("analyze_training", {{"profile", "/data/my \"run\""}, {"focus", "query_sql"}});
  CHECK(one.find(R"(open_profile {"path": "/data/my \"run\""})") != std::string::npos);
  CHECK(one.find("\"PROFILE\"") == std::string::npos);
  const std::string two = text_of("compare_two_runs", {{"base", "p01234567"}, {"other", "/after"}});
  CHECK(two.find(R"(open_profile {"path": "p01234567"})") != std::string::npos);
  CHECK(two.find(R"(open_profile {"path": "/after"})") != std::string::npos);
  const auto refused = catalog->prompt("analyze_training", {{"profile", "/data"}, {"focus", "nosuch"}}, {});
  CHECK(std::get<Error>(*refused).where == "/params/arguments/focus");
}
