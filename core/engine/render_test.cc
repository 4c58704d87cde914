#include "core/engine/render.h"

#include "core/base/limits.h"
#include "core/engine/text_table.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::engine;

namespace {

struct Fixture {
  RegisteredTool tool;
  CallPlan plan;

  Fixture() {
    tool.decl.name = "top_things";
    tool.decl.view = {{"name", "total_us"}, {"count", "total_us"}, "total_us"};
    plan.tool = &tool;
    plan.key = "key";
    plan.host.limit = 2;
  }
};

ToolResult five_rows() {
  ToolResult result;
  result.has_rows = true;
  const double totals[] = {0.3, 0.2, 0.1, 0.1, 0.003};
  for (size_t i = 0; i < 5; ++i) {
    result.rows.push_back({{"name", "op" + std::to_string(i)}, {"count", 2}, {"total_us", totals[i]}});
  }
  result.total_rows = 5;
  return result;
}

}  // namespace

TEST_CASE("pages follow each other, and each page and its other row make the total") {
  Fixture f;
  const ToolResult result = five_rows();
  std::vector<std::string> seen;
  std::string cursor;
  for (int pages = 0; pages < 3; ++pages) {
    f.plan.host.cursor = cursor;
    const auto page = render(f.plan, result, Reader::client);
    REQUIRE(page.ok());
    const Json& json = page.value().structured;
    double sum = 0;
    for (const Json& row : json["rows"]) {
      seen.push_back(row["name"]);
      sum += row["total_us"].get<double>();
    }
    REQUIRE(json.contains("other"));
    CHECK(json["other"]["rows"].get<size_t>() + json["rows"].size() == 5);
    CHECK(json["other"]["count"].get<int64_t>() + 2 * static_cast<int64_t>(json["rows"].size()) == 10);
    CHECK(sum + json["other"]["total_us"].get<double>() == Approx(0.703));
    cursor = json.value("next_cursor", "");
    CHECK(cursor.empty() == (pages == 2));
  }
  CHECK(seen == std::vector<std::string>{"op0", "op1", "op2", "op3", "op4"});
}

TEST_CASE("other is exact to the nanosecond although us are doubles") {
  Fixture f;
  f.plan.host.limit = 1;
  const auto page = render(f.plan, five_rows(), Reader::client);
  REQUIRE(page.ok());
  CHECK(page.value().structured["other"]["total_us"] == 0.403);  // 0.2 + 0.1 + 0.1 + 0.003, not 0.40300000000000002
}

TEST_CASE("a cursor of another call is refused") {
  Fixture f;
  for (const char* cursor : {"2.00000000", "x", "-1.", "2", "99999999999999999999.1"}) {
    f.plan.host.cursor = cursor;
    const auto page = render(f.plan, five_rows(), Reader::client);
    REQUIRE_FALSE(page.ok());
    CHECK(page.error().code == "args.cursor");
  }
}

TEST_CASE("a page that holds every row has no other and no cursor") {
  Fixture f;
  f.plan.host.limit = 5;
  const auto page = render(f.plan, five_rows(), Reader::client);
  REQUIRE(page.ok());
  CHECK_FALSE(page.value().structured.contains("other"));
  CHECK_FALSE(page.value().structured.contains("next_cursor"));
}

TEST_CASE("a table aligns its columns, numbers to the right") {
  size_t shown = 0;
  const std::string table =
      text_table({"op", "us"}, {{{"op", "Add"}, {"us", 1234.5}}, {{"op", "MatMul"}, {"us", 7}}}, 1000, shown);
  CHECK(shown == 2);
  CHECK(table ==
        "op         us\n"
        "Add     1,230\n"
        "MatMul      7\n");
}

TEST_CASE("an instant keeps its digits, an amount three") {
  size_t shown = 0;
  CHECK(text_table({"start_us", "us"}, {{{"start_us", 171725.552}, {"us", 65647.612}}}, 1000, shown) ==
        "  start_us      us\n"
        "171725.552  65,600\n");
  CHECK(text_lines({{"peak", {{"reserved_at_us", 159975.0}, {"bytes", 8}}}}) ==
        "peak: bytes=8 reserved_at_us=159975.000\n");
}

TEST_CASE("a sentence stands whole in a line, and is cut in a table") {
  const std::string why(60, 'w'), cut = std::string(47, 'w') + "…";
  CHECK(text_lines({{"why", why}}) == "why: " + why + "\n");
  CHECK(text_lines({{"entry", {{"effect", why}}}}) == "entry: effect=" + why + "\n");
  CHECK(text_lines({{"list", {{{"says", why}}}}}) == "list:\nsays\n" + cut + "\n");
  CHECK(text_lines({{"why", std::string(401, 'w')}}) == "why: " + std::string(399, 'w') + "…\n");
}

TEST_CASE("a cell never breaks its line") {
  CHECK(to_cell("a\nb\tc") == "a b c");
  CHECK(to_cell(nullptr) == "-");
  CHECK(to_cell(true) == "yes");
}

TEST_CASE("an object becomes lines; nulls are named once, ids of evidence are left to the structure") {
  const Json object = {{"a", {{"x", 1}, {"evidence", {"e1"}}, {"y", nullptr}}},
                       {"b", nullptr},
                       {"c", {{{"name", "n"}, {"evidence", {"e1"}}}}},
                       {"d", nullptr}};
  CHECK(text_lines(object) ==
        "a: x=1\n"
        "c:\n"
        "name\n"
        "n\n"
        "this input cannot tell: b, d\n");
}

TEST_CASE("pieces stand for the rows of the page: whole ones only, and the next page begins with the first left out") {
  Fixture f;
  ToolResult result = five_rows();
  f.plan.host.limit = 4;
  for (int i = 0; i < 5; ++i)
    result.pieces.push_back("piece " + std::to_string(i) + " " + std::string(3000, 'x') + "\n");
  const auto page = render(f.plan, result, Reader::client);
  REQUIRE(page.ok());
  const std::string& text = page.value().text;
  CHECK(text.find("piece 1 " + std::string(3000, 'x') + "\n") != std::string::npos);
  CHECK(text.find("piece 2") == std::string::npos);
  CHECK(text.size() < limits::kTextTokensDefault * limits::kCharsPerToken);
  CHECK(page.value().structured["rows"].size() == 2);
  f.plan.host.cursor = page.value().structured["next_cursor"];
  const auto next = render(f.plan, result, Reader::client);
  REQUIRE(next.ok());
  CHECK(next.value().text.find("top_things: ok\npiece 2 ") == 0);
}

TEST_CASE("pieces of a tool without rows stand behind its text") {
  Fixture f;
  ToolResult result;
  result.text = "head\n";
  result.pieces = {"first\n", std::string(9000, 'x') + "\n", "third\n"};
  const auto page = render(f.plan, result, Reader::client);
  REQUIRE(page.ok());
  CHECK(page.value().text ==
        "top_things: ok\nhead\nfirst\n(2 more: the structured result has them all, or pass less "
        "at once)\n");
}
