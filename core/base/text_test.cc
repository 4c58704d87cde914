#include "core/base/text.h"

#include "tests/catch.h"

using namespace stepwise;

TEST_CASE("trim and iequals") {
  CHECK(trim(" \t\r\na b\t ") == "a b");
  CHECK(trim(" \t").empty());
  CHECK(iequals("Op Name", "oP nAME"));
  CHECK_FALSE(iequals("a", "ab"));
  CHECK_FALSE(iequals("[", "{"));  // differ by the bit that tells letters' case
}

TEST_CASE("to_integer takes whole numbers only") {
  CHECK(to_integer(" 42\t") == 42);
  CHECK(to_integer("-9223372036854775808") == INT64_MIN);
  for (const char* text : {"", " ", "4.0", "0x1", "9223372036854775808", "1 2", "N/A", "-"}) {
    CAPTURE(text);
    CHECK_FALSE(to_integer(text));
  }
}

TEST_CASE("to_double takes finite numbers only") {
  CHECK(to_double(" 0.25\t") == 0.25);
  CHECK(to_double("-1e3") == -1000.0);
  for (const char* text : {"", "nan", "inf", "-inf", "1e999", "1.2.3", "N/A", "0x1p3", "1,5"}) {
    CAPTURE(text);
    CHECK_FALSE(to_double(text));
  }
}

TEST_CASE("valid UTF-8 stays, each bad byte becomes U+FFFD") {
  for (const char* text : {"", "ascii only, longer than eight", "步骤", "é\xf0\x9f\x98\x80"}) {
    CAPTURE(text);
    CHECK(is_valid_utf8(text));
    CHECK(to_valid_utf8(text) == text);
  }
  CHECK(to_valid_utf8("a\xff"
                      "b") == "a\uFFFDb");
  CHECK(to_valid_utf8("\xe6\xad") == "\uFFFD\uFFFD");            // cut
  CHECK(to_valid_utf8("\xc0\xaf") == "\uFFFD\uFFFD");            // overlong
  CHECK(to_valid_utf8("\xed\xa0\x80") == "\uFFFD\uFFFD\uFFFD");  // surrogate
  CHECK_FALSE(is_valid_utf8("\xf4\x90\x80\x80"));                // beyond U+10FFFF
  CHECK_FALSE(is_valid_utf8("1234567\x80"));
  CHECK_FALSE(is_valid_utf8("12345678\x80"));
}

TEST_CASE("shorten counts code points and never cuts one") {
  CHECK(shorten("abc", 3) == "abc");
  CHECK(shorten("abcd", 3) == "ab…");
  CHECK(shorten("步骤步骤", 4) == "步骤步骤");
  CHECK(shorten("步骤步骤", 3) == "步骤…");
  CHECK(shorten("ab", 1) == "…");
  CHECK(shorten("ab", 0).empty());
  CHECK(shorten("", 0).empty());
}

TEST_CASE("nearest_names finds what was meant") {
  const std::vector<std::string> known{"top_operators", "summarize_profile", "detect_mode", "Op Type", "step"};
  CHECK(nearest_names("top_operator", known) == std::vector<std::string>{"top_operators"});
  CHECK(nearest_names("Top-Operators", known) == std::vector<std::string>{"top_operators"});
  CHECK(nearest_names("opertors", {}).empty());
  CHECK(nearest_names("operators", known) == std::vector<std::string>{"top_operators"});
  CHECK(nearest_names("setp", known) == std::vector<std::string>{"step"});
  CHECK(nearest_names("optype", known) == std::vector<std::string>{"Op Type"});
  CHECK(nearest_names("something else", known).empty());
  CHECK(nearest_names("", known).empty());
  CHECK(nearest_names(std::string(100'000, 'x'), known).empty());
  const std::vector<std::string> many{"aa1", "aa2", "aa3", "aa4", "aa"};
  CHECK(nearest_names("aa", many) == std::vector<std::string>{"aa", "aa1", "aa2"});
}

TEST_CASE("three_digits") {
  CHECK(three_digits(0) == "0");
  CHECK(three_digits(0.00123) == "0.00123");
  CHECK(three_digits(0.5) == "0.500");
  CHECK(three_digits(1.234) == "1.23");
  CHECK(three_digits(12.34) == "12.3");
  CHECK(three_digits(123.4) == "123");
  CHECK(three_digits(12345) == "12,300");
  CHECK(three_digits(999.6) == "1,000");
  CHECK(three_digits(0.9996) == "1.00");
  CHECK(three_digits(-1234567) == "-1,230,000");
  CHECK(three_digits(9.99e14) == "999,000,000,000,000");
  CHECK(three_digits(1e15) == "1.00e+15");
  CHECK(three_digits(1e-9) == "0.00000000100");
  CHECK(three_digits(1e-10) == "1.00e-10");
}

TEST_CASE("human_bytes") {
  CHECK(human_bytes(0) == "0 B");
  CHECK(human_bytes(1023) == "1023 B");
  CHECK(human_bytes(1536) == "1.5 KiB");
  CHECK(human_bytes(1048575) == "1.0 MiB");
  CHECK(human_bytes(20ull << 30) == "20.0 GiB");
  CHECK(human_bytes(UINT64_MAX) == "16.0 EiB");
}
