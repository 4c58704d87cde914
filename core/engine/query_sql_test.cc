// query_sql through the engine: what is read for it, how it is paged and exported.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <fstream>
#include <sstream>

#include "core/engine/test_provider.h"
#include "core/store/descriptor.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::engine;
using namespace stepwise::engine::testing;

namespace {

namespace fs = std::filesystem;

/// Ranks with so many steps each; step n computes n us.
fs::path make_ranks(const fs::path& dir, const std::vector<int>& steps) {
  for (size_t rank = 0; rank < steps.size(); ++rank) {
    const fs::path run = dir / "runs" / std::to_string(rank) / "run_ascend_pt";
    fs::create_directories(run / "ASCEND_PROFILER_OUTPUT");
    std::ofstream(run / ("profiler_info_" + std::to_string(rank) + ".json")) << "{}";
    std::ofstream out(run / "ASCEND_PROFILER_OUTPUT" / "step_trace_time.csv");
    out << "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
           "Communication(Not Overlapped and Exclude Receive),Preparing\n";
    for (int step = 1; step <= steps[rank]; ++step) out << step << "," << step << ",3,1,4,1,10,0,3,2\n";
  }
  return dir / "runs";
}

struct Bench {
  TestEngine t;
  fs::path profile;

  explicit Bench(const std::vector<int>& steps, EngineOptions options = {}) : t(std::move(options)) {
    profile = make_ranks(t.dir, steps);
  }
  Answer query(const std::string& sql, Json more = Json::object()) {
    more["sql"] = sql;
    more["profile"] = profile.string();
    return t.submit("query_sql", more)->wait();
  }
  uint64_t ingests() const { return t.engine->counters().ingests; }
};

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("a query reads the ranks and groups that it touches, and is answered from what was kept") {
  Bench b({2, 3, 4});
  CHECK(b.query("SELECT 1 AS one").structured["rows"] == Json({{1}}));
  CHECK(b.ingests() == 0);
  const Answer one = b.query("SELECT rank, count(*) AS steps FROM step WHERE rank = 1 GROUP BY rank");
  REQUIRE_FALSE(one.error.has_value());
  CHECK(one.structured["columns"] == Json({"rank", "steps"}));
  CHECK(one.structured["rows"] == Json({{1, 3}}));
  CHECK(one.structured["status"] == "ok");
  CHECK(b.ingests() == 1);
  CHECK(b.query("SELECT count(*) FROM step", {{"rank", 2}}).structured["rows"] == Json({{4}}));
  CHECK(b.ingests() == 2);
  CHECK(b.query("SELECT rank, sum(computing_ns) FROM step GROUP BY 1").structured["rows"] ==
        Json({{0, 3000}, {1, 6000}, {2, 10000}}));
  CHECK(b.ingests() == 3);
  const uint64_t hits = b.t.engine->counters().result_cache_hits;
  CHECK(b.query("SELECT count(*) FROM step", {{"rank", 2}}).structured["rows"] == Json({{4}}));
  CHECK(b.t.engine->counters().result_cache_hits == hits + 1);
}

TEST_CASE("a query over very many unread ranks ends with how many were read") {
  constexpr int kRanks = 100;
  // On a slow machine the query itself may take longer than the deadline, before it knows what it wants.
  for (auto deadline = std::chrono::milliseconds(40);; deadline *= 2) {
    EngineOptions options;
    options.analysis_deadline = deadline;
    Bench b(std::vector<int>(kRanks, 1), std::move(options));
    const Answer opened = b.t.submit("open_profile", {{"path", b.profile.string()}})->wait();
    if (opened.error) continue;
    // As another process does that is reading that rank: no machine is fast enough for all of them.
    const fs::path cache = b.t.dir / "cache" / opened.structured["id"].get<std::string>();
    fs::create_directories(cache);
    const store::Descriptor reads(::open((cache / "50-files.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRWXU));
    REQUIRE(::flock(reads.get(), LOCK_EX) == 0);
    const Answer answer = b.query("SELECT count(*) FROM step");
    REQUIRE(answer.error.has_value());
    CHECK(answer.error->kind == ErrorKind::deadline);
    if (answer.error->code != "call.reading") continue;
    CHECK(answer.error->message.starts_with("`query_sql` wants tables of 100 ranks, and "));
    CHECK(answer.error->message.ends_with(" of them were read in " + std::to_string(deadline.count() / 1000) + " s."));
    CHECK(answer.error->hint.find("WHERE rank = N") != std::string::npos);
    // One rank may take as long as it needs.
    const Answer one = b.query("SELECT count(*) FROM step WHERE rank = 7");
    CHECK((!one.error || one.error->code != "call.reading"));
    break;
  }
}

TEST_CASE("how far the reading of many ranks is grows to the end") {
  Bench b(std::vector<int>(300, 20));
  const auto sink = std::make_shared<TestSink>();
  Request request;
  request.tool = "query_sql";
  request.arguments = {{"sql", "SELECT count(*) FROM step"}, {"profile", b.profile.string()}};
  request.want_progress = true;
  b.t.engine->submit(std::move(request), sink);
  const Answer answer = sink->wait();
  REQUIRE_FALSE(answer.error.has_value());
  CHECK(answer.structured["rows"] == Json({{6000}}));
  uint64_t last = 0;
  for (const ProgressGauge::Value& value : sink->progress_seen()) {
    if (!std::string_view(value.phase).starts_with("reading")) continue;
    CHECK(value.total == 300'000);
    CHECK(value.done >= last);
    CHECK(value.done <= value.total);
    last = value.done;
  }
}

TEST_CASE("ranks that a join names one by one are read") {
  Bench b({1, 2, 3, 4, 5, 6, 7, 8});
  const Answer answer = b.query(
      "WITH RECURSIVE r(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM r WHERE n < 7) SELECT n, (SELECT count(*) FROM "
      "step "
      "WHERE rank = n) FROM r");
  REQUIRE_FALSE(answer.error.has_value());
  CHECK(answer.structured["rows"] == Json({{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}}));
  CHECK(b.ingests() == 8);
}

TEST_CASE("files that change change the answer") {
  Bench b({2});
  CHECK(b.query("SELECT count(*) FROM step").structured["rows"] == Json({{2}}));
  make_ranks(b.t.dir, {5});
  CHECK(b.query("SELECT count(*) FROM step").structured["rows"] == Json({{5}}));
}

TEST_CASE("a table without a file is empty, and the answer says so") {
  Bench b({2});
  const Answer answer = b.query("SELECT count(*) FROM kernel");
  REQUIRE_FALSE(answer.error.has_value());
  CHECK(answer.structured["rows"] == Json({{0}}));
  CHECK(answer.structured["status"] == "partial");
  CHECK(answer.structured["missing"][0]["input"] == "kernel_details.csv");
  CHECK(answer.structured["missing"][0]["costs"] == "table `kernel` is empty");
}

TEST_CASE("who asks an NPU's kernels for their operator learns which file would tell") {
  Bench b({1});
  const Answer answer = b.query("SELECT count(*) FROM kernel_link");
  REQUIRE_FALSE(answer.error.has_value());
  REQUIRE(answer.structured["missing"].size() == 1);
  CHECK(answer.structured["missing"][0]["input"] == "trace_view.json");
  CHECK(answer.structured["missing"][0]["costs"] == "host_op_id is null");
}

TEST_CASE("rows are paged; beyond a thousand the answer says that there are more") {
  Bench b({1'200});
  const Answer first = b.query("SELECT step FROM step WHERE step <= 45 ORDER BY step");
  REQUIRE_FALSE(first.error.has_value());
  CHECK(first.structured["rows"].size() == 20);
  CHECK(first.structured["total_rows"] == 45);
  const Answer last = b.query("SELECT step FROM step WHERE step <= 45 ORDER BY step",
                              {{"limit", 30}, {"cursor", first.structured["next_cursor"]}});
  REQUIRE_FALSE(last.error.has_value());
  CHECK(last.structured["rows"].front() == Json({21}));
  CHECK(last.structured["rows"].size() == 25);
  CHECK_FALSE(last.structured.contains("next_cursor"));

  const Answer all = b.query("SELECT step FROM step", {{"limit", 1000}});
  CHECK(all.structured["rows"].size() == 1'000);
  CHECK(all.structured["total_rows"].is_null());
  CHECK(all.structured["more_rows"] == true);
  CHECK(all.structured["next"][0]["arguments"]["export"] == "csv");
  CHECK_THAT(all.text, Catch::Contains("more than 1000 rows"));
}

TEST_CASE("long texts are cut and say so; numbers stay whole") {
  Bench b({1});
  const Answer answer = b.query("SELECT printf('%.*c', 1000, 'x') AS t, 9223372036854775807 AS n, 1e999 AS inf");
  REQUIRE_FALSE(answer.error.has_value());
  const Json& row = answer.structured["rows"][0];
  CHECK_THAT(row[0].get<std::string>(), Catch::EndsWith("(1000 bytes)"));
  CHECK(row[0].get<std::string>().size() < 450);
  CHECK(dump_json(row[1]) == "9223372036854775807");
  CHECK(row[2].is_null());
  CHECK(answer.structured["warnings"][0]["code"] == "query.cut");
}

TEST_CASE("an export has every row, and its place is answered") {
  EngineOptions options;
  const fs::path out = fs::temp_directory_path() / ("stepwise-export-" + std::to_string(::getpid()));
  options.out_dir = out / "made";
  Bench b({1'200}, std::move(options));
  const Answer csv = b.query("SELECT step, 'a,\"b\"' AS t, NULL AS n, 0.5 AS h FROM step", {{"export", "csv"}});
  REQUIRE_FALSE(csv.error.has_value());
  CHECK(csv.structured["rows"] == 1'200);
  const fs::path path = csv.structured["path"].get<std::string>();
  CHECK(path.parent_path() == out / "made");
  const std::string text = text_of(path);
  CHECK(csv.structured["bytes"] == text.size());
  CHECK_THAT(text, Catch::StartsWith("step,t,n,h\n1,\"a,\"\"b\"\"\",,0.5\n2,"));
  CHECK(std::count(text.begin(), text.end(), '\n') == 1'201);

  const Answer json = b.query("SELECT step, step AS step, 'x' AS t FROM step WHERE step < 3", {{"export", "json"}});
  REQUIRE_FALSE(json.error.has_value());
  CHECK(parse_json(text_of(json.structured["path"].get<std::string>())).value() ==
        Json({{{"step", 1}, {"step_2", 1}, {"t", "x"}}, {{"step", 2}, {"step_2", 2}, {"t", "x"}}}));
  const Answer none = b.query("SELECT step FROM step WHERE step < 0", {{"export", "json"}});
  CHECK(text_of(none.structured["path"].get<std::string>()) == "[]\n");

  const Answer analysis =
      b.t.submit("run_analysis",
                 {{"analysis", "describe_tables"}, {"profile", b.profile.string()}, {"limit", 1}, {"export", "csv"}})
          ->wait();
  REQUIRE_FALSE(analysis.error.has_value());
  CHECK_THAT(text_of(analysis.structured["path"].get<std::string>()), Catch::StartsWith("table,group,rows,"));
  CHECK(analysis.structured["rows"] > 30);
  fs::remove_all(out);
}

TEST_CASE("an export that fails leaves nothing behind; one into the profile goes elsewhere") {
  EngineOptions options;
  const fs::path out = fs::temp_directory_path() / ("stepwise-export-f" + std::to_string(::getpid()));
  options.out_dir = out;
  Bench b({10}, std::move(options));
  CHECK(b.query("SELECT step, x'00' FROM step", {{"export", "csv"}}).error->code == "query.blob");
  CHECK(fs::is_empty(out));
  fs::remove_all(out);

  TestEngine inside([&] {
    EngineOptions other;
    other.out_dir = b.profile / "report";
    return other;
  }());
  const Answer answer =
      inside.submit("query_sql", {{"sql", "SELECT 1"}, {"profile", b.profile.string()}, {"export", "csv"}})->wait();
  REQUIRE_FALSE(answer.error.has_value());
  CHECK_FALSE(fs::exists(b.profile / "report"));
  CHECK(answer.structured["warnings"][0]["code"] == "export.elsewhere");
  const fs::path path = answer.structured["path"].get<std::string>();
  CHECK(fs::exists(path));
  fs::remove_all(path.parent_path());
}

TEST_CASE("wrong calls of query_sql say what is wrong") {
  Bench b({1});
  CHECK(b.query("SELECT * FROM steps").error->code == "query.table");
  CHECK(b.query("DELETE FROM step").error->code == "query.read_only");
  CHECK(b.query("SELECT 1", {{"rank", 9}}).error->code == "rank.unknown");
  CHECK(b.query("SELECT 1", {{"export", "xlsx"}}).error->code == "args.value");
}

TEST_CASE("diagnostics are of the timeline too, and say which of the rank's segments they are about") {
  Bench b({2});
  const fs::path output = b.profile / "0" / "run_ascend_pt" / "ASCEND_PROFILER_OUTPUT";
  std::ofstream(output / "step_trace_time.csv", std::ios::app) << "3,1\n";
  std::ofstream(output / "trace_view.json") << R"([{"ph": "X", "name": "no time", "pid": 1, "tid": 1}])";
  const std::string sql =
      "SELECT segment, code, file, count FROM diagnostic WHERE severity = 'data_loss' ORDER BY segment";
  const Answer answer = b.query(sql);
  REQUIRE_FALSE(answer.error.has_value());
  CHECK(answer.structured["rows"] ==
        Json({{"files", "csv.ragged_record", "0/run_ascend_pt/ASCEND_PROFILER_OUTPUT/step_trace_time.csv", 1},
              {"trace", "event.bad", "0/run_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", 1}}));
  CHECK(b.ingests() == 2);
  // The same whatever was read before, and by each of its columns.
  CHECK(b.query("SELECT count(*) FROM diagnostic WHERE segment = 'trace' AND code = 'event.bad'").structured["rows"] ==
        Json({{1}}));
  CHECK(b.query("SELECT count(DISTINCT id) = count(*) FROM diagnostic").structured["rows"] == Json({{1}}));
  CHECK(b.ingests() == 2);
  // Who counts rows counts those that a query shows.
  const Json rows = b.query("SELECT count(*) FROM diagnostic").structured["rows"][0][0];
  CHECK(b.t.submit("open_profile", {{"path", b.profile.string()}})->wait().structured["tables"]["diagnostic"] == rows);
  const Answer described =
      b.t.submit("describe_tables", {{"profile", b.profile.string()}, {"table", "diagnostic"}})->wait();
  CHECK(described.structured["rows"][0]["rows"] == rows);
}
