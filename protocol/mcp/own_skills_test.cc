#include "protocol/mcp/own_skills.h"

#include <filesystem>

#include "protocol/mcp/own_limits.h"
#include "protocol/mcp/own_prompts.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::mcp;

namespace {

std::string skill_text(const std::string& name, const std::string& description) {
  return "---\nname: " + name + "\ndescription: " + description + "\n---\n\n# A title\n\nFirst, then.\n\n" +
         std::string(kShellHeading) + "\n\nrun it\n";
}

}  // namespace

TEST_CASE("a skill is its front matter, its title and the steps before the shell's part") {
  const auto skill = parse_skill("do-it", skill_text("do-it", "Does it. Use it when: asked."));
  REQUIRE(skill);
  CHECK(skill->name == "do-it");
  CHECK(skill->description == "Does it. Use it when: asked.");
  CHECK(skill->title == "A title");
  CHECK(skill->steps == "First, then.");
  CHECK(skill->text == skill_text("do-it", "Does it. Use it when: asked."));
  CHECK(skill_uri(*skill) == "skill://do-it/SKILL.md");
}

TEST_CASE("a skill with a fault is none") {
  const std::string long_name(kSkillNameChars + 1, 'a'), name(kSkillNameChars, 'a');
  const std::string description(kSkillDescriptionChars, 'd');
  CHECK(parse_skill(name, skill_text(name, description)));
  CHECK_FALSE(parse_skill(long_name, skill_text(long_name, "d")));
  CHECK_FALSE(parse_skill("a", skill_text("a", description + "d")));
  CHECK_FALSE(parse_skill("a", skill_text("a", "")));
  CHECK_FALSE(parse_skill("a", skill_text("b", "d")));
  for (const char* bad : {"Upper", "under_score", "-a", "a-", "a--b", "a.b"}) {
    INFO(bad);
    CHECK_FALSE(parse_skill(bad, skill_text(bad, "d")));
  }
  CHECK_FALSE(parse_skill("a", "# A title\n"));
  CHECK_FALSE(parse_skill("a", "---\nname: a\ndescription: d\n"));
  CHECK_FALSE(parse_skill("a", "---\nname: a\n---\n# A title\n"));
  CHECK_FALSE(parse_skill("a", "---\nname: a\ndescription: d\n---\nno heading\n"));
  CHECK_FALSE(parse_skill("a", ""));
}

TEST_CASE("every folder of skills with a SKILL.md is one, sorted, and each has its prompt") {
  const std::vector<Skill> skills = load_skills("skills");
  size_t folders = 0;
  for (const auto& entry : std::filesystem::directory_iterator("skills")) folders += exists(entry.path() / "SKILL.md");
  CHECK(folders == 5);
  REQUIRE(skills.size() == folders);
  for (size_t i = 1; i < skills.size(); ++i) CHECK(skills[i - 1].name < skills[i].name);
  CHECK(skill_prompts(skills).size() == skills.size());
  const Json index = skill_index(skills);
  REQUIRE(index["skills"].size() == skills.size());
  CHECK(index["skills"][0]["name"] == "analyze-inference");
  CHECK(load_skills("no/such/folder").empty());
}

TEST_CASE("the index names each skill, with the SHA-256 of its text") {
  Skill skill{"do-it", "Does it.", "A title", "", "abc"};
  CHECK(skill_index({skill})["skills"] ==
        Json::array({{{"name", "do-it"},
                      {"type", "skill-md"},
                      {"description", "Does it."},
                      {"url", "skill://do-it/SKILL.md"},
                      {"digest", "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}}}));
}

TEST_CASE("a prompt is what was settled, then the skill's steps, without the shell's part") {
  const std::vector<Skill> skills = load_skills("skills");
  const auto got =
      skill_prompt(skills, "compare_two_runs", {{"base", "runs/a"}, {"other", "p00000001"}, {"else", "no"}});
  REQUIRE(got);
  REQUIRE(got->messages.size() == 1);
  CHECK(got->messages[0]["role"] == "user");
  const std::string text = got->messages[0]["content"]["text"];
  CHECK(text.find("The run before: runs/a\nThe run after: p00000001\n") != std::string::npos);
  CHECK(text.find("no\n") == std::string::npos);
  CHECK(text.find("open_profile") < text.find("summarize_profile"));
  CHECK(text.find("summarize_profile") < text.find("query_sql"));
  CHECK(text.find(kShellHeading) == std::string::npos);
  CHECK_FALSE(skill_prompt(skills, "compare", {}));
  CHECK_FALSE(skill_prompt({}, "compare_two_runs", {}));
}

TEST_CASE("an argument of several lines stands by itself, an empty one not at all") {
  const std::vector<Skill> skills = load_skills("skills");
  const auto got = skill_prompt(skills, "review_my_advice", {{"profile", " "}, {"advice", "- one\n- two"}});
  REQUIRE(got);
  const std::string text = got->messages[0]["content"]["text"];
  CHECK(text.find("The draft:\n\n- one\n- two\n\n") != std::string::npos);
  CHECK(text.find("The profile:") == std::string::npos);
}

TEST_CASE("prompts say what they want: a profile is always asked for, but where none is needed") {
  for (const Prompt& one : skill_prompts(load_skills("skills"))) {
    INFO(one.name);
    CHECK_FALSE(one.title.empty());
    CHECK_FALSE(one.description.empty());
    REQUIRE_FALSE(one.arguments.empty());
    CHECK(one.arguments[0].required);
    const bool is_profile = prompt_value(one.name, one.arguments[0].name) == PromptValue::profile;
    CHECK(is_profile == (one.name != "write_a_plugin"));
  }
}
