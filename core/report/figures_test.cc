#include "core/report/figures.h"

#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::report;

TEST_CASE("exact microseconds keep every nanosecond") {
  CHECK(exact_us(101963.203) == "101,963.203");
  CHECK(exact_us(0) == "0.000");
  CHECK(exact_us(-1234.5) == "-1,234.500");
  CHECK(exact_us(999.9994) == "999.999");
  CHECK(exact_us(1234567890.001) == "1,234,567,890.001");
}

TEST_CASE("times for people have three digits and the unit that fits") {
  CHECK(human_time(0.02) == "0.02 us");
  CHECK(human_time(624.152) == "624 us");
  CHECK(human_time(1959.079) == "1.96 ms");
  CHECK(human_time(25744.05) == "25.7 ms");
  CHECK(human_time(136581.009, 5) == "136.58 ms");
  CHECK(human_time(12345678) == "12.3 s");
  CHECK(human_time(5e9) == "5,000 s");
}

TEST_CASE("shares") {
  CHECK(percent(0.746541) == "74.65 %");
  CHECK(percent(0.746541, 1) == "74.7 %");
  CHECK(percent(1, 0) == "100 %");
  CHECK(percent(-1e-8) == "0.00 %");
}

TEST_CASE("a cell takes its unit from the key") {
  CHECK(cell_text(Lang::en, "total_us", 1959.079) == "1,959.079");
  CHECK(cell_text(Lang::en, "busy_ratio", 0.5) == "50.00 %");
  CHECK(cell_text(Lang::en, "ratio", 0.125) == "12.50 %");
  CHECK(cell_text(Lang::en, "bytes", 269) == "269 B");
  CHECK(cell_text(Lang::en, "count", 1257) == "1,257");
  CHECK(cell_text(Lang::en, "step", 1257) == "1257");
  CHECK(cell_text(Lang::en, "value", 3.5792934699495333) == "3.5793");
  CHECK(cell_text(Lang::en, "value", 10.0) == "10");
  CHECK(cell_text(Lang::en, "value", 0.00025) == "0.00025");
  CHECK(cell_text(Lang::en, "value", 1e20) == "1e+20");
  CHECK(cell_text(Lang::zh, "autofuse", true) == "是");
  CHECK(cell_text(Lang::en, "h2d_us", nullptr) == "–");
  CHECK(cell_text(Lang::zh, "problem", "mac") == "mac 占比低 (mac)");
  CHECK(cell_text(Lang::en, "problem", "of_a_plugin") == "of_a_plugin");
  CHECK(cell_text(Lang::en, "ranks", Json{0, 1}) == "0, 1");
  CHECK(cell_text(Lang::en, "instances", Json{{"max", 2}, {"linger_us", 1}}) == "linger_us 1.000; max 2");
  CHECK(cell_text(Lang::en, "name", "a\xff") == "a\xef\xbf\xbd");
}
