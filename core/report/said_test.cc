#include "core/report/said.h"

#include <string>

#include "tests/catch.h"

namespace stepwise::report {
namespace {

constexpr SaidPattern kPatterns[] = {
    {"for: {0}", "支持：{0:said}"},
    {"the longest call of {0}: `{1}`, {2}", "{0:stage}最长：`{1}`，{2}"},
    {"{0} of {1} rows", "{1} 行中的 {0} 行"},
    {"none", "无"},
};

std::string by_these(std::string_view text) { return said_by(kPatterns, text); }

size_t slots_in(std::string_view pattern) {
  size_t count = 0;
  for (const char c : pattern) count += c == '{';
  return count;
}

}  // namespace

TEST_CASE("sentences of analyses: slots are taken over, in another order too, said again, or as labels") {
  CHECK(by_these("none") == "无");
  CHECK(by_these("3 of 7 rows") == "7 行中的 3 行");
  CHECK(by_these("for: 3 of 7 rows") == "支持：7 行中的 3 行");
  CHECK(by_these("for: for: none") == "支持：支持：无");
  CHECK(by_these("the longest call of forward: `a: `b`, 1 ms") == "前向计算最长：`a: `b`，1 ms");
}

TEST_CASE("sentences of analyses: a pattern must be all of the text, and no slot empty") {
  CHECK(by_these("none at all") == "none at all");
  CHECK(by_these(" of 7 rows") == " of 7 rows");
  CHECK(by_these("3 of  rows.") == "3 of  rows.");
  CHECK(by_these("") == "");
  CHECK(by_these("for: something else") == "支持：something else");
}

TEST_CASE("sentences of analyses: English stays, and what is joined is said part by part") {
  CHECK(said(Lang::en, "no peaks") == "no peaks");
  CHECK(said(Lang::zh, "no peaks") == "没有峰值");
  CHECK(said(Lang::zh, "no peaks; no links") == "没有峰值；没有链路数据");
  CHECK(said(Lang::zh,
             "mean of 2 steps (24, 25), each from its first device work to its end, as the profiler "
             "decomposed it") == "2 步（24, 25）的平均，每步自首个设备任务至该步结束，按 profiler 的分解");
  CHECK(said(Lang::zh, "whatever nobody knows") == "whatever nobody knows");
}

TEST_CASE("sentences of analyses: Chinese takes over every slot that English has") {
  for (const auto& patterns : {said_of_evidence(), said_of_gaps(), said_of_next()}) {
    for (const SaidPattern& one : patterns) {
      INFO(one.en);
      CHECK(slots_in(one.zh) == slots_in(one.en));
      CHECK(one.zh != one.en);
    }
  }
}

}  // namespace stepwise::report
