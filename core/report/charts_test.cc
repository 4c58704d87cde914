#include "core/report/charts.h"

#include "core/report/sample_model_test.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::report;

TEST_CASE("the step is one bar of its parts; what rounding left is none") {
  const Chart chart = step_chart(Lang::en, digest(testing::sample_model()));
  REQUIRE(chart.rows.size() == 1);
  REQUIRE(chart.rows[0].segments.size() == 3);
  CHECK(chart.rows[0].segments[0].tone == Tone::uncovered);
  CHECK(chart.rows[0].segments[0].says == "communication not hidden: 101,963.203 us (74.65 %)");
  CHECK(chart.full_us == Approx(136581.009));
  CHECK(chart.legend[2].figure == "8.87 ms, 6.5 %");
}

TEST_CASE("operators end with all others") {
  const Chart chart = operators_chart(Lang::en, digest(testing::sample_model()));
  REQUIRE(chart.rows.size() == 3);
  CHECK(chart.rows[0].label == "ForeachAddList");
  CHECK(chart.rows[2].label == "other");
  CHECK(chart.rows[2].segments[0].us == Approx(5500.797));
  CHECK(chart.full_us == Approx(5500.797));
}

TEST_CASE("stages stand in time order, however the answer ranks them") {
  const Json answer = {{"step_us", 100.0},
                       {"unclassified_us", 10.0},
                       {"rows",
                        {{{"stage", "backward"}, {"wall_us", 60.0}, {"ratio", 0.6}},
                         {{"stage", "validation"}, {"wall_us", 5.0}},
                         {{"stage", "update_dense"}, {"wall_us", nullptr}},
                         {{"stage", "forward"}, {"wall_us", 25.0}, {"ratio", 0.25}}}}};
  const Chart chart = stages_chart(Lang::en, answer);
  std::vector<std::string> labels;
  for (const Chart::Row& row : chart.rows) labels.push_back(row.label);
  CHECK(labels == std::vector<std::string>{"forward", "backward", "validation", "unclassified"});
  CHECK(chart.full_us == 60);
  CHECK(chart.rows[3].figure == "10.0 us, 10.0 %");
}

TEST_CASE("overlap tells computing alone from computing that hides communication") {
  const Json breakdown = {
      {"computing_us", 60.0}, {"overlapped_us", 20.0}, {"not_overlapped_us", 30.0}, {"free_us", 10.0}};
  const Chart chart = overlap_chart(Lang::en, {{"breakdown", breakdown}});
  REQUIRE(chart.rows.size() == 1);
  std::vector<double> us;
  for (const auto& one : chart.rows[0].segments) us.push_back(one.us);
  CHECK(us == std::vector<double>{40, 20, 30, 10});
  CHECK(chart.full_us == 100);
  CHECK(overlap_chart(Lang::en, {{"breakdown", {{"computing_us", 60.0}}}}).rows.empty());
}

TEST_CASE("ranks are drawn beside each other by number, on one scale; one rank is no comparison") {
  Json answer = {{"ranks", {{{"rank", 1}, {"computing_us", 30.0}, {"free_us", 5.0}}}}};
  CHECK(ranks_chart(Lang::en, answer).rows.empty());
  answer["ranks"].push_back({{"rank", 0}, {"computing_us", 20.0}, {"not_overlapped_us", 20.0}});
  const Chart chart = ranks_chart(Lang::en, answer);
  REQUIRE(chart.rows.size() == 2);
  CHECK(chart.rows[0].label == "rank 0");
  CHECK(chart.full_us == 40);
  CHECK(chart.rows[0].segments[1].says == "rank 0, communication not hidden: 20.000 us");
}
