// The only way for advice to come out.
#include <algorithm>

#include "core/advice/gate/gate.h"
#include "core/advice/gate/mention.h"

namespace stepwise::advice {
namespace {

std::string direction_only(const std::string& lang) {
  return lang == "zh" ? "参数需查阅官方文档确认" : "The parameter is to be checked in the official documentation.";
}

/// Prose and code of the draft that advise something; the finding only says what is.
std::vector<const std::string*> advising_texts(const Draft& draft) {
  std::vector<const std::string*> texts = {&draft.measure, &draft.example, &draft.risk, &draft.gain.how};
  for (const std::string& one : draft.conditions) texts.push_back(&one);
  for (const Place& one : draft.where) texts.push_back(&one.how);
  return texts;
}

/// Whether the text names a parameter that is not one of the draft's own: one that nobody checked, and no source is
/// told of. A call or class that carries a parameter (DataLoader for pin_memory) goes by the parameter's own entry.
bool names_another(const std::string& text, const Draft& draft, const std::vector<Verdict>& verdicts,
                   const Gate& gate) {
  const auto mentions = gate.finder().find(text);
  return std::any_of(mentions.begin(), mentions.end(), [&](const Mention& mention) {
    const auto named = gate.knowledge().named(mention.name);
    for (size_t i = 0; i < draft.parameters.size(); ++i) {
      const Parameter* own = verdicts[i].parameter;
      const std::string& value = draft.parameters[i].value ? *draft.parameters[i].value : std::string();
      const bool is_own = std::find(named.begin(), named.end(), own) != named.end();
      const bool carries = own->name.find(mention.name) != std::string::npos;
      if (is_own || carries || value.find(mention.name) != std::string::npos) return false;
    }
    return true;
  });
}

/// A finding says what is, so it may name what the profile holds; not set anything, nor name what is not verified.
bool advises(const std::string& finding, const Gate& gate) {
  const auto mentions = gate.finder().find(finding);
  return std::any_of(mentions.begin(), mentions.end(), [&](const Mention& mention) {
    return mention.value || gate.check({mention.name}).rule == GateRule::r1;
  });
}

/// R4: an address in a text is none of the maintained list, which is cited by name.
bool has_address(const std::string& text) { return text.find("://") != std::string::npos; }

bool does_not_fit(const Verdict& verdict) {
  return verdict.decision == Decision::refused && verdict.rule == GateRule::r2;
}

/// Without what is of no use here; what else was not accepted stays, for the caller to see.
void drop_what_does_not_fit(Draft& draft, std::vector<Verdict>& verdicts) {
  size_t kept = 0;
  for (size_t i = 0; i < verdicts.size(); ++i) {
    if (does_not_fit(verdicts[i])) continue;
    if (kept != i) {
      draft.parameters[kept] = std::move(draft.parameters[i]);
      verdicts[kept] = std::move(verdicts[i]);
    }
    ++kept;
  }
  draft.parameters.resize(kept);
  verdicts.resize(kept);
}

}  // namespace

std::optional<Advice> Gate::pass(Draft draft) const {
  std::vector<Verdict> verdicts = check_together(draft.parameters);
  // All that it would set is set already, or is of no use here: then so is the advice.
  if (!verdicts.empty() && std::all_of(verdicts.begin(), verdicts.end(), does_not_fit)) return std::nullopt;
  drop_what_does_not_fit(draft, verdicts);

  const bool is_accepted =
      std::all_of(verdicts.begin(), verdicts.end(), [](const auto& one) { return one.decision == Decision::accepted; });
  std::erase_if(draft.links, [&](const std::string& name) { return knowledge_->links().find(name) == nullptr; });
  const bool is_clean = is_accepted && !draft.lacks_parameters &&
                        !names_another(draft.example, draft, verdicts, *this) && !has_address(draft.example);
  if (!is_clean) {
    draft.parameters.clear();
    verdicts.clear();
    draft.example.clear();
  }
  if (has_address(draft.finding) || advises(draft.finding, *this)) return std::nullopt;
  for (const std::string* text : advising_texts(draft)) {
    if (has_address(*text) || names_another(*text, draft, verdicts, *this)) return std::nullopt;
  }
  if (!is_clean) {
    draft.is_confirmed = false;
    draft.conditions.push_back(direction_only(draft.lang));
  }
  const Decision decision = is_clean ? Decision::accepted : Decision::downgraded;
  return Advice(std::move(draft), decision, std::move(verdicts));
}

}  // namespace stepwise::advice
