#include "core/advice/gate/text_rules.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "core/advice/gate/negation.h"
#include "core/base/text.h"

namespace stepwise::advice {
namespace {

struct Direction {
  std::string_view phrase, scenario;
};
// In lower case, blanks and hyphens alike.
constexpr auto kDirections = std::to_array<Direction>({{"gradient accumulation", "training"},
                                                       {"accumulate gradients", "training"},
                                                       {"accumulating gradients", "training"},
                                                       {"accumulate the gradients", "training"},
                                                       {"gradient checkpointing", "training"},
                                                       {"activation checkpointing", "training"},
                                                       {"gradient bucket", "training"},
                                                       {"bucket the gradients", "training"},
                                                       {"gradient compression", "training"},
                                                       {"fused optimizer", "training"},
                                                       {"mixed precision training", "training"},
                                                       {"梯度累积", "training"},
                                                       {"梯度累加", "training"},
                                                       {"梯度分桶", "training"},
                                                       {"梯度桶", "training"},
                                                       {"梯度检查点", "training"},
                                                       {"激活重计算", "training"},
                                                       {"梯度压缩", "training"},
                                                       {"融合优化器", "training"},
                                                       {"混合精度训练", "training"},
                                                       {"instances in parallel on one", "inference"},
                                                       {"instances on one device", "inference"},
                                                       {"instances on a single device", "inference"},
                                                       {"instances on the same device", "inference"},
                                                       {"instances on a device", "inference"},
                                                       {"instances on one card", "inference"},
                                                       {"instances on one npu", "inference"},
                                                       {"instances in parallel", "inference"},
                                                       {"instances per device", "inference"},
                                                       {"inference instances", "inference"},
                                                       {"multi instance parallel", "inference"},
                                                       {"multi instance inference", "inference"},
                                                       {"multi instance serving", "inference"},
                                                       {"multi instance deployment", "inference"},
                                                       {"continuous batching", "inference"},
                                                       {"speculative decoding", "inference"},
                                                       {"单卡多实例", "inference"},
                                                       {"多实例并行", "inference"},
                                                       {"多实例推理", "inference"},
                                                       {"多实例部署", "inference"},
                                                       {"连续批处理", "inference"},
                                                       {"投机推理", "inference"}});
constexpr auto kAutoFusion =
    std::to_array<std::string_view>({"auto fusion", "autofusion", "auto fuse", "autofuse", "automatic fusion",
                                     "automatically fuse", "fuses automatically", "自动融合"});
constexpr auto kSwitchFile = std::to_array<std::string_view>(
    {"opt.ge.fusionSwitchFile", "cli.atc.fusion_switch_file", "opt.ge.optimizationSwitch"});

Verdict refused(GateRule rule, const char* code, std::string reason) {
  Verdict out;
  out.decision = Decision::refused;
  out.rule = rule;
  out.code = code;
  out.reason = std::move(reason);
  return out;
}

bool says_not(std::string_view low, size_t at, size_t length) {
  return holds_negation(sentence_at(low, at, at + length));
}

/// "Gradient accumulation" where nothing is trained.
std::optional<Verdict> crosses(std::string_view low, const std::string& scenario) {
  if (scenario != "training" && scenario != "inference") return std::nullopt;
  for (const Direction& one : kDirections) {
    if (one.scenario == scenario) continue;
    for (size_t at = low.find(one.phrase); at != low.npos; at = low.find(one.phrase, at + 1)) {
      if (says_not(low, at, one.phrase.size())) continue;
      return refused(
          GateRule::r2, "scenario",
          "\"" + std::string(one.phrase) + "\" is for " + std::string(one.scenario) + ", not for " + scenario + ".");
    }
  }
  return std::nullopt;
}

bool is_switch_file(const Mention& mention, const Knowledge& knowledge) {
  const auto named = knowledge.named(mention.name);
  return std::any_of(named.begin(), named.end(), [](const Parameter* one) {
    return std::find(kSwitchFile.begin(), kSwitchFile.end(), one->id) != kSwitchFile.end();
  });
}

/// `begin`, `end`: of the switch's name.
std::optional<Verdict> misuses_switch(std::string_view low, size_t begin, size_t end, const Knowledge& knowledge) {
  const std::string_view sentence = sentence_at(low, begin, end);
  if (holds_negation(sentence)) return std::nullopt;
  for (const std::string_view one : kAutoFusion) {
    if (sentence.find(one) == sentence.npos) continue;
    return refused(GateRule::r6, "switch_file",
                   "A fusion switch file turns built-in passes on and off: it is not auto-fusion.");
  }
  for (const FusionPass& one : knowledge.passes().all()) {
    if (one.can_be_switched_off != false || low.find(to_lower(one.name)) == low.npos) continue;
    return refused(GateRule::r6, "switch_off", one.name + " cannot be switched off.");
  }
  return std::nullopt;
}

}  // namespace

std::vector<Verdict> judge_text(const Gate& gate, std::string_view text, const std::vector<Mention>& mentions) {
  std::vector<Verdict> verdicts;
  std::string low = to_lower(text);
  std::replace(low.begin(), low.end(), '-', ' ');
  if (auto one = crosses(low, gate.context().scenario)) verdicts.push_back(std::move(*one));
  for (const Mention& one : mentions) {
    if (!is_switch_file(one, gate.knowledge())) continue;
    auto found = misuses_switch(low, one.offset, one.value_end, gate.knowledge());
    if (!found) continue;
    verdicts.push_back(std::move(*found));
    break;  // the rest would say the same
  }
  return verdicts;
}

}  // namespace stepwise::advice
