#include "protocol/mcp/own_metrics.h"

#include <algorithm>

#include "core/base/json.h"
#include "core/base/small_file.h"
#include "core/base/text.h"
#include "protocol/mcp/own_limits.h"

namespace stepwise::mcp {
namespace {

namespace fs = std::filesystem;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::vector<MetricPages::Section> sections_of(std::string_view page) {
  constexpr std::string_view kHeading = "## ";
  std::vector<MetricPages::Section> sections;
  bool in_block = false;
  for (const std::string_view line : lines_of(page)) {
    if (line.starts_with(kHeading)) sections.push_back({std::string(line.substr(kHeading.size())), {}});
    const bool is_text = !trim(line).empty() && !line.starts_with(kHeading);
    if (is_text && !sections.empty()) {
      auto& blocks = sections.back().blocks;
      if (!in_block) blocks.emplace_back();
      (blocks.back() += line) += '\n';
    }
    in_block = is_text;
  }
  return sections;
}

/// Whether the name stands there as `name`, or in a family as `area.<any>_ratio`.
bool mentions(std::string_view text, std::string_view name) {
  if (text.find("`" + std::string(name) + "`") != std::string_view::npos) return true;
  for (size_t open = text.find(".<"); open != std::string_view::npos; open = text.find(".<", open + 1)) {
    const size_t quote = text.rfind('`', open), close = text.find('>', open), end = text.find('`', open);
    if (quote == std::string_view::npos || end == std::string_view::npos || close > end) continue;
    const std::string_view before = text.substr(quote + 1, open - quote),
                           after = text.substr(close + 1, end - close - 1);
    if (name.size() > before.size() + after.size() && name.starts_with(before) && name.ends_with(after)) return true;
  }
  return false;
}

/// The table's head, and the rows whose first cell has the name; "": none has.
std::string rows_that_define(std::string_view block, std::string_view name) {
  constexpr size_t kHeadLines = 2;
  const auto lines = lines_of(block);
  if (lines.size() <= kHeadLines || !lines.front().starts_with('|')) return "";
  std::string head, rows;
  for (size_t line = 0; line < lines.size(); ++line) {
    const std::string_view first_cell = lines[line].substr(0, lines[line].find('|', 1));
    if (line < kHeadLines) {
      (head += lines[line]) += '\n';
    } else if (mentions(first_cell, name)) {
      (rows += lines[line]) += '\n';
    }
  }
  return rows.empty() ? "" : head + rows;
}

/// What one would read of the section, as much of it as there is room for.
std::string whole_section(const MetricPages::Section& section) {
  std::string out;
  for (const std::string& block : section.blocks) {
    if (out.size() + block.size() > kResourceTextChars) return out + "\n(More of it: docs/metrics.md.)\n";
    out += "\n" + block;
  }
  return out;
}

/// ", us": a name's ending says the unit; "": it is a ratio, a count, or no number.
std::string unit_of(std::string_view name) {
  for (const std::string_view unit : {"us", "ns", "bytes", "gb_s"}) {
    const size_t before = name.size() - std::min(name.size(), unit.size() + 1);
    if (name.ends_with(unit) && before > 0 && name[before] == '_') return ", " + std::string(unit);
  }
  return "";
}

}  // namespace

MetricPages MetricPages::load(const fs::path& skills_dir, const fs::path& docs_dir) {
  const auto names = read_small_file(skills_dir / "metrics.json", kCatalogFileBytes);
  const auto page = read_small_file(docs_dir / "metrics.md", kCatalogFileBytes);
  if (!names || !page) return {};
  return parse(*names, *page);
}

MetricPages MetricPages::parse(std::string_view names, std::string_view page) {
  MetricPages made;
  const auto list = parse_json(names);
  if (!list.ok() || !list.value().is_array()) return made;
  for (const Json& one : list.value()) {
    if (!one.is_object() || !one.contains("name") || !one["name"].is_string()) continue;
    made.metrics_[one["name"]] = {one.value("kind", ""), one.value("reserved", false)};
  }
  made.sections_ = sections_of(page);
  return made;
}

std::vector<std::string> MetricPages::names() const {
  std::vector<std::string> names;
  for (const auto& [name, metric] : metrics_) names.push_back(name);
  return names;
}

std::string MetricPages::list() const {
  std::string out = "# Metrics\n\nWhat one means: stepwise://metrics/NAME. Figures stand in `metrics` of answers.\n";
  std::string area, reserved;
  for (const auto& [name, metric] : metrics_) {
    if (metric.is_reserved) {
      reserved += (reserved.empty() ? "" : ", ") + name;
      continue;
    }
    const std::string its_area = name.substr(0, name.find('.'));
    if (its_area != area) out += "\n## " + its_area + "\n\n";
    area = its_area;
    out += "- " + name + " (" + metric.kind + unit_of(name) + ")\n";
  }
  if (!reserved.empty()) out += "\n## Not given by any analysis yet\n\n" + reserved + "\n";
  return out;
}

std::optional<std::string> MetricPages::page(const std::string& name) const {
  const auto metric = metrics_.find(name);
  if (metric == metrics_.end()) return std::nullopt;
  std::string out = "# " + name + "\n\nKind: " + metric->second.kind + unit_of(name) + ".\n";
  if (metric->second.is_reserved) return out + "\nRules may ask for it; no analysis gives it yet.\n";

  bool is_defined = false;
  for (const Section& section : sections_) {
    std::string rows;
    for (const std::string& block : section.blocks) rows += rows_that_define(block, name);
    if (!rows.empty()) out += "\n## " + section.heading + "\n\n" + rows;
    is_defined = is_defined || !rows.empty();
  }
  for (const Section& section : sections_) {
    if (is_defined) break;
    for (const std::string& block : section.blocks) is_defined = is_defined || mentions(block, name);
    if (is_defined) out += "\n## " + section.heading + "\n" + whole_section(section);
  }
  return out;
}

}  // namespace stepwise::mcp
