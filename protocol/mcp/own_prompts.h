// Prompts for the usual workflows. Each is a skill's steps with what the user has settled before them, so that what a
// prompt and a skill say is the same. A skill that is not there has no prompt.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "protocol/mcp/catalog.h"
#include "protocol/mcp/own_skills.h"

namespace stepwise::mcp {

std::vector<Prompt> skill_prompts(const std::vector<Skill>& skills);

/// nullopt: no such prompt. Arguments that it does not have are left out.
std::optional<PromptMessages> skill_prompt(const std::vector<Skill>& skills, const std::string& name,
                                           const std::map<std::string, std::string>& arguments);

/// What a prompt's argument is, for completion.
enum class PromptValue : uint8_t { words, profile, analysis };
PromptValue prompt_value(const std::string& name, const std::string& argument);

}  // namespace stepwise::mcp
