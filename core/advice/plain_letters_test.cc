#include "core/advice/plain_letters.h"

#include <string>

#include "tests/catch.h"

namespace stepwise::advice {

TEST_CASE("letters that look like ASCII become ASCII") {
  CHECK(plain_letters("ＴＡＳＫ＿ＱＵＥＵＥ＿ＥＮＡＢＬＥ＝２") == "TASK_QUEUE_ENABLE=2");
  CHECK(plain_letters("\u0422\u0410SK_QUEUE") == "TASK_QUEUE");       // Cyrillic
  CHECK(plain_letters("\u03A4\u0391SK_QU\u0395UE") == "TASK_QUEUE");  // Greek
  CHECK(plain_letters("\U0001D413\U0001D42C\U0001D7D0") == "Ts2");    // mathematical bold
  CHECK(plain_letters("\U0001D7FF\U0001D7CE\U0001D7D8") == "900");    // the last and first digits
  CHECK(plain_letters("\U0001D400\U0001D6A3") == "Az");               // the first and last letters
  CHECK(plain_letters("\u24C9\u24D0\u2460\u1D1B\u017F\u212A") == "Ta1TsK");
  CHECK(plain_letters("\u2013\u2013flag\u2212\uFE4D1") == "--flag-_1");
  CHECK(plain_letters("a\u3000b\u00A0c") == "a b c");
}

TEST_CASE("what has no width goes") {
  CHECK(plain_letters("TA\u200BSK\u200D_\u2060Q\uFEFFU\u00ADE") == "TASK_QUE");
  CHECK(plain_letters("\u202ETASK\u202C\u2066") == "TASK");
  CHECK(plain_letters("T\u0332A\u0332\uFE0F") == "TA");
  CHECK(plain_letters("\U000E0041") == "");
}

TEST_CASE("all else stays as it is") {
  for (const char* text :
       {"", "TASK_queue=1", "打开自动融合。", "é", "😀", "\xFF\xC3", "\xE2\x80", "\xEF\xBC", "\x80TASK"}) {
    CHECK(plain_letters(text) == text);
  }
}

TEST_CASE("each byte knows where it comes from, the end besides") {
  // 3 bytes, one of ASCII, 3 bytes without width, two bytes that become one, a letter of three that stays.
  const PlainText plain = plain_letters_with_offsets("\uFF34A\u200B\u0410\u6253");
  CHECK(plain.text == "TAA\u6253");
  CHECK(plain.offsets == std::vector<uint32_t>{0, 3, 7, 9, 10, 11, 12});
  CHECK(plain_letters_with_offsets("").offsets == std::vector<uint32_t>{0});
  CHECK(plain_letters_with_offsets("\u200B").offsets == std::vector<uint32_t>{3});
}

}  // namespace stepwise::advice
