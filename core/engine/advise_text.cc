#include "core/engine/advise_text.h"

#include <algorithm>
#include <string_view>

#include "core/base/text.h"
#include "core/engine/text_table.h"

namespace stepwise::engine {
namespace {

constexpr const char* kIndent = "   ";

struct Words {
  const char *of_step, *trigger, *threshold, *from, *gain, *at_most, *parameter, *only_if, *possible, *conditions,
      *where, *risk, *hardware, *downgraded, *documents, *example;
};
constexpr Words kEnglish = {"of the step at most",
                            "trigger",
                            "threshold",
                            "from",
                            "gain",
                            "at most",
                            "set",
                            "if",
                            "possible: the profile cannot confirm it",
                            "conditions",
                            "where",
                            "risk",
                            "hardware",
                            "downgraded by the gate: a direction only, look its parameters up in the documentation",
                            "documents",
                            "example"};
constexpr Words kChinese = {"单步上限",
                            "触发",
                            "阈值",
                            "来自",
                            "收益",
                            "至多",
                            "设置",
                            "条件",
                            "可能适用：现有数据无法确认",
                            "前提条件",
                            "位置",
                            "风险",
                            "硬件",
                            "经校验降级：仅为方向，参数请查官方文档",
                            "参考文档",
                            "示例"};

std::string text_at(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : "";
}

const Json& list_at(const Json& object, const char* key) {
  static const Json kNone = Json::array();
  const auto it = object.find(key);
  return it != object.end() && it->is_array() ? *it : kNone;
}

std::string value_text(const Json& value) { return value.is_string() ? value.get<std::string>() : to_cell(value); }

std::string joined(const Json& texts) {
  std::string out;
  for (const Json& one : texts) out += (out.empty() ? "" : "; ") + value_text(one);
  return out;
}

/// Every line moved in, none of them empty.
std::string indented(std::string_view text, std::string_view indent) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) out += std::string(indent) + std::string(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string line(const char* name, const std::string& text) {
  return text.empty() ? "" : indented(std::string(name) + ": " + text, kIndent);
}

std::string trigger_text(const Words& words, const Json& trigger) {
  if (!trigger.is_object() || text_at(trigger, "metric").empty()) return "";
  std::string out = text_at(trigger, "metric") + " = " + value_text(trigger["value"]) + " (" + words.threshold + " " +
                    value_text(trigger["threshold"]) + ")";
  if (const std::string tool = text_at(trigger, "tool"); !tool.empty())
    out += ", " + std::string(words.from) + " " + tool;
  return out;
}

std::string gain_text(const Words& words, const Json& gain) {
  std::string out;
  if (const auto bound = gain.find("bound_us"); bound != gain.end() && bound->is_number()) {
    out = words.at_most + (" " + three_digits(bound->get<double>())) + " us";
  }
  const std::string how = text_at(gain, "how");
  return out + (out.empty() || how.empty() ? "" : "; ") + how;
}

/// NAME=value, or the name alone where the measure sets none.
std::string written(const Json& parameter) {
  const std::string value = text_at(parameter, "value");
  return text_at(parameter, "name") + (value.empty() ? "" : "=" + value);
}

std::string parameter_text(const Words& words, const Json& parameter) {
  std::string out = written(parameter) + " (" + text_at(parameter, "source") + ")";
  if (const std::string conditions = joined(list_at(parameter, "conditions")); !conditions.empty()) {
    out += ", " + std::string(words.only_if) + ": " + conditions;
  }
  return out;
}

std::string where_text(const Json& places) {
  std::string out;
  for (const Json& one : places) {
    const std::string file = text_at(one, "file"), how = text_at(one, "how");
    out += out.empty() ? "" : "; ";
    out += file + (one.contains("line") ? ":" + value_text(one["line"]) : "");
    out += (file.empty() || how.empty() ? "" : " ") + how;
  }
  return out;
}

std::string documents_text(const Json& names, const Json& links) {
  std::string out;
  for (const Json& name : names) {
    out += (out.empty() ? "[" : ", [") + value_text(name) + "]";
    for (const Json& link : links) {
      if (link["name"] == name) out += " " + text_at(link, "address");
    }
  }
  return out;
}

}  // namespace

std::string advice_text(size_t number, const Json& row, const Json& links, const std::string& lang) {
  const Words& words = lang == "zh" ? kChinese : kEnglish;
  std::string out = std::to_string(number) + ". [" + text_at(row, "priority");
  if (const auto share = row.find("share_ratio"); share != row.end() && share->is_number() && *share > 0) {
    out += ", " + three_digits(share->get<double>() * 100) + " % " + words.of_step;
  }
  out += "] " + text_at(row, "finding") + " -> " + text_at(row, "measure") + "\n";
  out += line(words.trigger, trigger_text(words, row.value("trigger", Json())));
  out += line(words.gain, gain_text(words, row.value("gain", Json::object())));
  for (const Json& one : list_at(row, "parameters")) out += line(words.parameter, parameter_text(words, one));
  if (text_at(row, "condition") == "possible") out += indented(words.possible, kIndent);
  out += line(words.conditions, joined(list_at(row, "conditions")));
  out += line(words.where, where_text(list_at(row, "where")));
  const std::string kind = text_at(row, "risk_kind"), risk = text_at(row, "risk");
  const std::string named = kind == "none" ? "" : kind;
  out += line(words.risk, named + (named.empty() || risk.empty() ? "" : ": ") + risk);
  if (text_at(row, "hardware") != "agnostic") out += line(words.hardware, text_at(row, "hardware"));
  if (text_at(row, "verdict") == "downgraded") out += indented(words.downgraded, kIndent);
  out += line(words.documents, documents_text(list_at(row, "links"), links));
  if (const std::string example = text_at(row, "example"); !example.empty()) {
    out += std::string(kIndent) + words.example + ":\n" + indented(example, "       ");
  }
  return out;
}

std::string advice_head(const Json& context, const Json& judged) {
  std::string out = text_lines({{"context", context}});
  out += value_text(judged["rules"]) + " rules: " + value_text(judged["fired"]) + " fired, " +
         value_text(judged["not_judged"]) + " lack a metric, " + value_text(judged["not_for_this_run"]) +
         " are for other hardware or scenarios, " + value_text(judged["reserved"]) + " wait for an analyzer\n";
  std::string silent;
  for (const Json& one : list_at(judged, "without_row")) {
    silent += (silent.empty() ? "" : "; ") + text_at(one, "rule") + ": " + text_at(one, "why");
  }
  if (!silent.empty()) out += "fired without a row: " + silent + "\n";
  out +=
      "ranked by the share of the step that the finding could give back at most; high, medium, low: how severe it is\n";
  std::string lacking;
  for (const Json& one : judged["lacking"]) {
    lacking += (lacking.empty() ? "" : ", ") + text_at(one, "metric") + " (" + value_text(one["rules"]) + ")";
  }
  return out + (lacking.empty() ? "" : "lacking (rules that ask for it): " + lacking + "\n");
}

std::string item_text(size_t number, const Json& item) {
  const std::string rule = text_at(item, "rule");
  std::string out =
      std::to_string(number) + ". [" + text_at(item, "verdict") + (rule.empty() ? "" : ", " + rule) + "] ";
  const std::string text = indented(trim(text_at(item, "text")), kIndent);
  out += std::string(trim(text)) + "\n";
  const Json& parameters = list_at(item, "parameters");
  for (const Json& one : parameters) {
    out += indented(
        written(one) + ": " + text_at(one, "verdict") + ", " + text_at(one, "rule") + ": " + text_at(one, "reason"),
        kIndent);
    out += line("nearest", joined(list_at(one, "nearest")));
  }
  if (parameters.empty()) {  // else each of them has told its own
    out += line("reason", text_at(item, "reason"));
    out += line("nearest", joined(list_at(item, "nearest")));
  }
  for (const Json& one : list_at(item, "conditions")) out += line("condition", one.get<std::string>());
  out += line("lacks", joined(list_at(item, "lacks")));
  if (const std::string rewrite = text_at(item, "rewrite"); !rewrite.empty()) {
    out += std::string(kIndent) + "rewrite:\n" + indented(rewrite, "     ");
  }
  return out;
}

std::string validation_head(const Json& body) {
  const Json& counts = body["counts"];
  std::string out =
      value_text(counts["accepted"]) + " accepted, " + value_text(counts["downgraded"]) + " downgraded, " +
      value_text(counts["refused"]) + " refused; figures: " + value_text(counts["figures_right"]) + " right, " +
      value_text(counts["figures_wrong"]) + " wrong, " + value_text(counts["figures_open"]) + " could not be checked\n";
  if (body.contains("left_out")) {
    // A longer answer than that has no room for more, whatever the limit.
    constexpr size_t kDefaultLimit = 20;
    const bool has_room = list_at(body, "items").size() <= kDefaultLimit;
    out += value_text(body["left_out"]) + " items are left out: pass `start` " + value_text(body["next_start"]) +
           " for the next of them" + (has_room ? ", or a larger `limit`\n" : "\n");
  }
  std::string open;
  for (const Json& figure : list_at(body, "figures")) {
    if (figure["ok"].is_null()) open += (open.empty() ? "" : "; ") + text_at(figure, "text");
    if (figure["ok"] != false) continue;
    out += "wrong figure: " + text_at(figure, "text") + ", measured " + value_text(figure["measured"]);
    std::string what = text_at(figure, "what");
    if (const std::string where = text_at(figure, "where"); !where.empty()) what += (what.empty() ? "" : "; ") + where;
    if (!what.empty()) out += " (" + what + ")";
    out += "\n";
  }
  if (!open.empty()) {
    out += "not checked, since the sentence names nothing that is measured, or leaves open what: " + open + "\n";
  }
  return out;
}

}  // namespace stepwise::engine
