#include "core/advice/claim.h"

#include <algorithm>
#include <string>

#include "core/advice/knowledge_folder_test.h"
#include "core/base/text.h"

namespace stepwise::advice {
namespace {

std::shared_ptr<const Knowledge> own() {
  std::vector<Error> faults;
  auto knowledge = Knowledge::load({"skills/knowledge"}, faults);
  REQUIRE(faults.empty());
  return knowledge;
}

std::vector<std::string> ids_in(const Knowledge& knowledge, const std::string& sentence) {
  std::vector<std::string> ids;
  for (const Parameter* one : knowledge.claims_in(sentence)) ids.push_back(one->id);
  return ids;
}

bool is_chinese(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c >= 0xE3; });
}

std::string claim(const std::string& trigger, const std::string& more = "") {
  return R"([{"id": "claim.a", "kind": "claim", "name": "A", "status": "not_found", "effect": "A.",
    "claim": {"says": "A.", "truth": "B.", "trigger": [)" +
         trigger + R"(], "makes": ["water burns"], "makes_not": ["wood burns"])" + more + "}}]";
}

}  // namespace

TEST_CASE("each claim is found in its examples, in English and Chinese, and not in those that are near") {
  const auto knowledge = own();
  size_t claims = 0;
  for (const Parameter& one : knowledge->parameters()) {
    if (one.kind != ParameterKind::claim) continue;
    ++claims;
    INFO(one.id);
    REQUIRE(one.claim.has_value());
    for (const auto* examples : {&one.claim->makes, &one.claim->makes_not}) {
      CHECK(std::any_of(examples->begin(), examples->end(), is_chinese));
      CHECK_FALSE(std::all_of(examples->begin(), examples->end(), is_chinese));
    }
    for (const std::string& sentence : one.claim->makes) {
      INFO(sentence);
      CHECK(ids_in(*knowledge, sentence) == std::vector<std::string>{one.id});
      CHECK(ids_in(*knowledge, to_lower(sentence)) == std::vector<std::string>{one.id});
    }
    for (const std::string& sentence : one.claim->makes_not) {
      INFO(sentence);
      CHECK(ids_in(*knowledge, sentence).empty());
    }
  }
  CHECK(claims == 9);
}

TEST_CASE("a claim in letters that only look like ASCII is found") {
  const auto knowledge = own();
  const std::vector<std::string> expected = {"claim.eager_cannot_autofuse"};
  CHECK(ids_in(*knowledge, "Ｅａｇｅｒ mode cannot ｆｕｓｅ operators.") == expected);
  CHECK(ids_in(*knowledge, "\u0415ager mode can\u200Bnot auto-fuse.") == expected);
}

TEST_CASE("sentences without end and bytes that are no UTF-8 are looked through") {
  const auto knowledge = own();
  std::string endless = "Eager mode cannot ";
  while (endless.size() < 1u << 20) endless += "improve 5 and reduce by ";
  CHECK(ids_in(*knowledge, endless).empty());
  CHECK(ids_in(*knowledge, "\xFF\xFE Eager mode cannot fuse.\xE2") ==
        std::vector<std::string>{"claim.eager_cannot_autofuse"});
  CHECK(ids_in(*knowledge, "").empty());
}

TEST_CASE("all of a trigger's patterns must be found, and none of its exceptions") {
  const Folder folder;
  std::vector<Error> faults;
  const std::string trigger = R"({"all": ["water", "burn"], "unless": ["heavy"]}, {"all": ["ice"]})";
  const auto knowledge = Knowledge::load({folder.with(claim(trigger))}, faults);
  REQUIRE(faults.empty());
  CHECK(knowledge->claims_in("It BURNS like water.").size() == 1);
  CHECK(knowledge->claims_in("Ice.").size() == 1);
  CHECK(knowledge->claims_in("Water.").empty());
  CHECK(knowledge->claims_in("Heavy water burns.").empty());
}

TEST_CASE("each fault of a claim is told with its place") {
  const auto fault_of = [](const std::string& list) { return only_fault(list, "parameters.json"); };
  const std::string sound = R"({"all": ["water"]})";
  CHECK(fault_of(claim(R"({"all": ["wa("]})")) == "knowledge.entry #/0/claim/trigger/0/all");
  CHECK(fault_of(claim(R"({"all": ["x*"]})")) == "knowledge.entry #/0/claim/trigger/0/all");  // finds everything
  CHECK(fault_of(claim(R"({"all": []})")) == "knowledge.entry #/0/claim/trigger/0");
  CHECK(fault_of(claim("")) == "knowledge.entry #/0/claim");
  CHECK(fault_of(claim(sound, R"(, "colour": 1)")) == "knowledge.entry #/0/claim/colour");
  CHECK(fault_of(claim(R"({"all": ["steam"]})")) == "knowledge.entry #/0/claim/makes/0");
  CHECK(fault_of(claim(R"({"all": ["burns"]})")) == "knowledge.entry #/0/claim/makes_not/0");
  CHECK(fault_of(but(claim(sound), R"(["wood burns"])", "[]")) == "knowledge.entry #/0/claim");
  CHECK(fault_of(but(claim(sound), R"("kind": "claim")", R"("kind": "env")")) == "knowledge.entry #/0/claim");
}

TEST_CASE("an entry of kind claim must say what is claimed") {
  CHECK(only_fault(R"([{"id": "claim.a", "kind": "claim", "name": "A", "status": "not_found", "effect": "A."}])",
                   "parameters.json") == "knowledge.entry #/0");
}

}  // namespace stepwise::advice
