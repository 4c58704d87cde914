// Agent Skills that ship with the program: skills/NAME/SKILL.md, front matter and Markdown. They are offered as
// resources, and prompts are made of them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"

namespace stepwise::mcp {

/// Behind this heading a skill says how to do without MCP; prompts leave it out.
inline constexpr std::string_view kShellHeading = "## From a shell";

struct Skill {
  std::string name, description;  // of the front matter
  std::string title;              // the first heading
  std::string steps;              // what stands between it and kShellHeading
  std::string text;               // the whole file
};

/// nullopt: no front matter of one-line values, a name that is not the folder's or not of [a-z0-9-], no description or
/// one that is longer than kSkillDescriptionChars, no heading.
std::optional<Skill> parse_skill(std::string_view folder, std::string text);

/// Of every folder there that holds one, by name. A directory that is not there has none.
std::vector<Skill> load_skills(const std::filesystem::path& dir);

/// What skill://index.json holds, as Agent Skills' discovery 0.2 has it: {skills: [{name, type, description, url,
/// digest}]}, the digest of the bytes that reading the skill gives.
Json skill_index(const std::vector<Skill>& skills);

std::string skill_uri(const Skill& skill);

}  // namespace stepwise::mcp
