#include "core/advice/draft/rewrite.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "core/advice/draft/false_claims.h"
#include "core/advice/draft/figures.h"
#include "core/advice/draft/rewrite_spans.h"
#include "core/advice/draft/visible.h"
#include "core/advice/gate/text_rules.h"
#include "core/base/text.h"

namespace stepwise::advice {
namespace {

constexpr size_t kMaxNearest = 500;  // names of a draft for which the nearest known ones are looked for
constexpr int kMaxRounds = 4;        // of replacing: what is put in may stand beside another name
constexpr size_t kNone = std::string_view::npos;

std::string written(const Parameter& parameter, const std::string& name, const std::optional<std::string>& value) {
  if (!value) return "`" + name + "`";
  switch (parameter.kind) {
    case ParameterKind::api:
      return parameter.value && parameter.value->is_call() ? "`" + name + "(" + *value + ")`"
                                                           : "`" + name + " = " + *value + "`";
    case ParameterKind::env:
      return "`export " + name + "=" + *value + "`";
    default:
      return "`" + name + "=" + *value + "`";
  }
}

bool is_off(std::string_view value) {
  static constexpr auto kOff =
      std::to_array<std::string_view>({"0", "false", "off", "no", "none", "disable", "disabled"});
  return std::find(kOff.begin(), kOff.end(), to_lower(value)) != kOff.end();
}

/// Off is said in several ways, which are one for a name that was put in another's place.
bool has_by_default(const Parameter& parameter, const std::string& value) {
  return parameter.default_value == value || (is_off(value) && is_off(parameter.default_value.value_or("")));
}

}  // namespace

const Verdict* Judge::unknown(const std::string& name) const {
  auto it = unknown_.find(name);
  if (it == unknown_.end()) {
    const bool is_known = !gate_.knowledge().named(name).empty();
    std::optional<Verdict> verdict;
    if (!is_known || gate_.check({name}).parameter == nullptr) {
      verdict = unknown_.size() < kMaxNearest ? gate_.check({name}) : gate_.unknown(name);
    }
    it = unknown_.emplace(name, std::move(verdict)).first;
  }
  return it->second ? &*it->second : nullptr;
}

/// The conversion itself, or an argument of it, before it or behind: npu_backend of torch.compile(options={...}).
bool Judge::is_of_conversion(const std::string& name) const {
  const auto named = gate_.knowledge().named(name);
  return std::any_of(named.begin(), named.end(),
                     [](const Parameter* one) { return one->name.starts_with("torch.compile"); });
}

/// What is told not to be used need not fit the run; it must be there all the same.
Verdict Judge::not_to_use(const Mention& mention) const {
  Verdict verdict = gate_.check({mention.name, mention.value});
  if (verdict.decision != Decision::accepted && verdict.rule != GateRule::r1) {
    verdict = {};
  }
  return verdict;
}

std::vector<Verdict> Judge::judge(const std::vector<Mention>& mentions) const {
  std::vector<Proposed> proposed;
  std::map<std::tuple<std::string, std::optional<std::string>, bool>, size_t> seen;
  std::vector<size_t> which;
  bool is_converted = false;
  const bool is_eager = gate_.context().mode == "eager" || gate_.context().has_eager_part;
  // "Do not use torch.compile" converts nothing.
  const auto converts = [&](const Mention& one) {
    return is_eager && one.name == "torch.compile" && (one.value || one.negation == Negation::none);
  };
  const bool converts_somewhere = std::any_of(mentions.begin(), mentions.end(), converts);
  for (const Mention& one : mentions) {
    // The conversion is the first step; what stands behind it, the second.
    is_converted = is_converted || converts(one);
    if (unknown(one.name) != nullptr) {
      which.push_back(kNone);
      continue;
    }
    if (one.negation == Negation::at_once) {
      which.push_back(kNone);
      continue;
    }
    const bool is_behind =
        is_converted || (is_of_conversion(one.name) && (converts_somewhere || one.name == "torch.compile"));
    const auto [it, is_new] = seen.try_emplace({one.name, one.value, is_behind}, proposed.size());
    if (is_new) proposed.push_back({one.name, one.value, is_behind});
    which.push_back(it->second);
  }
  const auto judged = gate_.check_together(proposed);
  std::vector<Verdict> verdicts;
  for (size_t i = 0; i < mentions.size(); ++i) {
    if (which[i] != kNone) {
      verdicts.push_back(judged[which[i]]);
    } else if (const Verdict* nobody_knows = unknown(mentions[i].name)) {
      verdicts.push_back(*nobody_knows);
    } else {
      verdicts.push_back(not_to_use(mentions[i]));
    }
    if (mentions[i].has_unclear_value && verdicts.back().decision == Decision::accepted) {
      verdicts.back().decision = Decision::downgraded;
      verdicts.back().rule = GateRule::r1;
      verdicts.back().code = "value_unclear";
      verdicts.back().reason = "A value seems to stand beside " + mentions[i].name +
                               ", in a form that cannot be checked: write " + mentions[i].name + "=value.";
    }
  }
  return verdicts;
}

bool Judge::is_clean(std::string_view text) const {
  const auto mentions = gate_.finder().find(text);
  const auto verdicts = judge(mentions);
  return std::all_of(verdicts.begin(), verdicts.end(),
                     [](const Verdict& one) { return one.decision == Decision::accepted; }) &&
         judge_text(gate_, text, mentions).empty();
}

bool Rewriter::is_clean(std::string_view text) const { return judge_.is_clean(text); }

std::string Rewriter::document_of(const Verdict& verdict) const {
  std::vector<const Parameter*> from;
  if (verdict.parameter != nullptr) from.push_back(verdict.parameter);
  for (const std::string& name : verdict.nearest) {
    for (const Parameter* one : gate_.knowledge().named(name)) from.push_back(one);
  }
  for (const Parameter* one : from) {
    for (const Source& source : one->sources) {
      if (!source.is_code && gate_.finder().find(source.ref).empty()) return source.ref;
    }
  }
  return "";
}

const std::string& Rewriter::instead_of(const Mention& mention, const Verdict& verdict) const {
  const auto [it, is_new] = instead_.try_emplace({mention.name, mention.value});
  if (is_new) it->second = find_instead(mention, verdict);
  return it->second;
}

std::string Rewriter::find_instead(const Mention& mention, const Verdict& verdict) const {
  if (verdict.code == "default" && mention.value) {
    const std::string text = is_chinese_ ? "`" + mention.name + "`(" + *mention.value + " 已是默认值)"
                                         : "`" + mention.name + "` (" + *mention.value + " is the default already)";
    if (is_clean(text)) return text;
  }
  const std::string mark =
      is_chinese_ ? "(参数需查阅官方文档确认)" : " (parameter to be checked in the official documentation)";
  for (const std::string& name : verdict.nearest) {
    if (verdict.decision != Decision::refused) break;
    const Verdict with_value = gate_.check({name, mention.value});
    const bool has_value = mention.value && with_value.decision == Decision::accepted;
    const Verdict nearest = has_value ? with_value : gate_.check({name, std::nullopt});
    if (nearest.decision != Decision::accepted) continue;
    if (!has_value && mention.value) {
      if (has_by_default(*nearest.parameter, *mention.value)) {
        const std::string nothing = is_chinese_ ? "无(`" + name + "` 默认即为该值，无需设置)"
                                                : "nothing (`" + name + "` has that value by default)";
        if (is_clean(nothing)) return nothing;
      }
      // "Set NAME" in place of "X=0" would turn on what the draft wants off.
      if (is_off(*mention.value)) continue;
    }
    const std::string text = written(*nearest.parameter, name, has_value ? mention.value : std::nullopt);
    if (is_clean(text)) return has_value ? text : text + mark;
  }
  const std::string document = document_of(verdict);
  if (is_chinese_) return (document.empty() ? "一项设置" : "《" + document + "》所述的设置") + mark;
  return (document.empty() ? "a setting" : "a setting of \"" + document + "\"") + mark;
}

bool Rewriter::replace_refused(std::string& text) const {
  const auto mentions = gate_.finder().find(text);
  const auto verdicts = judge_.judge(mentions);
  const auto blocks = code_blocks(text);
  std::string out;
  size_t taken = 0;  // of the text
  for (size_t i = 0; i < mentions.size(); ++i) {
    if (verdicts[i].decision == Decision::accepted || mentions[i].value_end <= taken) continue;
    Span span{mentions[i].offset, mentions[i].value_end};
    std::string instead;
    if (is_in(blocks, span.begin)) {
      span = lines_of(text, span);
    } else {
      span = expression_around(text, span);
      if (mentions[i].in_code) span = code_around(text, span);
      span = with_command(text, span);
      instead = instead_of(mentions[i], verdicts[i]);
      // Of a row of a table the cell of the value stays, empty.
      if (is_in_two_cells(text, mentions[i])) instead += " | -";
    }
    if (span.begin < taken) {
      span.begin = taken;
      instead.clear();
    }
    out.append(text, taken, span.begin - taken).append(instead);
    taken = std::max(taken, span.end);
  }
  if (taken == 0 && out.empty()) return false;
  text = out.append(text, taken);
  return true;
}

/// The lines that may stay, and where to look instead of the others.
std::string Rewriter::direction(const std::string& text) const {
  std::string kept;
  const auto blocks = code_blocks(text);
  for (size_t at = 0; at < text.size();) {
    const size_t next = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string line = text.substr(at, next - at);
    if (!is_in(blocks, at) && is_clean(line)) kept += line;
    at = next;
  }
  const std::string where = is_chinese_ ? "建议查阅官方文档获取对应的设置(参数需查阅官方文档确认)。\n"
                                        : "Consult the documentation for a setting that serves this (parameter to be "
                                          "checked in the official documentation).\n";
  if (!kept.empty() && kept.back() != '\n') kept += '\n';
  return is_clean(kept + where) ? kept + where : where;
}

std::string Rewriter::source_of(const std::string& text) const {
  for (const Mention& one : gate_.finder().find(text)) {
    const Verdict verdict = gate_.check({one.name, one.value, true});
    if (verdict.parameter == nullptr) continue;
    for (const Source& source : verdict.parameter->sources) {
      if (!gate_.finder().find(source.ref).empty()) continue;
      if (is_chinese_) return (source.is_code ? "[代码仓] " : "[官方文档] ") + source.ref;
      return (source.is_code ? "[code repository] " : "[official document] ") + source.ref;
    }
  }
  return is_chinese_ ? "需查阅官方文档确认。" : "to be named, after a look into the official documentation.";
}

std::string Rewriter::supplied(const std::string& text, std::string_view draft, bool has_trigger) const {
  std::string out;
  // What the draft lacks, too: that a setting is to be looked up is no source.
  std::set<Lack> lacks;
  for (const Lack lack : lacks_of(draft)) lacks.insert(lack);
  for (const Lack lack : lacks_of(text)) lacks.insert(lack);
  if (has_trigger) lacks.erase(Lack::trigger);
  for (const Lack lack : lacks) {
    out += '\n';
    switch (lack) {
      case Lack::trigger:
        out += is_chinese_ ? "触发条件：需写明 Profiling 中体现该问题的数据。"
                           : "Trigger: the figure of the profile that shows the problem is to be named.";
        break;
      case Lack::gain:
        out += is_chinese_ ? "预期收益：需实测，对比调整前后的 Profiling。"
                           : "Gain: to be measured, by comparing the profiles of before and after.";
        break;
      case Lack::example: {
        std::string example = is_chinese_ ? "见来源所列的文档。" : "see the document that is the source.";
        for (const Mention& one : gate_.finder().find(text)) {
          const Verdict verdict = gate_.check({one.name, one.value, true});
          if (verdict.parameter == nullptr || !one.value) continue;
          const std::string code = is_in_two_cells(text, one)
                                       ? written(*verdict.parameter, one.name, one.value)
                                       : "`" + text.substr(one.offset, one.value_end - one.offset) + "`";
          if (is_clean(code)) {
            example = code;
            break;
          }
        }
        out += (is_chinese_ ? "实施示例：" : "Example: ") + example;
        break;
      }
      case Lack::source:
        out += (is_chinese_ ? "来源：" : "Source: ") + source_of(text);
        break;
    }
    out += '\n';
  }
  if (out.empty()) return out;
  return (text.empty() || text.back() == '\n' ? "" : "\n") + out;
}

std::string Rewriter::allowed(std::string_view text, const RowNumbers& above) const {
  std::string out = without_false_claims(visible_markdown(text), gate_.knowledge());
  for (int round = 0; round < kMaxRounds && replace_refused(out); ++round) {
  }
  if (!is_clean(out)) out = direction(out);
  std::string measured;
  size_t taken = 0;
  for (const ClaimedGain& one : figures_.unmeasured_gains(out, above)) {
    measured.append(out, taken, one.offset - taken);
    if (one.is_verb) measured.append(is_chinese_ ? "变化" : "changes ");
    measured.append(is_chinese_ ? "(需实测)" : "(to be measured)");
    taken = one.offset + one.length;
  }
  measured.append(out, taken);
  return is_clean(measured) ? measured : direction("");
}

std::string Rewriter::rewrite(std::string_view text, bool has_trigger, const RowNumbers& above) const {
  const std::string out = allowed(text, above);
  // What is left of it may be a direction without the figure.
  const std::string whole = out + supplied(out, text, has_trigger && !find_figures(out).empty());
  if (is_clean(whole)) return whole;
  const std::string least = direction("");
  return least + supplied(least, text, false);
}

}  // namespace stepwise::advice
