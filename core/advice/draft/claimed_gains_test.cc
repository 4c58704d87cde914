#include "core/advice/draft/claimed_gains.h"

#include <string>

#include "tests/catch.h"

namespace stepwise::advice {
namespace {

std::string claims(std::string_view text) {
  std::string out;
  for (const ClaimedGain& one : find_claimed_gains(text)) {
    out += std::string(out.empty() ? "" : "; ") + std::string(text.substr(one.offset, one.length));
  }
  return out;
}

}  // namespace

TEST_CASE("gains claimed in figures") {
  CHECK(claims("It improves throughput by 30 %.") == "30 %");
  CHECK(claims("~2x吞吐提升") == "~2x");
  CHECK(claims("预期收益 10%~20%") == "10%~20%");
  CHECK(claims("预期降低 15%-30% 单步耗时，另有5%左右收益") == "15%-30%; 5%");
  CHECK(claims("Expect a 1.5x speedup and 10 to 20 % less, that is a gain.") == "1.5x; 10 to 20 %");
  CHECK(claims("Communication takes 41 % of the step.") == "");
  CHECK(claims("MatMulV2占比41%，调用2次") == "");
  CHECK(claims("The gain is to be measured. Free is 18 %.") == "");
}

TEST_CASE("gains claimed of times, in words, by verbs and by from and to") {
  CHECK(claims("It gives 5%.") == "5%");
  CHECK(claims("brings 1.3x") == "1.3x");
  CHECK(claims("saves 3 ms per step") == "3 ms");
  CHECK(claims("doubles throughput") == "doubles");
  CHECK(claims("halves the idle time") == "halves");
  CHECK(claims("cuts the step by a third") == "a third");
  CHECK(claims("gains about ten percent") == "ten percent");
  CHECK(claims("reduces step time from 34.6 ms to 30 ms") == "from 34.6 ms to 30 ms");
  CHECK(claims("speedup: 1.3") == "1.3");
  CHECK(claims("(typically +10 %)") == "+10 %");
  CHECK(claims("吞吐翻倍") == "翻倍");
  CHECK(claims("收益约一成") == "一成");
  CHECK(claims("提升百分之十") == "百分之十");
  CHECK(claims("单步耗时降低 3ms") == "3ms");
  CHECK(claims("单步从 34.6ms 降到 30ms，缩短单步") == "从 34.6ms 降到 30ms");
  CHECK(claims("twice as fast; 3 ms faster; a third less time") == "twice as fast; 3 ms; a third");
  CHECK(claims("It will improve the step by 10 % of its time.") == "10 %");
}

TEST_CASE("a measured share or time that is quoted is no gain") {
  for (const char* text :
       {"Reduce idle time: free is 79.9 % of the step.", "空闲占单步 79.9%，应降低",
        "Computing is 18.5 % of the step, so faster operators help little",
        "Speed up MatMulV2, 44 % of the operators' time.", "Shorten the idle time (27.7 ms a step).",
        "Cut waits: kernels wait for the host for 72.5 % of the step.",
        "Improve overlap: 96.2 % of communication is not hidden.", "Reduce idle time, which takes 27.7 ms a step.",
        "Double the batch size.", "Use double buffering and half precision.", "It executes 10 % of the operators.",
        "Half of the free time is 27.7 ms.", "Set it from 25 to 50 MB.", "任务完成 3 步",
        "It guards against 10 % of them."}) {
    INFO(text);
    CHECK(claims(text) == "");
  }
}

}  // namespace stepwise::advice
