#include "core/ingest/timeline/trace_text.h"

#include <random>
#include <string>

#include "core/base/decimal.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

/// As in a window: something else behind the token.
template <class Function>
auto with_bytes_behind(Function function, const std::string& text, const char* behind) {
  const std::string padded = text + behind + "          ";
  return function(std::string_view(padded).substr(0, text.size()));
}

TEST_CASE("microseconds become nanoseconds exactly") {
  const auto ns = [](const std::string& text) { return with_bytes_behind(token_us_to_ns, text, "0123456789"); };
  CHECK(ns("1736408883688177.930") == 1736408883688177930);
  CHECK(ns("1695115378713661") == 1695115378713661000);
  CHECK(ns("0.6") == 600);
  CHECK(ns("996.9599375") == 996960);
  CHECK(ns("37.589999999999996") == 37590);
  CHECK(ns("0.0005") == 0);  // half to even
  CHECK(ns("0.0015") == 2);
  CHECK(ns("-12.5") == -12500);
  CHECK(ns("1e3") == 1000000);
  CHECK(ns("9223372036854775.807") == INT64_MAX);
  for (const char* bad : {"", "NaN", "Infinity", "1.2.3", "0x10", "12a", "-", ".", "9223372036854775.808", "1e400"}) {
    CHECK_FALSE(ns(bad).has_value());
  }
}

TEST_CASE("the fast way gives what the exact way gives") {
  std::mt19937_64 random(3);
  constexpr std::string_view kCharacters = "0123456789012345678901234567890123456789.-eE+ x";
  for (int round = 0; round < 200'000; ++round) {
    std::string text;
    const size_t length = random() % 22;
    for (size_t i = 0; i < length; ++i) text += kCharacters[random() % kCharacters.size()];
    if (round % 2 == 0) {
      text = std::to_string(random() >> (random() % 60)) + "." + std::to_string(random() % 100'000);
    }
    INFO(text);
    REQUIRE(with_bytes_behind(token_us_to_ns, text, "7777777777") == us_to_ns(text));
  }
}

TEST_CASE("integers are whole and fit") {
  const auto integer = [](const std::string& text) { return with_bytes_behind(token_to_integer, text, "99999999"); };
  CHECK(integer("0") == 0);
  CHECK(integer("-1") == -1);
  CHECK(integer("4294967295") == 4294967295);
  CHECK(integer("9223372036854775807") == INT64_MAX);
  CHECK(integer("-9223372036854775808") == INT64_MIN);
  for (const char* bad : {"", "-", "1.5", "1e3", " 1", "0x1", "9223372036854775808", "true", "--1"}) {
    CHECK_FALSE(integer(bad).has_value());
  }
}

std::string unescaped(std::string_view raw, TextForm form = TextForm::plain) {
  std::string out = "|";
  return unescape(raw, form, out) ? out : "bad";
}

TEST_CASE("escapes are resolved") {
  CHECK(unescaped("") == "|");
  CHECK(unescaped("plain") == "|plain");
  CHECK(unescaped(R"(a\"b\\c\/d\b\f\n\r\t)") == "|a\"b\\c/d\b\f\n\r\t");
  CHECK(unescaped(R"(\u0041\u00e9\u20AC\ud83d\ude00)") == "|A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  CHECK(unescaped(R"(\ud83dx\ude00\ud83d\u0041\ud83d)") ==
        "|\xef\xbf\xbdx\xef\xbf\xbd\xef\xbf\xbd"
        "A\xef\xbf\xbd");
  for (const char* bad : {"\\", "\\x", "\\u", "\\u12", "\\u12g4", "a\\"}) CHECK(unescaped(bad) == "bad");
}

TEST_CASE("line breaks are dropped where a text is kept on one line") {
  const std::string_view raw = R"(8,16;\r\n;\u000a16)";
  CHECK(unescaped(raw) == "|8,16;\r\n;\n16");
  CHECK(unescaped(raw, TextForm::lines) == "|8,16;\n;\n16");
  CHECK(unescaped(raw, TextForm::one_line) == "|8,16;;16");
}

}  // namespace
}  // namespace stepwise::ingest
