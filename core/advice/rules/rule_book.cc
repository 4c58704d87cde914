#include "core/advice/rules/rule_book.h"

#include <algorithm>
#include <array>

#include "core/advice/rules/check.h"
#include "core/advice/rules/fields.h"
#include "core/advice/rules/rule_json.h"
#include "core/base/small_file.h"

namespace stepwise::advice {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxFileBytes = 8u << 20;

void tell(std::vector<Error>& faults, std::string what, std::string where) {
  faults.push_back({ErrorKind::bad_data, "rules.file", std::move(what), "", std::move(where)});
}

/// A list of objects; of nothing, and a fault, if it is none.
Json read_list(const fs::path& file, std::vector<Error>& faults) {
  const auto text = read_small_file(file, kMaxFileBytes);
  if (!text) {
    tell(faults, "The file cannot be read, is no regular file or is larger than 8 MiB.", file.string());
    return Json::array();
  }
  auto json = parse_json(*text);
  if (!json.ok()) {
    tell(faults, json.error().message, file.string() + json.error().where);
    return Json::array();
  }
  if (json.value().is_array()) return std::move(json).value();
  tell(faults, "It must be a list.", file.string());
  return Json::array();
}

/// Sorted by name, so that every machine reads them in the same order.
std::vector<fs::path> data_files(const fs::path& directory) {
  std::vector<fs::path> files;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(directory, none)) {
    if (entry.path().extension() == ".json" && entry.path().filename() != "schema.json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

class RuleLoader {
 public:
  RuleLoader(RuleBook& book, std::vector<Error>& faults) : book_(book), faults_(faults) {}

  void read(const fs::path& directory) {
    const fs::path names = directory / "metrics.json";
    std::error_code none;
    if (fs::exists(names, none)) read_metrics(names);
    for (const fs::path& file : data_files(directory / "rules")) {
      read_entries(file, rules_, rule_from_json);
    }
    for (const fs::path& file : data_files(directory / "measures")) {
      read_entries(file, measures_, measure_from_json);
    }
  }

  /// Only now is everything known that they may speak of. A measure whose rules all fell is unreachable.
  void check() {
    for (auto& [where, rule] : rules_) {
      const size_t before = faults_.size();
      check_rule(rule, book_, where, faults_);
      if (faults_.size() == before) book_.rules_.push_back(std::move(rule));
    }
    std::set<std::string, std::less<>> ids;
    for (const auto& [where, measure] : measures_) ids.insert(measure.id);
    for (auto& [where, measure] : measures_) {
      const size_t before = faults_.size();
      check_measure(measure, book_, ids, where, faults_);
      if (faults_.size() == before) book_.measures_.push_back(std::move(measure));
    }
  }

 private:
  template <class T>
  using Placed = std::vector<std::pair<std::string, T>>;

  template <class T, class Read>
  void read_entries(const fs::path& file, Placed<T>& into, Read read) {
    const Json list = read_list(file, faults_);
    for (size_t i = 0; i < list.size(); ++i) {
      const std::string where = file.string() + "#/" + std::to_string(i);
      const size_t before = faults_.size();
      T one = read(list[i], where, faults_);
      if (faults_.size() > before) continue;
      const bool is_there =
          std::any_of(into.begin(), into.end(), [&](const auto& old) { return old.second.id == one.id; });
      if (is_there) {
        override_fault(one.id, where);
      } else {
        into.emplace_back(where, std::move(one));
      }
    }
  }

  void read_metrics(const fs::path& file) {
    constexpr std::array<std::pair<const char*, MetricName::Kind>, 3> kKinds{{{"number", MetricName::Kind::number},
                                                                              {"boolean", MetricName::Kind::boolean},
                                                                              {"text", MetricName::Kind::text}}};
    const Json list = read_list(file, faults_);
    for (size_t i = 0; i < list.size(); ++i) {
      const std::string where = file.string() + "#/" + std::to_string(i);
      const size_t before = faults_.size();
      Fields fields(list[i], where, faults_);
      std::string name;
      MetricName metric;
      fields.text("name", name, true);
      fields.word("kind", kKinds, metric.kind, true);
      fields.boolean("reserved", metric.is_reserved);
      fields.refuse_others();
      if (faults_.size() > before) continue;
      if (!book_.metrics_.emplace(name, metric).second) override_fault(name, where);
    }
  }

  void override_fault(const std::string& id, const std::string& where) {
    faults_.push_back({ErrorKind::bad_data, "rules.override",
                       "\"" + id + "\" is there already; what is there is added to, never overridden.", "", where});
  }

  RuleBook& book_;
  std::vector<Error>& faults_;
  Placed<Rule> rules_;
  Placed<Measure> measures_;
};

std::shared_ptr<const RuleBook> RuleBook::load(const std::vector<fs::path>& directories,
                                               std::shared_ptr<const Knowledge> knowledge, std::vector<Error>& faults) {
  auto book = std::make_shared<RuleBook>();
  book->knowledge_ = std::move(knowledge);
  RuleLoader loader(*book, faults);
  for (const fs::path& directory : directories) loader.read(directory);
  loader.check();
  return book;
}

const Rule* RuleBook::rule(std::string_view id) const {
  const auto it = std::find_if(rules_.begin(), rules_.end(), [&](const Rule& one) { return one.id == id; });
  return it == rules_.end() ? nullptr : &*it;
}

const Measure* RuleBook::measure(std::string_view id) const {
  const auto it = std::find_if(measures_.begin(), measures_.end(), [&](const Measure& one) { return one.id == id; });
  return it == measures_.end() ? nullptr : &*it;
}

}  // namespace stepwise::advice
