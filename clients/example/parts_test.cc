// The generator's arithmetic on hand-made input.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "clients/example/overlap.h"
#include "clients/example/tally.h"
#include "clients/example/text_file.h"
#include "tests/catch.h"

namespace stepwise::example {
namespace {

template <class Write>
std::string written(Write write) {
  const auto path = std::filesystem::temp_directory_path() / "stepwise_example_parts_test.txt";
  auto file = TextFile::create(path);
  REQUIRE(file.ok());
  TextFile text = std::move(file).value();
  write(text);
  REQUIRE(text.close().ok());
  std::ifstream in(path, std::ios::binary);
  std::stringstream all;
  all << in.rdbuf();
  std::filesystem::remove(path);
  CHECK(text.bytes() == static_cast<int64_t>(all.str().size()));
  return all.str();
}

TEST_CASE("numbers are printed as the profiler prints them") {
  CHECK(written([](TextFile& f) { f.us3(1736408883688177930); }) == "1736408883688177.930");
  CHECK(written([](TextFile& f) { f.us(53'741).text(" ").us(15'500).text(" ").us(2'000).text(" ").us(20); }) ==
        "53.741 15.5 2.0 0.02");
  CHECK(written([](TextFile& f) { f.ms(79'089'520).text(" ").ms(20); }) == "79.08952 0.00002");
  CHECK(written([](TextFile& f) { f.device_us(53'741, 2).text(" ").device_us(600, 1).text(" ").device_us(700, 0); }) ==
        "53.7410625 0.60003125 0.7");
  CHECK(written([](TextFile& f) { f.python_float(1736408883732241.5).text(" ").python_float(1736408883732241.0); }) ==
        "1736408883732241.5 1736408883732241.0");
}

TEST_CASE("flow ids of node launches pass 64 bits") {
  CHECK(written([](TextFile& f) { f.wide_flow_id(953, 141'170); }) == "40004068119343529983");
}

TEST_CASE("a file that cannot be created is an error that names it") {
  auto file = TextFile::create("/proc/stepwise/none.txt");
  REQUIRE_FALSE(file.ok());
  CHECK(file.error().code == "example.write");
  CHECK(file.error().message.find("/proc/stepwise/none.txt") != std::string::npos);
}

TEST_CASE("free time up to the next step belongs to the step before") {
  OverlapAnalysis overlap;
  overlap.kernel(100, 140);
  overlap.kernel(120, 150);             // another stream
  overlap.collective(145, 190, false);  // 5 under computing
  overlap.kernel(200, 210);
  auto first = overlap.close_step({0, 7, 60, 260});
  CHECK(first.computing == Intervals{{100, 150}, {200, 210}});
  CHECK(first.not_overlapped == Intervals{{150, 190}});
  CHECK(first.free == Intervals{{190, 200}});

  overlap.kernel(300, 330);
  auto second = overlap.close_step({1, 8, 270, 400});
  CHECK(second.free == Intervals{{210, 300}});

  const StepFigures& step = overlap.steps()[0];
  CHECK(step.number == 7);
  CHECK(step.computing_ns == 60);
  CHECK(step.communication_ns == 45);
  CHECK(step.not_overlapped_ns == 40);
  CHECK(step.overlapped_ns() == 5);
  CHECK(step.free_ns == 10 + 90);
  CHECK(step.stage_ns == 200);
  CHECK(step.preparing_ns() == 40);
  CHECK(overlap.steps()[1].stage_ns == 30);
  CHECK(overlap.steps()[1].free_ns == 0);
}

TEST_CASE("variance is that of the population, in exact integers") {
  DurationSum sum;
  for (int64_t ns : {2'000, 4'000, 9'000}) sum.add(ns);
  CHECK(sum.average_ns() == 5'000);
  CHECK(sum.variance_milli_us2() == 8'667);  // (9 + 1 + 16) / 3 = 8.6667
  CHECK(sum.min_ns == 2'000);
  CHECK(sum.max_ns == 9'000);
}

}  // namespace
}  // namespace stepwise::example
