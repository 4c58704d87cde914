#include "core/advice/draft/printed_members.h"

#include <string>

#include "core/advice/draft/figure_checker.h"
#include "tests/catch.h"

namespace stepwise::advice {
namespace {

/// + right, - wrong, ? open, of each figure.
std::string says(std::string_view text) {
  static const Answers kAnswers = {
      {"summarize_profile", parse_json(R"({"op_time_us": 32200.5, "iterations": {"count": 5, "avg_us": 6430.0},
                      "breakdown": {"free_us": 27669.5},
                      "where_time_goes": [{"part": "free", "us": 27669.5, "ratio": 0.799},
                                          {"part": "computing", "us": 6430.0, "ratio": 0.186}],
                      "metrics": {"step.free_ratio": 0.799, "tiny.ratio": 0.00001}})")
                                .value()}};
  std::string out;
  for (const CheckedFigure& one : check_figures(text, kAnswers)) out += !one.ok ? "?" : *one.ok ? "+" : "-";
  return out;
}

}  // namespace

TEST_CASE("a number stands behind a key, with = or : between") {
  const auto key = [](std::string_view text) {
    return std::string(key_before(text, text.find_first_of("0123456789")));
  };
  CHECK(key("free_us=27") == "free_us");
  CHECK(key("\"free_us\": 27") == "free_us");
  CHECK(key("step.free_ratio = 0.7") == "step.free_ratio");
  CHECK(key("`step.free_ratio`：0.7") == "step.free_ratio");
  CHECK(key("free_us 27") == "");
  CHECK(key("a == 27") == "");
  CHECK(key("27") == "");
}

TEST_CASE("members: as the answer's text and structure print them") {
  CHECK(says("op_time_us: 32,200") == "+");
  CHECK(says("\"op_time_us\": 32200.5") == "+");
  CHECK(says("breakdown: free_us=27,700") == "+");
  CHECK(says("{\"iterations\": {\"avg_us\": 6430.0, \"count\": 5}}") == "++");
  CHECK(says("step.free_ratio = 0.799") == "+");
  CHECK(says("step.free_ratio=0.5") == "-");
  CHECK(says("step.free_ratio = 79.9 %") == "+");
}

TEST_CASE("members: a key alone that other answers have too says nothing, nor does another number") {
  CHECK(says("count=5") == "");
  CHECK(says("launches: count=5") == "");
  CHECK(says("op_time_us: 99,000") == "?");
  CHECK(says("batch_size=5") == "");
  CHECK(says("tiny.ratio = 1e-05") == "");
}

TEST_CASE("members: of a row with its name, in the same braces") {
  CHECK(says(R"({"where_time_goes": [{"part": "free", "ratio": 0.799, "us": 27669.5}]})") == "++");
  CHECK(says(R"({"where_time_goes": [{"part": "free", "us": 6430.0}, {"part": "computing", "us": 6430.0}]})") == "?+");
}

}  // namespace stepwise::advice
