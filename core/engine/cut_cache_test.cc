// Cached files that somebody cuts while the program has them mapped: the profile is read once more, no figure is wrong.
#include <unistd.h>

#include <fstream>

#include "core/engine/engine.h"
#include "core/engine/test_provider.h"
#include "core/store/table_view.h"
#include "stepwise/tables.hpp"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::engine;
using namespace stepwise::engine::testing;

namespace {

namespace fs = std::filesystem;

constexpr int kSteps = 3'000;
constexpr int64_t kSumOfSteps = int64_t{kSteps} * (kSteps + 1) / 2;

fs::path make_run(const fs::path& dir) {
  const fs::path run = dir / "run_ascend_pt";
  fs::create_directories(run / "ASCEND_PROFILER_OUTPUT");
  std::ofstream out(run / "ASCEND_PROFILER_OUTPUT" / "step_trace_time.csv");
  out << "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
         "Communication(Not Overlapped and Exclude Receive),Preparing\n";
  for (int step = 1; step <= kSteps; ++step) out << step << ",6,3,1,4,1,10,0,3,2\n";
  return run;
}

/// Cuts every cached file; how many there were.
int cut_cache(const fs::path& cache, off_t bytes) {
  int cut = 0;
  for (const auto& entry : fs::recursive_directory_iterator(cache)) {
    if (entry.path().extension() == ".seg" && ::truncate(entry.path().c_str(), bytes) == 0) ++cut;
  }
  return cut;
}

/// Sums the steps; between the columns of its first calls somebody cuts the file.
class CutProvider : public ToolProvider {
 public:
  fs::path cache;
  off_t keeps = 0;
  int cuts_left = 0;
  bool fails_on_zeros = false;

  std::vector<ToolDecl> tools() const override {
    const Json tool = {{"name", "sum_steps"},
                       {"description", "A tool for tests."},
                       {"needs", {{"step"}}},
                       {"per", "rank"},
                       {"input", {{"type", "object"}, {"properties", Json::object()}}},
                       {"output", {{"type", "object"}}}};
    return {tool_from_json(tool, "").value()};
  }
  Result<ToolResult> call(const std::string&, const Json& arguments, CallHost& host) override {
    SW_ASSIGN_OR_RETURN(const sw_table* steps, host.table(arguments["ranks"][0].get<uint32_t>(), "step"));
    if (cuts_left > 0 && cut_cache(cache, keeps) > 0) --cuts_left;
    int64_t sum = 0;
    for (uint64_t row = 0; row < steps->rows; ++row) sum += store::get(*steps, table::step::step, row).value_or(0);
    if (fails_on_zeros && sum == 0) return Error{ErrorKind::bad_data, "test.zeros", "Nothing but zeros.", "", ""};
    ToolResult result;
    result.body["sum"] = sum;
    return result;
  }
};

struct CutEngine {
  std::shared_ptr<CutProvider> cutter = std::make_shared<CutProvider>();
  TestEngine t{[this] {
    EngineOptions options;
    options.providers.push_back(cutter);
    return options;
  }()};
  std::string run = make_run(t.dir).string();

  CutEngine() { cutter->cache = t.dir / "cache"; }
  Answer sum() { return t.submit("sum_steps", {{"profile", run}})->wait(); }
  uint64_t ingests() const { return t.engine->counters().ingests; }
};

}  // namespace

TEST_CASE("a cached file that is cut while a tool reads it is read anew, and the answer is right") {
  for (const off_t keeps : {0, 4096, 20'001}) {
    INFO(keeps);
    CutEngine c;
    c.cutter->keeps = keeps;
    c.cutter->cuts_left = 1;
    const Answer answer = c.sum();
    REQUIRE_FALSE(answer.error.has_value());
    CHECK(answer.structured["sum"] == kSumOfSteps);
    CHECK(c.cutter->cuts_left == 0);
    CHECK(c.ingests() == 2);
  }
}

TEST_CASE("an error that comes of a file that was cut is not the tool's") {
  CutEngine c;
  c.cutter->cuts_left = 1;
  c.cutter->fails_on_zeros = true;
  const Answer answer = c.sum();
  REQUIRE_FALSE(answer.error.has_value());
  CHECK(answer.structured["sum"] == kSumOfSteps);
}

TEST_CASE("where the new file is cut as well the call fails, and the next one answers") {
  CutEngine c;
  c.cutter->cuts_left = 2;
  const Answer answer = c.sum();
  REQUIRE(answer.error.has_value());
  CHECK(answer.error->code == "store.damaged");
  const Answer next = c.sum();
  REQUIRE_FALSE(next.error.has_value());
  CHECK(next.structured["sum"] == kSumOfSteps);
  CHECK(c.ingests() == 3);
}

TEST_CASE("a cached file that is cut between two calls is read anew by the second") {
  CutEngine c;
  REQUIRE_FALSE(c.t.submit("open_profile", {{"path", c.run}})->wait().error.has_value());
  REQUIRE(cut_cache(c.cutter->cache, 100) > 0);
  const Answer rows = c.t.submit("query_sql", {{"profile", c.run}, {"sql", "select sum(step) from step"}})->wait();
  REQUIRE_FALSE(rows.error.has_value());
  CHECK(rows.structured["rows"][0][0] == kSumOfSteps);
  CHECK(c.ingests() == 2);
  REQUIRE(cut_cache(c.cutter->cache, 0) > 0);
  const Answer again = c.t.submit("open_profile", {{"path", c.run}})->wait();
  REQUIRE_FALSE(again.error.has_value());
  CHECK(again.structured["step_count"] == kSteps);
  CHECK(c.ingests() == 3);
}
