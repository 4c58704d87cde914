// timeline on a small trace whose figures are in one's head.
#include <fstream>

#include "core/engine/test_provider.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::engine;
using namespace stepwise::engine::testing;

namespace {

namespace fs = std::filesystem;

/// Thread 7 of process 100: outer [0, 100) us holds inner [10, 40) and another [50, 60); a launch [20, 25) is within
/// inner. Stream 3 of device 0: kernels [30, 50) and [45, 70), which overlap. All times from 1,000 us on.
constexpr const char* kTrace = R"({"schemaVersion": 1, "traceEvents": [
  {"ph": "M", "name": "process_name", "pid": 100, "tid": 0, "args": {"name": "python"}},
  {"ph": "M", "name": "process_labels", "pid": 100, "tid": 0, "args": {"labels": "CPU"}},
  {"ph": "M", "name": "thread_name", "pid": 100, "tid": 7, "args": {"name": "thread 7 main"}},
  {"ph": "M", "name": "process_name", "pid": 0, "tid": 0, "args": {"name": "python"}},
  {"ph": "M", "name": "process_labels", "pid": 0, "tid": 0, "args": {"labels": "GPU 0"}},
  {"ph": "M", "name": "thread_name", "pid": 0, "tid": 3, "args": {"name": "stream 3"}},
  {"ph": "X", "cat": "cpu_op", "name": "outer", "pid": 100, "tid": 7, "ts": 1000, "dur": 100, "args": {}},
  {"ph": "X", "cat": "cpu_op", "name": "inner", "pid": 100, "tid": 7, "ts": 1010, "dur": 30, "args": {}},
  {"ph": "X", "cat": "cpu_op", "name": "another", "pid": 100, "tid": 7, "ts": 1050, "dur": 10, "args": {}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 100, "tid": 7, "ts": 1020, "dur": 5,
   "args": {"correlation": 1}},
  {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 3, "ts": 1030, "dur": 20,
   "args": {"device": 0, "stream": 3, "correlation": 1}},
  {"ph": "X", "cat": "kernel", "name": "relu", "pid": 0, "tid": 3, "ts": 1045, "dur": 25,
   "args": {"device": 0, "stream": 3, "correlation": 2}}
]})";

struct Bench {
  TestEngine t;
  fs::path profile = t.dir / "a.pt.trace.json";

  Bench() { std::ofstream(profile) << kTrace; }
  Answer call(double start_us, double end_us, Json more = Json::object()) {
    more["start_us"] = start_us;
    more["end_us"] = end_us;
    more["profile"] = profile.string();
    return t.submit("timeline", more)->wait();
  }
};

/// "name start+dur depth" of each slice of a track.
std::vector<std::string> slices(const Json& track) {
  std::vector<std::string> out;
  for (const Json& slice : track["slices"]) {
    out.push_back(slice["name"].get<std::string>() + " " + dump_json(slice["start_us"]) + "+" +
                  dump_json(slice["dur_us"]) + " " + dump_json(slice["depth"]));
  }
  return out;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a window shows each track's slices, how they nest and how long it is busy") {
  Bench b;
  const Answer answer = b.call(0, 100);
  REQUIRE_FALSE(answer.error.has_value());
  const Json& tracks = answer.structured["tracks"];
  REQUIRE(tracks.size() == 2);
  CHECK(tracks[0]["name"] == "python CPU / thread 7 main");
  CHECK(tracks[0]["busy_us"] == 100.0);
  CHECK(tracks[0]["busy_ratio"] == 1.0);
  CHECK(slices(tracks[0]) ==
        Texts{"outer 0.0+100.0 0", "inner 10.0+30.0 1", "cudaLaunchKernel 20.0+5.0 2", "another 50.0+10.0 1"});
  CHECK(tracks[1]["name"] == "python GPU 0 / stream 3");
  CHECK(tracks[1]["busy_us"] == 40.0);  // [30, 70)
  CHECK(slices(tracks[1]) == Texts{"gemm 30.0+20.0 0", "relu 45.0+25.0 1"});
  CHECK(tracks[1]["slices"][1]["table"] == "kernel");
  CHECK(tracks[1]["slices"][1]["id"] == 1);
  CHECK(answer.structured["timeline"] == Json{{"start_us", 0.0}, {"end_us", 100.0}});
  CHECK(answer.structured["rank"] == 0);
  CHECK_THAT(answer.text, Catch::Contains("  inner  at 10.000 for 30.0 us"));
}

TEST_CASE("slices that reach into the window belong to it, and busy time ends at its borders") {
  Bench b;
  const Json tracks = b.call(42, 48).structured["tracks"];  // equally busy: by process
  REQUIRE(tracks.size() == 2);
  CHECK(slices(tracks[0]) == Texts{"gemm 30.0+20.0 0", "relu 45.0+25.0 1"});
  CHECK(tracks[0]["busy_us"] == 6.0);
  CHECK(slices(tracks[1]) == Texts{"outer 0.0+100.0 0"});  // inner ended at 40, another has not begun
  CHECK(tracks[1]["busy_us"] == 6.0);
  CHECK(slices(b.call(40, 45).structured["tracks"][0]) == Texts{"gemm 30.0+20.0 0"});
  CHECK(slices(b.call(70, 80).structured["tracks"][0]) == Texts{"outer 0.0+100.0 0"});
  CHECK(b.call(70, 80).structured["tracks"].size() == 1);  // relu ended at 70
}

TEST_CASE("short slices, more than the limit and tracks not asked for are left out and counted") {
  Bench b;
  const Json track = b.call(0, 100, {{"min_us", 10}}).structured["tracks"][0];
  CHECK(slices(track) == Texts{"outer 0.0+100.0 0", "inner 10.0+30.0 1", "another 50.0+10.0 1"});
  CHECK(track["slice_count"] == 4);
  CHECK(track["left_out"] == 1);
  CHECK(slices(b.call(0, 100, {{"min_us", 1e300}}).structured["tracks"][0]).empty());  // no slice is that long
  const Answer two = b.call(0, 100, {{"limit", 2}});
  CHECK(slices(two.structured["tracks"][0]) == Texts{"outer 0.0+100.0 0", "inner 10.0+30.0 1"});
  CHECK(two.structured["next"][0]["tool"] == "query_sql");
  const Answer streams = b.call(0, 100, {{"tracks", {"STREAM"}}});
  REQUIRE(streams.structured["tracks"].size() == 1);
  CHECK(streams.structured["tracks"][0]["name"] == "python GPU 0 / stream 3");
  CHECK(streams.structured["tracks_left_out"] == 1);
  CHECK(streams.structured["other_tracks"][0]["name"] == "python CPU / thread 7 main");
}

TEST_CASE("what next suggests runs") {
  Bench b;
  const Json next = b.call(0, 100, {{"limit", 1}}).structured["next"][0];
  Json arguments = next["arguments"];
  arguments["profile"] = b.profile.string();
  const Answer answer = b.t.submit("query_sql", arguments)->wait();
  REQUIRE_FALSE(answer.error.has_value());
  CHECK(answer.structured["rows"] == Json({{"outer", 1, 100.0}, {"inner", 1, 30.0}, {"another", 1, 10.0}}));
}

TEST_CASE("an empty window is an answer, a window that ends before it starts is none") {
  Bench b;
  const Answer nothing = b.call(1'000, 2'000);
  REQUIRE_FALSE(nothing.error.has_value());
  CHECK(nothing.structured["tracks"].empty());
  CHECK(nothing.structured["timeline"]["end_us"] == 100.0);
  CHECK(b.call(10, 10).error->code == "timeline.window");
  CHECK(b.call(20, 10).error->code == "timeline.window");
  const auto far = b.call(0, 1e300).error;
  CHECK(far->code == "timeline.window");
  CHECK(far->where == "/end_us");
  CHECK_THAT(far->message, Catch::Contains("further than any recording"));
  const auto nothing_fits = b.call(10, 10.0001).error;  // both are one ns
  REQUIRE(nothing_fits.has_value());
  CHECK(nothing_fits->code == "timeline.window");
}

TEST_CASE("without a timeline it does not apply") {
  TestEngine t;
  const fs::path output = t.dir / "run_ascend_pt" / "ASCEND_PROFILER_OUTPUT";
  fs::create_directories(output);
  std::ofstream(output / "op_statistic.csv")
      << "OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)\n"
         "Add,AI_VECTOR_CORE,1,2,2,2,2,100\n";
  const Answer answer =
      t.submit("timeline", {{"start_us", 0}, {"end_us", 1}, {"profile", (t.dir / "run_ascend_pt").string()}})->wait();
  REQUIRE_FALSE(answer.error.has_value());
  CHECK(answer.structured["status"] == "not_applicable");
  CHECK(answer.structured["missing"][0]["input"] == "trace_view.json");
}
