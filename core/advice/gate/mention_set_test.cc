// The labelled set of testdata/mentions.json: what is found of it, and what is found besides.
#include <map>
#include <set>
#include <string>

#include "core/advice/gate/mention.h"
#include "core/base/json.h"
#include "core/base/small_file.h"
#include "tests/catch.h"

namespace stepwise::advice {
namespace {

constexpr double kWanted = 0.98;

std::string shown(const std::string& name, const Json& value) {
  return value.is_string() ? name + "=" + value.get<std::string>() : name;
}

}  // namespace

TEST_CASE("the labelled set: precision and recall") {
  std::vector<Error> faults;
  const auto knowledge = Knowledge::load({"skills/knowledge"}, faults);
  const auto text = read_small_file("core/advice/gate/testdata/mentions.json", 1u << 20);
  REQUIRE(text);
  const Json set = parse_json(*text).value();
  const MentionFinder finder(*knowledge);
  size_t right = 0, missed = 0, wrong = 0, negatives = 0;
  std::string report;
  for (const Json& one : set) {
    std::multiset<std::string> expected, got;
    for (const Json& mention : one["mentions"]) {
      expected.insert(shown(mention["name"].get<std::string>(), mention.value("value", Json())));
    }
    for (const Mention& mention : finder.find(one["text"].get<std::string>())) {
      got.insert(shown(mention.name, mention.value ? Json(*mention.value) : Json()));
    }
    negatives += expected.empty() ? 1 : 0;
    for (const std::string& name : expected) {
      const auto it = got.find(name);
      if (it == got.end()) {
        ++missed;
        report += "missed " + name + " in: " + one["text"].get<std::string>() + "\n";
      } else {
        ++right;
        got.erase(it);
      }
    }
    wrong += got.size();
    for (const std::string& name : got) report += "besides " + name + " in: " + one["text"].get<std::string>() + "\n";
  }
  const auto of = [](size_t part, size_t all) { return static_cast<double>(part) / static_cast<double>(all); };
  INFO(report << right << " found, " << missed << " missed, " << wrong << " besides");
  CHECK(set.size() >= 200);
  CHECK(negatives >= 70);
  CHECK(of(right, right + missed) >= kWanted);
  CHECK(of(right, right + wrong) >= kWanted);
}

}  // namespace stepwise::advice
