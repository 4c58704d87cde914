#include "core/advice/knowledge.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/advice/knowledge_file.h"
#include "core/advice/parameter_json.h"
#include "core/advice/plain_letters.h"
#include "core/advice/topic_words.h"
#include "core/base/text.h"

namespace stepwise::advice {
namespace {

namespace fs = std::filesystem;

constexpr const char* kParameters = "parameters.json";
constexpr std::array kFiles = {kParameters, FusionPasses::kFile, Links::kFile, Chips::kFile};

/// Of core/advice/rules, which may stand alone in a directory.
constexpr std::array kRules = {"rules", "measures", "metrics.json"};

/// A directory that holds none of the files, nor rules, is named by mistake.
void tell_empty(const std::vector<fs::path>& directories, std::vector<Error>& faults) {
  for (const fs::path& directory : directories) {
    const auto is_there = [&](const char* name) {
      std::error_code gone;
      return fs::exists(fs::symlink_status(directory / name, gone));
    };
    if (std::any_of(kFiles.begin(), kFiles.end(), is_there)) continue;
    if (std::any_of(kRules.begin(), kRules.end(), is_there)) continue;
    std::string names;
    for (const char* name : kFiles) names += (names.empty() ? "" : ", ") + std::string(name);
    faults.push_back(
        {ErrorKind::bad_data, "knowledge.file", "The folder holds none of " + names + ".", "", directory.string()});
  }
}

}  // namespace

std::shared_ptr<const Knowledge> Knowledge::load(const std::vector<fs::path>& directories, std::vector<Error>& faults) {
  auto knowledge = std::make_shared<Knowledge>();
  tell_empty(directories, faults);
  std::vector<std::string> wheres;  // of each parameter, by position
  std::map<std::string, std::string> file_of_name;
  each_entry(directories, kParameters, faults, [&](const Json& json, const std::string& where) {
    const size_t before = faults.size();
    Parameter one = parameter_from_json(json, where, faults);
    if (faults.size() > before) return;
    if (knowledge->by_id_.contains(one.id)) return faults.push_back(override_fault(one.id, where));
    // Under another id it would override too: whoever asks for the name would get both.
    const std::string file = where.substr(0, where.find('#'));
    std::vector<std::string> names = one.aliases;
    names.push_back(one.name);
    const bool is_taken = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      const auto it = file_of_name.find(name);
      return it != file_of_name.end() && it->second != file;
    });
    if (is_taken) return faults.push_back(override_fault(one.name, where));
    for (const std::string& name : names) file_of_name.emplace(name, file);
    knowledge->add(std::move(one));
    wheres.push_back(where);
  });
  for (size_t i = 0; i < wheres.size(); ++i) {
    const Parameter& one = knowledge->parameters_[i];
    const auto must_be_there = [&](const std::string& id, const char* field) {
      if (knowledge->find(id) != nullptr) return;
      faults.push_back(
          {ErrorKind::bad_data, "knowledge.entry", "There is no entry \"" + id + "\".", "", wheres[i] + field});
    };
    for (const std::string& id : one.instead) must_be_there(id, "/instead");
    for (const Conflict& conflict : one.conflicts) must_be_there(conflict.with, "/conflicts");
  }
  knowledge->index();
  const auto is_verified = [&knowledge](const std::string& id) {
    const Parameter* one = knowledge->find(id);
    return one != nullptr && one->status == Status::verified;
  };
  knowledge->passes_ = FusionPasses::load(directories, is_verified, faults);
  knowledge->links_ = Links::load(directories, faults);
  knowledge->chips_ = Chips::load(directories, faults);
  return knowledge;
}

void Knowledge::add(Parameter parameter) {
  by_id_.emplace(parameter.id, parameters_.size());
  parameters_.push_back(std::move(parameter));
}

void Knowledge::index() {
  std::set<std::string> names;
  std::set<std::pair<std::string, size_t>> ids_of_last;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    std::vector<std::string> all = parameters_[i].aliases;
    all.push_back(parameters_[i].name);
    for (const std::string& name : all) {
      by_name_.emplace(name, i);
      by_plain_name_.emplace(to_lower(plain_letters(name)), i);
      names.insert(name);
      if (const size_t dot = name.rfind('.'); dot != name.npos && parameters_[i].kind != ParameterKind::claim) {
        ids_of_last.emplace(name.substr(dot + 1), i);
      }
    }
  }
  for (const auto& [last, i] : ids_of_last) {
    const auto [first, end] = std::pair(ids_of_last.lower_bound({last, 0}), ids_of_last.lower_bound({last + '\0', 0}));
    if (std::distance(first, end) > 1) by_shared_last_.emplace(last, i);
  }
  names_.assign(names.begin(), names.end());
}

const Parameter* Knowledge::find(std::string_view id) const {
  const auto it = by_id_.find(id);
  return it == by_id_.end() ? nullptr : &parameters_[it->second];
}

std::vector<const Parameter*> Knowledge::named(std::string_view name) const {
  std::vector<const Parameter*> found;
  const auto collect = [&](const auto& index, std::string_view key) {
    for (auto [at, end] = index.equal_range(key); at != end; ++at) found.push_back(&parameters_[at->second]);
  };
  collect(by_name_, name);
  if (found.empty()) collect(by_plain_name_, to_lower(plain_letters(name)));
  if (found.empty()) collect(by_shared_last_, name);
  return found;
}

std::vector<std::string> Knowledge::nearest(std::string_view written) const {
  return nearest_names(plain_letters(written), names_);
}

std::vector<const Parameter*> Knowledge::claims_in(std::string_view sentence) const {
  const std::string plain = plain_letters(sentence);
  std::vector<const Parameter*> found;
  for (const Parameter& one : parameters_) {
    if (one.claim && one.claim->is_made_in(plain)) found.push_back(&one);
  }
  return found;
}

std::vector<const Parameter*> Knowledge::about(std::string_view query) const {
  constexpr int kInName = 4, kInText = 1;
  struct Fit {
    size_t words = 0;  // of the query
    int score = 0;
    const Parameter* parameter = nullptr;
  };
  const std::set<std::string> wanted = topic_words(query);
  std::vector<Fit> fits;
  size_t most = 0;
  for (const Parameter& one : parameters_) {
    const std::string name = to_lower(one.id + " " + one.name), text = to_lower(one.effect + " " + one.notes);
    Fit fit{0, 0, &one};
    for (const std::string& word : wanted) {
      const bool in_name = name.find(word) != name.npos, in_text = text.find(word) != text.npos;
      fit.words += in_name || in_text ? 1 : 0;
      fit.score += in_name ? kInName : in_text ? kInText : 0;
    }
    most = std::max(most, fit.words);
    if (fit.words > 0) fits.push_back(fit);
  }
  std::stable_sort(fits.begin(), fits.end(), [](const Fit& a, const Fit& b) {
    return a.words != b.words ? a.words > b.words : a.score > b.score;
  });
  std::vector<const Parameter*> found;
  for (const Fit& one : fits) {
    if (2 * one.words >= most) found.push_back(one.parameter);
  }
  return found;
}

}  // namespace stepwise::advice
