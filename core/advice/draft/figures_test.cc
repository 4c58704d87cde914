#include "core/advice/draft/figure_checker.h"

#include <string>

#include "tests/catch.h"

namespace stepwise::advice {
namespace {

std::string found(std::string_view text) {
  std::string out;
  for (const QuotedFigure& one : find_figures(text)) out += (out.empty() ? "" : "; ") + one.text;
  return out;
}

const Answers& answers() {
  static const Answers kAnswers = {
      {"summarize_profile", parse_json(R"({"breakdown": {"computing_us": 8873.756, "communication_us": 105991.878,
                                    "not_overlapped_us": 101963.203, "free_us": 25744.05, "wall_us": 136581.0},
                      "metrics": {"comm.not_overlapped_step_ratio": 0.7465, "step.free_ratio": 0.1885}})")
                                .value()},
      {"top_operators",
       parse_json(R"({"rows": [{"op_type": "MatMulV2", "count": 101, "total_us": 12345.6, "ratio": 0.41},
                               {"op_type": "Add", "count": 55, "total_us": 1200.0, "ratio": 0.04}]})")
           .value()},
      {"memory", parse_json(R"({"peak": [{"device": 0, "allocated_bytes": 30201937920}]})").value()},
      {"comm_overlap", parse_json(R"({"ops": [{"name": "allReduce", "bandwidth_gb_s": 3.21}]})").value()}};
  return kAnswers;
}

/// "ok", "wrong MEASURED", "unknown" of the only figure.
std::string check(std::string_view text) {
  const auto checked = check_figures(text, answers());
  INFO(text);
  REQUIRE(checked.size() == 1);
  const Json json = checked[0].to_json();
  if (json["ok"].is_null()) {
    CHECK(json["measured"].is_null());
    return "unknown";
  }
  return json["ok"] == Json(true) ? "ok" : "wrong " + std::to_string(json["measured"].get<double>()).substr(0, 6);
}

}  // namespace

TEST_CASE("figures: numbers with units, in both languages") {
  CHECK(found("12.3 ms, 41 %, 41%, 3.2 GB/s, 1,234 us, 12.3毫秒 and 占比 41%") ==
        "12.3 ms; 41 %; 41%; 3.2 GB/s; 1,234 us; 12.3毫秒; 41%");
  CHECK(found("the ratio is 0.41, 调用101次") == "0.41; 101次");
  CHECK(found("version 1.2.3, step 50, MatMulV2, x=12ms, [32, 128], 0.41, 2024-01-01") == "");
  CHECK(find_figures("1,234.5 us")[0].value == Approx(1234.5));
  CHECK(find_figures("12.3 ms")[0].value == Approx(12300));
  CHECK(find_figures("12.3 ms")[0].last_digit == Approx(100));
  CHECK(find_figures("28.1GB")[0].value == Approx(28.1e9));
}

TEST_CASE("figures beside the profile's: half a step of the last digit, or half a per cent") {
  CHECK(check("MatMulV2 takes 12.3 ms.") == "ok");  // 12.3456: off by 0.0456, half a step is 0.05, 0.5 % is 0.0615
  CHECK(check("MatMulV2 takes 12.4 ms.") == "ok");  // off by 0.0544, below 0.062
  CHECK(check("MatMulV2 takes 12.5 ms.") == "wrong 12.345");
  CHECK(check("MatMulV2 takes 12 ms.") == "ok");  // off by 0.35, half a step is 0.5
  CHECK(check("MatMulV2占比41%") == "ok");
  CHECK(check("MatMulV2占比0.41") == "ok");
  CHECK(check("MatMulV2占比61%") == "wrong 41.000");
  CHECK(check("MatMulV2 is called 101 times.") == "ok");
  CHECK(check("MatMulV2 is called 11 times.") == "wrong 101.00");
}

TEST_CASE("figures: the words beside it say which one it is held against") {
  // 102 ms are what is not overlapped, communication is 106 ms: either is said.
  CHECK(check("Communication that is not hidden takes 102 ms.") == "ok");
  CHECK(check("通信未掩盖耗时102毫秒。") == "ok");
  CHECK(check("空闲时间为25.7毫秒。") == "ok");
  CHECK(check("The device is idle for 40 ms.") == "wrong 25.744");
  CHECK(check("Free is 18.9 % of the step.") == "ok");
  // Add is named: that another row has 12.3 ms does not help.
  CHECK(check("Add takes 12.3 ms.") == "wrong 1.2000");
}

TEST_CASE("figures that nothing names are never confirmed, whatever number of the profile is equal") {
  CHECK(check("It takes 12.35 ms.") == "unknown");
  CHECK(check("It takes 77 ms.") == "unknown");
  CHECK(check("The peak is 30.2 GB.") == "ok");
  CHECK(check("It moves 3.21 GB/s.") == "unknown");
  CHECK(check("allReduce moves 3.21 GB/s.") == "ok");
  CHECK(check("allReduce moves 9 GB/s.") == "wrong 3.2100");
  CHECK(check_figures("no figure", answers()).empty());
}

TEST_CASE("figures: thresholds, points in time and other members that measure nothing confirm nothing") {
  static const Answers kTraps = {
      {"cluster_summary", parse_json(R"({"links_total": {"slow_below_ratio": 0.8}})").value()},
      {"comm_overlap", parse_json(R"({"rows": [{"start_us": 25000.0, "dur_us": 14000.0, "stage": "forward"}],
                      "findings": {"idle_to_fill": {"of": "step", "ratio": 0.799, "threshold": 0.05}}})")
                           .value()},
      {"summarize_profile", parse_json(R"({"breakdown": {"free_us": 27669.5, "communication_us": 797.0},
                                           "gap": {"between_kernels_us": 27385.9},
                                           "metrics": {"comm.step_ratio": 0.023, "step.free_ratio": 0.799}})")
                                .value()},
      {"stage_breakdown", parse_json(R"({"rows": [{"stage": "forward", "wall_us": 2894.0, "ratio": 0.08}]})").value()}};
  const auto ok = [](std::string_view text) {
    const auto checked = check_figures(text, kTraps);
    REQUIRE(checked.size() == 1);
    return checked[0].to_json();
  };
  CHECK(ok("通信占步长的 80 %")["ok"] == false);
  CHECK(ok("通信占步长的 80 %")["measured"].get<double>() == Approx(2.3));
  CHECK(ok("Free (idle) time is 25 ms a step.")["ok"] == false);
  CHECK(ok("Free (idle) time is 27 ms a step.")["ok"] == false);
  CHECK(ok("Free (idle) time is 27.7 ms a step.")["ok"] == true);
  CHECK(ok("Free (idle) time is 27.7 ms a step.")["what"] == "free, a step");
  CHECK(ok("Free (idle) time is 27.7 ms a step.")["where"] == "summarize_profile#/breakdown/free_us");
  CHECK(ok("Forward takes 14 ms.")["measured"].get<double>() == Approx(2.894));
  CHECK(ok("Forward takes 25 ms.")["ok"] == false);
  CHECK(ok("dispatch takes 79.9 % of the step")["ok"].is_null());
  for (const CheckedFigure& one : check_figures("单步执行 3580 个算子，平均 4.44 us。", kTraps)) CHECK_FALSE(one.ok);
}

TEST_CASE("figures: wrong only where one is named by subject and metric; in doubt not known") {
  static const Answers kRows = {
      {"problem_operators",
       parse_json(R"({"rows": [{"op_type": "TransData", "problem": "host_wait", "wait_us": 177.0, "ratio": 3.2},
                               {"op_type": "TransData", "total_us": 1420.0, "ratio": 0.02}],
                      "metrics": {"problem.host_wait_ratio": 0.874}})")
           .value()},
      {"top_operators",
       parse_json(R"({"rows": [{"op_type": "TransData", "total_us": 1420.0}, {"op_type": "Cast", "total_us": 300.0}]})")
           .value()},
      {"comm_overlap", parse_json(R"({"metrics": {"comm.not_overlapped_ratio": 0.962, "comm.wait_ratio": 0.57,
                                      "comm.not_overlapped_step_ratio": 0.7465}, "byte_us": 5000.0})")
                           .value()}};
  const auto says = [](std::string_view text) {
    std::string out;
    for (const CheckedFigure& one : check_figures(text, kRows)) {
      out += !one.ok ? "?" : *one.ok ? "+" : "-";
      if (one.ok) CHECK(one.measured.has_value());
    }
    return out;
  };
  CHECK(says("TransData takes 1.42 ms.") == "+");
  CHECK(says("TransData takes 1.9 ms.") == "-");
  CHECK(says("TransData takes about 1.9 ms.") == "?");
  CHECK(says("TransData takes 0.177 ms.") == "?");  // it waits so long
  CHECK(says("TransData waits 0.5 ms for the host.") == "?");
  CHECK(says("TransData takes 12 % of the operators' time.") == "?");  // only those with a problem have a ratio
  CHECK(says("Cast and TransData take 1.9 ms.") == "?");
  CHECK(says("未掩盖通信占单步 74.7 %。") == "+");
  CHECK(says("未掩盖通信占单步 96.2 %。") == "-");  // 96.2 % is of communication
  CHECK(says("未掩盖通信占单步 61 %。") == "-");
  CHECK(says("96.2 % of communication is not hidden: 74.7 % of the step.") == "++");
  CHECK(says("50 % of communication is not hidden.") == "-");
  CHECK(says("Reduce waits: 96.2 % of communication is not hidden.") == "+");
  CHECK(says("(TransData, Cast) take 1.72 ms.") == "?");
  CHECK(says("All but Cast takes 0.3 ms.") == "?");
  CHECK(says("Kernels wait for the host for 87.4 % of the step.") == "+");
  CHECK(says("Kernels wait for the host for 40 % of the step.") == "-");
  CHECK(says("It takes 5 ms.") == "?");  // bytes times us
  CHECK(says("预取下一批数据，预期收益10%~20%。") == "");
  CHECK(says("TransData takes 3 times as long.") == "");
}

}  // namespace stepwise::advice
