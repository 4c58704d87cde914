// What each metric means, out of the page that people read: docs/metrics.md, by the names of skills/metrics.json.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stepwise::mcp {

class MetricPages {
 public:
  struct Section {
    std::string heading;
    std::vector<std::string> blocks;  // what blank lines divide: paragraphs, lists, tables
  };

  /// Empty where a file is missing or is not what it should be.
  static MetricPages load(const std::filesystem::path& skills_dir, const std::filesystem::path& docs_dir);
  /// `names`: the text of skills/metrics.json; `page`: that of docs/metrics.md.
  static MetricPages parse(std::string_view names, std::string_view page);

  bool empty() const { return metrics_.empty(); }
  std::vector<std::string> names() const;
  /// Markdown: all names by area, with kinds.
  std::string list() const;
  /// Markdown: the rows that define it, else the section that speaks of it, cut at a block. nullopt: no such metric.
  std::optional<std::string> page(const std::string& name) const;

 private:
  struct Metric {
    std::string kind;
    bool is_reserved = false;  // rules may ask for it; no analysis gives it yet
  };
  std::map<std::string, Metric> metrics_;
  std::vector<Section> sections_;
};

}  // namespace stepwise::mcp
