// How large an answer may be for a client, and what is left out of it or cut.
#include "core/engine/page_fit.h"

#include "core/base/limits.h"
#include "core/engine/render.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::engine;

namespace {

constexpr size_t kDefault = limits::kTextTokensDefault * limits::kCharsPerToken;
constexpr size_t kHard = limits::kTextTokensHard * limits::kCharsPerToken;

struct Fixture {
  RegisteredTool tool;
  CallPlan plan;
  ToolResult result;

  /// That many rows whose names have that many characters.
  Fixture(int rows, size_t name_chars) {
    tool.decl.name = "top_things";
    tool.decl.view = {{"name", "total_us"}, {"total_us"}, "total_us"};
    plan.tool = &tool;
    plan.key = "key";
    plan.host.limit = tool.decl.default_limit;
    result.has_rows = true;
    for (int i = 0; i < rows; ++i) {
      result.rows.push_back({{"name", std::string(name_chars, 'x')}, {"total_us", 1.5}, {"id", i}});
    }
    result.total_rows = static_cast<uint64_t>(rows);
  }

  Page page(Reader reader = Reader::client) const {
    auto made = render(plan, result, reader);
    REQUIRE(made.ok());
    return std::move(made).value();
  }
};

}  // namespace

TEST_CASE("a page for a client holds as many rows as there is room for, and nothing is lost between pages") {
  for (const int64_t limit : {20, 1000}) {
    Fixture f(1000, 300);
    f.plan.host.limit = limit;
    const size_t most = limit == 20 ? kDefault : kHard;
    int64_t expected = 0;
    for (bool more = true; more;) {
      const Page page = f.page();
      REQUIRE(dump_json(page.structured).size() <= most);
      REQUIRE(page.text.size() <= most);
      for (const Json& row : page.structured["rows"]) REQUIRE(row["id"] == expected++);
      if (expected < 1000) REQUIRE(dump_json(page.structured).size() > most / 2);
      more = page.structured.contains("next_cursor");
      if (more) f.plan.host.cursor = page.structured["next_cursor"];
      // What the page leaves out stands in the sums.
      const auto count = static_cast<double>(page.structured["rows"].size());
      REQUIRE(page.structured["other"]["total_us"] == 1.5 * (1000 - count));
    }
    CHECK(expected == 1000);
  }
}

TEST_CASE("text and structure of a page hold the same rows") {
  Fixture f(500, 40);
  f.plan.host.limit = 500;
  f.tool.decl.view.columns = {"name", "total_us", "id", "name", "name", "name", "name"};  // the text is the longer one
  const Page page = f.page();
  const size_t rows = page.structured["rows"].size();
  CHECK(rows < 500);
  CHECK(static_cast<size_t>(std::count(page.text.begin(), page.text.end(), '\n')) ==
        4 + rows);  // head, names, sums, end
}

TEST_CASE("the program itself gets all rows up to its limit") {
  Fixture f(1000, 300);
  f.plan.host.limit = 1000;
  const Page page = f.page(Reader::program);
  CHECK(page.structured["rows"].size() == 1000);
  CHECK_FALSE(page.structured.contains("cut"));
}

TEST_CASE("one name of megabytes does not fill an answer: it is cut, and its size told") {
  Fixture f(3, 10);
  f.result.rows[0]["name"] = std::string(5 << 20, 'x');
  f.result.body["longest"] = {{"name", f.result.rows[0]["name"]}, {"dur_us", 12.25}};
  const Page page = f.page();
  CHECK(dump_json(page.structured).size() <= kHard);
  const std::string cut = page.structured["rows"][0]["name"];
  CHECK(cut.ends_with("… (5242880 bytes)"));
  CHECK(page.structured["longest"]["dur_us"] == 12.25);
  CHECK(page.structured["cut"] == Json{{"texts", 2000}});
  CHECK(page.structured["next_cursor"].is_string());  // the other two follow
  CHECK(page.text.size() <= kDefault);
}

TEST_CASE("a body that no page can hold is cut to its first entries; sums and rows stay") {
  Fixture f(2, 10);
  f.result.body["total_us"] = 77.5;
  for (int i = 0; i < 5000; ++i) f.result.body["tree"].push_back({{"name", "n" + std::to_string(i)}, {"us", i}});
  const Page page = f.page();
  CHECK(dump_json(page.structured).size() <= kHard);
  CHECK(page.structured["total_us"] == 77.5);
  CHECK(page.structured["rows"].size() == 2);
  CHECK(page.structured["tree"].size() == page.structured["cut"]["lists"]);
  CHECK(page.structured["tree"][0]["name"] == "n0");
}

TEST_CASE("measuring says what writing takes, or little more") {
  const Json value = {{"a\"b", {1, -20, 3.5, 5.0, 1e-9, 123456.789, nullptr, true, false}},
                      {"text", "line\nand \\ 升级"},
                      {"none", Json::object()},
                      {"empty", Json::array()}};
  const size_t written = dump_json(value).size();
  CHECK(json_chars(value) >= written);
  CHECK(json_chars(value) <= written + 40);
}

TEST_CASE("what fits is not touched") {
  Json small = {{"a", std::string(3000, 'x')}};
  const Json before = small;
  CHECK_FALSE(cut_to_fit(small, kHard));
  CHECK(small == before);
}
