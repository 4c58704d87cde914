#include "core/advice/gate/gate.h"

#include <algorithm>

#include "core/advice/call_arguments.h"
#include "core/advice/gate/gate_value.h"
#include "core/advice/gate/mention.h"
#include "core/advice/words.h"
#include "core/base/text.h"

namespace stepwise::advice {
namespace {

Verdict verdict(Decision decision, GateRule rule, const char* code, std::string reason, const Parameter* parameter) {
  Verdict out;
  out.decision = decision;
  out.rule = rule;
  out.code = code;
  out.reason = std::move(reason);
  out.parameter = parameter;
  return out;
}

std::vector<std::string> names_of(const Knowledge& knowledge, const std::vector<std::string>& ids) {
  std::vector<std::string> names;
  for (const std::string& id : ids) {
    if (const Parameter* one = knowledge.find(id)) names.push_back(one->name);
  }
  return names;
}

Verdict not_verified(const Knowledge& knowledge, const Parameter& one) {
  const std::string why = one.notes.empty() ? one.effect : one.notes;
  Verdict out = one.status == Status::contradicted
                    ? verdict(Decision::refused, GateRule::r1, "contradicted", "Sources say otherwise: " + why, &one)
                    : verdict(Decision::refused, GateRule::r1, "not_found",
                              "No source for " + one.name + " was found: " + why, &one);
  out.nearest = names_of(knowledge, one.instead);
  return out;
}

bool is_graph_only(const Parameter& one) {
  return !one.modes.empty() && !has(one.modes, "eager") && !has(one.modes, "any");
}

/// R2 but for the value; accepted where nothing speaks against it.
Verdict judge_place(const Parameter& one, const Context& context, const Chips& chips, bool after_conversion) {
  Verdict out;
  out.parameter = &one;
  const bool runs_eagerly = context.mode == "eager" || context.has_eager_part;
  const bool converts = after_conversion && runs_eagerly && is_graph_only(one);
  Context there = context;
  if (converts) there.mode.clear();
  const Applies applied = applies(one, there);
  if (applied.answer == Applies::Answer::no) {
    return verdict(Decision::refused, GateRule::r2, "does_not_apply", applied.why, &one);
  }
  const Chip* const chip = chips.find(context.chip);
  const std::string family = chip == nullptr ? "" : chip->hardware;
  if (!one.hardware.empty() && !family.empty() && !has(one.hardware, family)) {
    return verdict(Decision::refused, GateRule::r2, "hardware",
                   one.name + " is for " + joined(one.hardware) + ", not for " + family + " (" + context.chip + ").",
                   &one);
  }
  if (one.needs_varying_shapes && context.shapes_vary == false && context.mode != "eager") {
    return verdict(Decision::refused, GateRule::r2, "static_shapes",
                   one.name + " is for shapes that vary; in this run no shape does.", &one);
  }
  if (applied.answer == Applies::Answer::unknown) {
    return verdict(Decision::downgraded, GateRule::r2, "mode_undetermined", applied.why, &one);
  }
  if (context.has_eager_part && (converts || is_for_eager_part(one, context))) {
    out.conditions.push_back("For the part that runs eagerly beside the graphs.");
  }
  if (converts) out.conditions.push_back("After the conversion to a graph mode: " + joined(one.modes) + ".");
  if (!one.hardware.empty() && !has(one.hardware, "gpu") && family.empty()) {
    out.conditions.push_back("On " + joined(one.hardware) + "; the chip of this run is not known.");
  }
  if (one.needs_varying_shapes && !context.shapes_vary) {
    out.conditions.push_back("For shapes that vary; whether they do is not known.");
  }
  if (!one.since.empty()) out.conditions.push_back("Since: " + one.since + ".");
  return out;
}

/// matmul.allow_hf32 of allow_hf32.
bool ends_in(const Parameter& one, const std::string& last_part) {
  const std::string end = "." + last_part;
  return one.name.ends_with(end) ||
         std::any_of(one.aliases.begin(), one.aliases.end(), [&](const auto& alias) { return alias.ends_with(end); });
}

/// Of several entries of one name the one that suits best speaks.
bool is_better(const Verdict& a, const Verdict& b) { return a.decision < b.decision; }

}  // namespace

const char* to_string(Decision decision) {
  switch (decision) {
    case Decision::accepted:
      return "accepted";
    case Decision::downgraded:
      return "downgraded";
    case Decision::refused:
      return "refused";
  }
  return "refused";
}

const char* to_string(GateRule rule) {
  constexpr const char* kNames[] = {"", "R1", "R2", "R3", "R4", "R5", "R6"};
  return kNames[static_cast<size_t>(rule)];
}

Gate::Gate(std::shared_ptr<const Knowledge> knowledge, Context context)
    : knowledge_(std::move(knowledge)),
      context_(std::move(context)),
      finder_(std::make_shared<const MentionFinder>(*knowledge_)) {}

std::vector<const Parameter*> Gate::entries_of(const Proposed& proposed) const {
  auto found = knowledge_->named(proposed.name);
  // The index forgives capitals; environments and options do not.
  std::erase_if(found, [&](const Parameter* one) {
    return one->kind == ParameterKind::claim ||
           (one->name != proposed.name && !has(one->aliases, proposed.name) && !ends_in(*one, proposed.name));
  });
  // Whose own name it is speaks before those that have it as an alias.
  std::stable_partition(found.begin(), found.end(), [&](const Parameter* one) { return one->name == proposed.name; });
  if (!proposed.value) return found;
  // What is known to be wrong with this very value, by whichever of the names, comes before all.
  std::vector<std::string> names = {proposed.name};
  for (const Parameter* one : found) names.insert(names.end(), one->aliases.begin(), one->aliases.end());
  for (const std::string& name : names) {
    for (const Parameter* one : knowledge_->named(name + "=" + std::string(unquoted(*proposed.value)))) {
      if (one->status != Status::verified) return {one};
    }
  }
  return found;
}

Verdict Gate::unknown(const std::string& name) const {
  return verdict(Decision::refused, GateRule::r1, "unknown", "The knowledge base does not hold " + name + ".", nullptr);
}

Verdict Gate::check(const Proposed& proposed) const {
  const auto found = entries_of(proposed);
  if (found.empty()) {
    Verdict out = unknown(proposed.name);
    out.nearest = knowledge_->nearest(proposed.name);
    return out;
  }
  std::optional<Verdict> best;
  for (const Parameter* one : found) {
    Verdict next = judge(*one, proposed);
    if (!best || is_better(next, *best)) best = std::move(next);
  }
  return std::move(*best);
}

Verdict Gate::judge(const Parameter& one, const Proposed& proposed) const {
  if (one.status != Status::verified) return not_verified(*knowledge_, one);
  Verdict out = judge_place(one, context_, knowledge_->chips(), proposed.after_conversion);
  if (out.decision == Decision::refused) return out;
  if (proposed.value && !proposed.value->empty()) {
    Verdict of_value = out;
    judge_value(one, *proposed.value, context_, of_value);
    // A value that is wrong is wrong in every mode.
    if (of_value.decision > out.decision) return of_value;
    out.conditions = std::move(of_value.conditions);
  }
  if (out.decision == Decision::accepted && one.confidence == Confidence::low) {
    return verdict(Decision::downgraded, GateRule::r1, "low_confidence",
                   "What is known of " + one.name + " is not sure enough to name it.", &one);
  }
  return out;
}

std::vector<Verdict> Gate::check_together(std::span<const Proposed> proposed) const {
  std::vector<Verdict> verdicts;
  for (const Proposed& one : proposed) verdicts.push_back(check(one));
  const auto value_of = [&](const std::string& id) -> std::optional<std::string> {
    for (size_t i = 0; i < proposed.size(); ++i) {
      if (verdicts[i].parameter != nullptr && verdicts[i].parameter->id == id) return proposed[i].value.value_or("");
    }
    const Parameter* other = knowledge_->find(id);
    const auto collected = other == nullptr ? context_.set.end() : context_.set.find(other->name);
    if (collected == context_.set.end() || collected->second.empty()) return std::nullopt;
    return collected->second;
  };
  const auto fits = [](const std::optional<std::string>& wanted, const std::string& value) {
    return !wanted || is_same_value(*wanted, value);
  };
  // Whether the other one, proposed as well, is the one to be refused.
  const auto is_other_at_fault = [&](const Conflict& conflict, const std::string& id, const std::string& value) {
    for (size_t k = 0; k < proposed.size(); ++k) {
      const Parameter* other = verdicts[k].parameter;
      if (other == nullptr || other->id != conflict.with) continue;
      for (const Conflict& back : other->conflicts) {
        const bool is_meant = back.at_fault && back.with == id;
        if (is_meant && fits(back.value, proposed[k].value.value_or("")) && fits(back.with_value, value)) return true;
      }
    }
    return false;
  };
  for (size_t i = 0; i < proposed.size(); ++i) {
    if (verdicts[i].decision != Decision::accepted) continue;
    const std::string value = proposed[i].value.value_or("");
    for (const Conflict& conflict : verdicts[i].parameter->conflicts) {
      const auto other = value_of(conflict.with);
      if (!other) continue;
      if (!fits(conflict.value, value) || !fits(conflict.with_value, *other)) continue;
      if (is_other_at_fault(conflict, verdicts[i].parameter->id, value)) continue;
      verdicts[i] = verdict(Decision::refused, GateRule::r2, "conflict", conflict.says, verdicts[i].parameter);
      break;
    }
  }
  return verdicts;
}

}  // namespace stepwise::advice
