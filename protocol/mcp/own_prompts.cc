#include "protocol/mcp/own_prompts.h"

#include <algorithm>

#include "core/base/json.h"
#include "core/base/text.h"

namespace stepwise::mcp {
namespace {

struct ArgumentSpec {
  const char *name, *description;
  const char* before;  // what stands before its value in the message
  bool required = false;
  PromptValue value = PromptValue::words;
  const char* stands_as = "";  // what stands for it in the calls of the skill
};
struct PromptSpec {
  const char *name, *skill, *description;
  std::vector<ArgumentSpec> arguments;
};

const std::vector<PromptSpec>& specs() {
  static const std::vector<PromptSpec> all = {
      {"analyze_inference",
       "analyze-inference",
       "Where an inference's time goes, and what could be changed.",
       {{"profile", "Id from open_profile, or a path.", "The profile", true, PromptValue::profile, "PROFILE"},
        {"batch_size", "Samples in a batch; no profile tells it.", "Declare on open_profile, batch_size"},
        {"latency_budget_us", "What one inference may take, in us.", "Declare on open_profile, latency_budget_us"}}},
      {"analyze_training",
       "analyze-training",
       "Where a training step's time goes, and what could be changed.",
       {{"profile", "Id from open_profile, or a path.", "The profile", true, PromptValue::profile, "PROFILE"},
        {"focus", "An analysis to look at in any case, e.g. memory.", "Look at this in any case", false,
         PromptValue::analysis}}},
      {"compare_two_runs",
       "compare-two-runs",
       "What became faster or slower from one run to another.",
       {{"base", "The run before: id from open_profile, or a path.", "The run before", true, PromptValue::profile,
         "BEFORE"},
        {"other", "The run after: id from open_profile, or a path.", "The run after", true, PromptValue::profile,
         "AFTER"}}},
      {"review_my_advice",
       "review-advice",
       "Holds a draft of advice against the profile and what is known of its parameters.",
       {{"profile", "Id from open_profile, or a path.", "The profile", true, PromptValue::profile, "PROFILE"},
        {"advice", "The draft, as text or Markdown.", "The draft", true}}},
      {"write_a_plugin",
       "write-a-plugin",
       "A new analysis as a plugin: from the question to a tested tool.",
       {{"question", "What the analysis shall answer.", "The question", true},
        {"name", "Name of the tool: a verb or a noun of small letters and _.", "Name of the tool"}}},
  };
  return all;
}

const PromptSpec* find_spec(const std::string& name) {
  const auto& all = specs();
  const auto found = std::find_if(all.begin(), all.end(), [&](const PromptSpec& one) { return name == one.name; });
  return found == all.end() ? nullptr : &*found;
}

const Skill* find_skill(const std::vector<Skill>& skills, const std::string& name) {
  const auto found = std::find_if(skills.begin(), skills.end(), [&](const Skill& one) { return one.name == name; });
  return found == skills.end() ? nullptr : &*found;
}

/// A value of several lines stands below its words, or it would run into the next.
std::string settled(const ArgumentSpec& argument, const std::string& value) {
  const bool is_long = value.find('\n') != std::string::npos;
  return std::string(argument.before) + (is_long ? ":\n\n" + value + "\n" : ": " + value) + "\n";
}

/// The calls with the value in them, as JSON has it.
std::string filled_in(std::string steps, const ArgumentSpec& argument, const std::string& value) {
  const std::string quoted = "\"" + std::string(argument.stands_as) + "\"", json = dump_json(trim(value));
  if (*argument.stands_as == '\0') return steps;
  for (size_t at = steps.find(quoted); at != std::string::npos; at = steps.find(quoted, at + json.size()))
    steps.replace(at, quoted.size(), json);
  return steps;
}

}  // namespace

std::vector<Prompt> skill_prompts(const std::vector<Skill>& skills) {
  std::vector<Prompt> prompts;
  for (const PromptSpec& spec : specs()) {
    const Skill* skill = find_skill(skills, spec.skill);
    if (skill == nullptr) continue;
    Prompt prompt{spec.name, skill->title, spec.description, {}};
    for (const ArgumentSpec& one : spec.arguments)
      prompt.arguments.push_back({one.name, one.description, one.required});
    prompts.push_back(std::move(prompt));
  }
  return prompts;
}

std::optional<PromptMessages> skill_prompt(const std::vector<Skill>& skills, const std::string& name,
                                           const std::map<std::string, std::string>& arguments) {
  const PromptSpec* spec = find_spec(name);
  const Skill* skill = spec == nullptr ? nullptr : find_skill(skills, spec->skill);
  if (skill == nullptr) return std::nullopt;
  std::string text = skill->title + ".\n\n";
  std::string steps = skill->steps;
  for (const ArgumentSpec& one : spec->arguments) {
    const auto given = arguments.find(one.name);
    if (given == arguments.end() || trim(given->second).empty()) continue;
    text += settled(one, given->second);
    steps = filled_in(std::move(steps), one, given->second);
  }
  text += "\n" + steps + "\n";
  PromptMessages out{spec->description, Json::array()};
  out.messages.push_back({{"role", "user"}, {"content", {{"type", "text"}, {"text", std::move(text)}}}});
  return out;
}

PromptValue prompt_value(const std::string& name, const std::string& argument) {
  if (const PromptSpec* spec = find_spec(name)) {
    for (const ArgumentSpec& one : spec->arguments) {
      if (argument == one.name) return one.value;
    }
  }
  return PromptValue::words;
}

}  // namespace stepwise::mcp
