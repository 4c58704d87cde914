#include "protocol/mcp/own_metrics.h"

#include "protocol/mcp/own_limits.h"
#include "tests/catch.h"

using namespace stepwise::mcp;

namespace {

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

constexpr const char* kNames = R"([
  {"name": "step.ratio", "kind": "number"}, {"name": "step.wall_us", "kind": "number"},
  {"name": "stage.forward_ratio", "kind": "number"}, {"name": "later.ratio", "kind": "text", "reserved": true},
  {"name": "prose.only", "kind": "boolean"}, {"name": "no.where", "kind": "number"}])";
constexpr const char* kPage = R"(# Metrics

Before everything, `prose.only`.

## Steps

| metric | formula |
| --- | --- |
| `step.ratio`, `step.wall_us` | computing / wall |
| `other` | of `step.ratio` |

## Stages

| key | formula |
| --- | --- |
| `ratio` (`stage.<stage>_ratio`) | wall / step |

## Prose

What `prose.only` means.

And more.
)";

}  // namespace

TEST_CASE("a metric's page is the rows whose first cell names it, with the table's head") {
  const auto pages = MetricPages::parse(kNames, kPage);
  const std::string page = pages.page("step.ratio").value();
  CHECK(page ==
        "# step.ratio\n\nKind: number.\n\n## Steps\n\n| metric | formula |\n| --- | --- |\n"
        "| `step.ratio`, `step.wall_us` | computing / wall |\n");
  CHECK(has(pages.page("step.wall_us").value(), "computing / wall"));
}

TEST_CASE("a family of metrics is found by any of its members") {
  const auto pages = MetricPages::parse(kNames, kPage);
  CHECK(has(pages.page("stage.forward_ratio").value(), "| `ratio` (`stage.<stage>_ratio`) | wall / step |"));
}

TEST_CASE("a metric that no table defines has the section that speaks of it") {
  const auto pages = MetricPages::parse(kNames, kPage);
  const std::string page = pages.page("prose.only").value();
  CHECK(has(page, "## Prose\n\nWhat `prose.only` means.\n\nAnd more.\n"));
  CHECK_FALSE(has(page, "Before everything"));
}

TEST_CASE("a reserved metric says so, an unknown one has no page") {
  const auto pages = MetricPages::parse(kNames, kPage);
  CHECK(has(pages.page("later.ratio").value(), "no analysis gives it yet"));
  CHECK_FALSE(pages.page("step"));
  CHECK(has(pages.list(), "## step\n\n- step.ratio (number)\n- step.wall_us (number, us)\n"));
  CHECK(has(pages.list(), "## Not given by any analysis yet\n\nlater.ratio\n"));
}

TEST_CASE("a section that is too long is cut between its blocks") {
  const std::string block(kResourceTextChars / 2, 'x');
  const std::string page = "## A\n\n`prose.only`\n\n" + block + "\n\n" + block + "\n\n" + block + "\n";
  const std::string cut = MetricPages::parse(kNames, page).page("prose.only").value();
  CHECK(cut.size() < kResourceTextChars + 200);
  CHECK(has(cut, block + "\n\n(More of it: docs/metrics.md.)\n"));
}

TEST_CASE("files that are not what they should be give no metrics") {
  CHECK(MetricPages::parse("{", kPage).empty());
  CHECK(MetricPages::parse("{}", kPage).empty());
  CHECK(MetricPages::parse(R"([1, {"kind": "number"}, {"name": 3}])", kPage).empty());
  CHECK(MetricPages::load("no", "docs").empty());
  CHECK(MetricPages::load("skills", "no").empty());
}

TEST_CASE("each metric of the program that analyses give is explained, within an answer's size") {
  const auto pages = MetricPages::load("skills", "docs");
  REQUIRE(pages.names().size() > 100);
  for (const std::string& name : pages.names()) {
    INFO(name);
    const std::string page = pages.page(name).value();
    CHECK((has(page, "\n## ") || has(page, "no analysis gives it yet")));
    CHECK(page.size() < kResourceTextChars + 500);
  }
  CHECK(pages.list().size() < kResourceTextChars);
}

TEST_CASE("a metric whose name ends in a unit has it in the list and on its page") {
  const auto pages = MetricPages::parse(kNames, kPage);
  CHECK(has(pages.list(), "- step.wall_us (number, us)\n"));
  CHECK(has(pages.list(), "- step.ratio (number)\n"));
  CHECK(has(pages.page("step.wall_us").value(), "Kind: number, us.\n"));
}
