#include "core/advice/fusion_pass.h"

#include <algorithm>
#include <cctype>

#include "core/advice/entry_reader.h"
#include "core/advice/knowledge_file.h"
#include "core/advice/words.h"
#include "core/base/text.h"

namespace stepwise::advice {
namespace {

constexpr std::array<std::pair<const char*, PassKind>, 5> kKinds{{{"example", PassKind::example},
                                                                  {"graph", PassKind::graph},
                                                                  {"ub", PassKind::ub},
                                                                  {"operator", PassKind::in_operator},
                                                                  {"fx", PassKind::fx}}};
constexpr std::array<std::pair<const char*, PassShape>, 3> kShapes{
    {{"static", PassShape::fixed}, {"dynamic", PassShape::dynamic}, {"any", PassShape::any}}};

bool is_op_type(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

/// "MatMul|BatchMatMul": any of them. Empty, and a fault: one is no op type.
std::vector<std::string> alternatives_from(Entry& entry, const std::string& at, const std::string& step) {
  std::vector<std::string> out;
  for (size_t from = 0; from <= step.size();) {
    const size_t to = std::min(step.find('|', from), step.size());
    out.push_back(step.substr(from, to - from));
    if (!is_op_type(out.back())) entry.fault(at, "\"" + step + "\" is no op type, nor several with | between them.");
    from = to + 1;
  }
  return out;
}

void read_chains(Entry& entry, FusionPass& out) {
  const Json* chains = entry.member("chains");
  if (chains == nullptr) return;
  if (!chains->is_array() || chains->empty()) return entry.fault("/chains", "must be a list of chains.");
  for (size_t i = 0; i < chains->size(); ++i) {
    const std::string at = "/chains/" + std::to_string(i);
    const Json& chain = (*chains)[i];
    if (!chain.is_array() || chain.empty()) return entry.fault(at, "must be a list of op types.");
    OpChain steps;
    for (const Json& step : chain) {
      if (!step.is_string()) return entry.fault(at, "must be a list of op types.");
      steps.push_back(alternatives_from(entry, at, step.get<std::string>()));
    }
    out.chains.push_back(std::move(steps));
  }
}

PassConstraints constraints_from(Entry& entry) {
  PassConstraints out;
  entry.texts("dtype", out.dtype, kDtypes);
  entry.text("dtype_says", out.dtype_says);
  entry.word("shape", kShapes, out.shape, false);
  entry.text("shape_says", out.shape_says);
  entry.texts("hardware", out.hardware, kHardware);
  entry.text("hardware_says", out.hardware_says);
  entry.texts("other", out.other);
  return out;
}

using IsVerified = std::function<bool(const std::string&)>;

/// null and left out differ: what is not known is said.
void read_switches(Entry& entry, const IsVerified& is_verified, FusionPass& out) {
  const Json* off = entry.member("can_be_switched_off");
  if (off == nullptr || !(off->is_boolean() || off->is_null())) {
    entry.fault("/can_be_switched_off", "must be true, false, or null where no source says.");
  } else if (off->is_boolean()) {
    out.can_be_switched_off = off->get<bool>();
  }
  const Json* enable = entry.member("how_to_enable");
  if (enable == nullptr) return entry.fault("", "lacks how_to_enable; null: no way is known.");
  if (enable->is_null()) return;
  entry.object("how_to_enable", [&](Entry& one) {
    HowToEnable how;
    one.text("says", how.says, true);
    one.texts("parameters", how.parameters);
    for (const std::string& id : how.parameters) {
      if (!is_verified(id)) one.fault("/parameters", "There is no verified entry \"" + id + "\".");
    }
    out.how_to_enable = std::move(how);
  });
}

FusionPass pass_from_json(const Json& json, const std::string& where, const IsVerified& is_verified,
                          std::vector<Error>& faults) {
  Entry entry(json, where, faults);
  FusionPass out;
  if (!json.is_object()) return out;
  entry.text("id", out.id, true);
  entry.text("name", out.name, true);
  entry.word("kind", kKinds, out.kind, true);
  entry.text("pattern", out.pattern, true);
  read_chains(entry, out);
  entry.text("replacement", out.replacement, true);
  entry.object("constraints", [&out](Entry& one) { out.constraints = constraints_from(one); });
  entry.texts("modes", out.modes, kModes);
  entry.texts("toolchains", out.toolchains, kToolchains);
  entry.texts("scenarios", out.scenarios, kScenarios);
  entry.text("stage", out.stage);
  read_switches(entry, is_verified, out);
  entry.word("confidence", kConfidences, out.confidence, true);
  entry.objects("sources", [&out](Entry& one) { out.sources.push_back(read_source(one, false)); });
  entry.text("notes", out.notes);
  entry.refuse_others();
  if (out.modes.empty()) entry.fault("", "lacks modes.");
  if (out.sources.empty()) entry.fault("", "lacks sources.");
  return out;
}

}  // namespace

const char* to_string(PassKind kind) {
  return std::find_if(kKinds.begin(), kKinds.end(), [&](const auto& one) { return one.second == kind; })->first;
}
const char* to_string(PassShape shape) {
  for (const auto& [name, one] : kShapes) {
    if (one == shape) return name;
  }
  return "not_stated";
}

FusionPasses FusionPasses::load(const std::vector<std::filesystem::path>& directories, const IsVerified& is_verified,
                                std::vector<Error>& faults) {
  FusionPasses out;
  const auto read = [&is_verified](const Json& json, const std::string& where, std::vector<Error>& told) {
    return pass_from_json(json, where, is_verified, told);
  };
  out.passes_ = read_all<FusionPass>(directories, kFile, faults, read, [](const FusionPass& one) { return one.id; });
  for (size_t i = 0; i < out.passes_.size(); ++i) {
    out.by_id_.emplace(out.passes_[i].id, i);
    out.by_lower_name_.emplace(to_lower(out.passes_[i].name), i);
  }
  return out;
}

const FusionPass* FusionPasses::find(std::string_view id) const {
  const auto it = by_id_.find(id);
  return it == by_id_.end() ? nullptr : &passes_[it->second];
}

const FusionPass* FusionPasses::named(std::string_view name) const {
  const auto it = by_lower_name_.find(to_lower(name));
  return it == by_lower_name_.end() ? nullptr : &passes_[it->second];
}

}  // namespace stepwise::advice
