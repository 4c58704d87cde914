#include "core/base/decimal.h"

#include <limits>
#include <string>

#include "tests/catch.h"

using namespace stepwise;

namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

}  // namespace

TEST_CASE("timestamps as profilers print them") {
  CHECK(us_to_ns("1736413971558972.912\t") == 1'736'413'971'558'972'912);
  CHECK(us_to_ns("1695115378715400.2") == 1'695'115'378'715'400'200);
  CHECK(us_to_ns("1695115378713661") == 1'695'115'378'713'661'000);
  CHECK(us_to_ns("\t 6.78 \r\n") == 6780);
  CHECK(us_to_ns("0") == 0);
  CHECK(us_to_ns("-12.3456") == -12346);
  CHECK(us_to_ns("+1.5") == 1500);
  CHECK(ms_to_ns("0.0083") == 8300);
}

TEST_CASE("plain numbers are read as those are that need the general way") {
  // A sign in front, which changes nothing, leads to the general way.
  for (const std::string digits : {"0", "7", "12345678", "123456789", "1700000000012345", "999999999999999999",
                                   "9999999999999999999", "0000000000000000001", "9223372036854775807"}) {
    for (const std::string decimals : {"", ".", ".0", ".5", ".000", ".678", ".25000", ".0005", ".0015", ".123456789"}) {
      for (const std::string blanks : {"", "\t", " \r\n", "x", " 1"}) {
        for (const int scale : {0, 1, 3, 6, 9}) {
          const std::string text = digits + decimals + blanks;
          INFO(text << " times 10^" << scale);
          CHECK(scaled_integer(text, scale) == scaled_integer("+" + text, scale));
        }
      }
    }
  }
  CHECK(us_to_ns("0.250000") == 250);
  CHECK(us_to_ns(".5") == 500);
  CHECK(us_to_ns(".") == std::nullopt);
  CHECK(us_to_ns("9223372036854775") == 9'223'372'036'854'775'000);
  CHECK(us_to_ns("9223372036854776") == std::nullopt);
}

TEST_CASE("digits beyond the scale are rounded half to even") {
  CHECK(us_to_ns("0.0004") == 0);
  CHECK(us_to_ns("0.0005") == 0);
  CHECK(us_to_ns("0.00050") == 0);
  CHECK(us_to_ns("0.000500000000000000000000000000") == 0);
  CHECK(us_to_ns("0.000500000000000000000000000001") == 1);
  CHECK(us_to_ns("0.0006") == 1);
  CHECK(us_to_ns("0.0015") == 2);
  CHECK(us_to_ns("0.0025") == 2);
  CHECK(us_to_ns("-0.0015") == -2);
  CHECK(us_to_ns("-0.0005") == 0);
  CHECK(scaled_integer("2.5", 0) == 2);
  CHECK(scaled_integer("3.5", 0) == 4);
  CHECK(scaled_integer("9.9999999999999999999999", 0) == 10);
  CHECK(scaled_integer("0.49999999999999999999999", 0) == 0);
}

TEST_CASE("KB and MB of 1024s to bytes, half to even") {
  CHECK(binary_scaled_integer("18816.5", 10) == 19'268'096);
  CHECK(binary_scaled_integer("4599.74072265625", 20) == 4'823'177'728);
  CHECK(binary_scaled_integer("9.5367431640625e-07", 20) == 1);
  CHECK(binary_scaled_integer("0.00000095367431640625", 20) == 1);
  CHECK(binary_scaled_integer("4.76837158203125e-07", 20) == 0);     // half a byte
  CHECK(binary_scaled_integer("0.000001430511474609375", 20) == 2);  // one and a half
  CHECK(binary_scaled_integer("0.00000143051147460937", 20) == 1);
  CHECK(binary_scaled_integer("0.5", 0) == 0);
  CHECK(binary_scaled_integer("1.5", 0) == 2);
  CHECK(binary_scaled_integer("-0.5\t", 10) == -512);
  CHECK(binary_scaled_integer("1e3", 10) == 1'024'000);
  CHECK(binary_scaled_integer("1e-38", 63) == 0);
  CHECK(binary_scaled_integer("1e-39", 63) == 0);
  CHECK(binary_scaled_integer("0", 20) == 0);
  CHECK(binary_scaled_integer("8796093022207.99999904632568359", 20) == kMax);
  CHECK_FALSE(binary_scaled_integer("8796093022208", 20));
  CHECK(binary_scaled_integer("-8796093022208", 20) == kMin);
  CHECK_FALSE(binary_scaled_integer("1e30", 20));
  CHECK_FALSE(binary_scaled_integer("", 20));
  CHECK_FALSE(binary_scaled_integer("1.5MB", 20));
}

TEST_CASE("exponent forms") {
  CHECK(us_to_ns("1e-3") == 1);
  CHECK(us_to_ns("1E3") == 1'000'000);
  CHECK(us_to_ns("1.69512E+15") == 1'695'120'000'000'000'000);
  CHECK(us_to_ns("2.5e-3") == 2);
  CHECK(us_to_ns("5e-20") == 0);
  CHECK(us_to_ns("1e-999999999999999999999") == 0);
  CHECK(us_to_ns("0e999999999999999999999") == 0);
  CHECK_FALSE(us_to_ns("1e999999999999999999999"));
  CHECK_FALSE(us_to_ns("1e16"));
  CHECK(us_to_ns("1e15") == 1'000'000'000'000'000'000);
}

TEST_CASE("the ends of int64") {
  CHECK(scaled_integer("9223372036854775807", 0) == kMax);
  CHECK_FALSE(scaled_integer("9223372036854775808", 0));
  CHECK(scaled_integer("-9223372036854775808", 0) == kMin);
  CHECK_FALSE(scaled_integer("-9223372036854775809", 0));
  CHECK(scaled_integer("9223372036854775807.4", 0) == kMax);
  CHECK_FALSE(scaled_integer("9223372036854775807.5", 0));
  CHECK(us_to_ns("9223372036854775.8070") == kMax);
  CHECK_FALSE(us_to_ns("9223372036854775.808"));
  CHECK_FALSE(scaled_integer("18446744073709551616", 0));  // 2^64: wraps to 0 where nobody looks
  CHECK_FALSE(scaled_integer("99999999999999999999", 0));
  CHECK_FALSE(scaled_integer(std::string(100, '9'), 0));
}

TEST_CASE("any number of digits") {
  CHECK(scaled_integer(std::string(100, '0') + "7", 0) == 7);
  CHECK(scaled_integer("0." + std::string(100, '0') + "7", 0) == 0);
  CHECK(scaled_integer("0." + std::string(30, '0') + "7e31", 0) == 7);
  CHECK(scaled_integer("1" + std::string(30, '0') + "e-30", 0) == 1);
  CHECK(scaled_integer("12345678901234567895e-1", 0) == 1'234'567'890'123'456'790);
  CHECK(scaled_integer("12345678901234567885e-1", 0) == 1'234'567'890'123'456'788);
  CHECK(scaled_integer("123456789012345678851e-2", 0) == 1'234'567'890'123'456'789);
  CHECK(scaled_integer("1.", 3) == 1000);
  CHECK(scaled_integer(".5", 3) == 500);
}

TEST_CASE("what is no number") {
  for (const char* text : {"",    " ",    "\t", "-",   "+",   ".",     "-.",    "N/A", "nan",   "inf",   "1,234",
                           "1 2", "0x10", "1e", "1e+", "--1", "1.2.3", "1e5.0", "e5",  "1_000", "\"1\"", "12us"}) {
    CAPTURE(text);
    CHECK_FALSE(us_to_ns(text));
  }
  CHECK_FALSE(us_to_ns(std::string_view("1\0", 2)));
}

TEST_CASE("a timestamp that a spreadsheet destroyed") {
  CHECK(is_destroyed_timestamp("1.69512E+15"));
  CHECK(is_destroyed_timestamp(" 1.69512e+15\t"));
  CHECK(is_destroyed_timestamp("2E+15"));
  CHECK_FALSE(is_destroyed_timestamp("1.695115378715400E+15"));  // all digits are there
  CHECK_FALSE(is_destroyed_timestamp("1695115378715400.2"));
  CHECK_FALSE(is_destroyed_timestamp("1e-3"));
  CHECK_FALSE(is_destroyed_timestamp("E+15"));
  CHECK_FALSE(is_destroyed_timestamp("LOSE+DIGITS"));
  CHECK_FALSE(is_destroyed_timestamp(""));
}

TEST_CASE("ns_to_us") { CHECK(ns_to_us(1500) == 1.5); }
