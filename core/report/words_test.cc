#include "core/report/words.h"

#include <set>
#include <string_view>

#include "core/report/word_tables.h"
#include "tests/catch.h"

using namespace stepwise::report;

TEST_CASE("the word tables are sorted, without doubles, and whole in both languages") {
  std::set<std::string_view> keys;
  for (const auto table : word_tables()) {
    std::string_view last;
    for (const WordEntry& entry : table) {
      INFO(entry.key);
      CHECK(last < entry.key);
      CHECK(keys.insert(entry.key).second);
      CHECK_FALSE(entry.en.empty());
      CHECK_FALSE(entry.zh.empty());
      last = entry.key;
    }
  }
}

TEST_CASE("both languages fill the same slots of a sentence") {
  for (const auto table : word_tables()) {
    for (const WordEntry& entry : table) {
      INFO(entry.key);
      for (const char* slot : {"{0}", "{1}", "{2}", "{3}"}) {
        CHECK((entry.en.find(slot) == std::string_view::npos) == (entry.zh.find(slot) == std::string_view::npos));
      }
    }
  }
}

TEST_CASE("an unknown name stands for itself") {
  CHECK(label(Lang::zh, "col", "a_column_of_later") == "a_column_of_later");
  CHECK(label(Lang::zh, "col", "count") == "次数");
  CHECK(word(Lang::en, "no.such.key") == "no.such.key");
}

TEST_CASE("sentences are filled by position") {
  CHECK(sentence(Lang::en, "screen.rank_of", {"3", "8"}) == "rank 3 of 8");
  CHECK(sentence(Lang::en, "screen.rank_of", {"3"}) == "rank 3 of ");
}

TEST_CASE("languages by name") {
  CHECK(lang_from("zh") == Lang::zh);
  CHECK_FALSE(lang_from("fr").has_value());
}
