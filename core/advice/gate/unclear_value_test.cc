#include "core/advice/gate/unclear_value.h"

#include <string>

#include "tests/catch.h"

namespace stepwise::advice {
namespace {

bool is_unclear(const std::string& text) {
  const size_t at = text.find("X_Y");
  REQUIRE(at != text.npos);
  return has_unclear_value(text, at, at + 3);
}

}  // namespace

TEST_CASE("numbers and words of giving beside a name") {
  for (const char* text :
       {"X_Y should be 7", "Raise X_Y from 1 to 7.", "Assign 7 to X_Y", "Use the value 7 for X_Y.", "Set X_Y (7)",
        "Set X_Y -> 7", "X_Y → seven", "Set X_Y\nto 7.", "X_Y 的取值改成 7", "X_Y 等于七", "X_Y=«seven»", "X_Y: 7",
        "Turn X_Y on.", "set X_Y to 64, then measure", "X_Y\xD9\xA7", "limit X_Y to 8 cores", "-5 for X_Y"}) {
    INFO(text);
    CHECK(is_unclear(text));
  }
}

TEST_CASE("figures, steps, versions and what stands in another sentence give no value") {
  for (const char* text :
       {"X_Y is what moves submission off the main thread.", "In step 24 the host waits: look at X_Y.",
        "The device idles 73.5 % of the step; X_Y may help.", "Waits take 12.3 ms. Look at X_Y.",
        "X_Y is there since PyTorch 2.1", "1. X_Y queues operators", "X_Y on H2D copies of Ascend 910B chips helps",
        "看看 X_Y，空闲占 18.8 %。", "X_Y: queues operators. There are 7.", "{\"X_Y\": shapes, \"Z\": \"1\"}",
        "X_Y (1 is the default already)"}) {
    INFO(text);
    CHECK_FALSE(is_unclear(text));
  }
}

}  // namespace stepwise::advice
