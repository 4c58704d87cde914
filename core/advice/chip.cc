#include "core/advice/chip.h"

#include "core/advice/entry_reader.h"
#include "core/advice/knowledge_file.h"
#include "core/advice/words.h"
#include "core/base/text.h"

namespace stepwise::advice {
namespace {

constexpr std::string_view kVendors[] = {"huawei", "nvidia", "amd"};
constexpr std::string_view kLinks[] = {"in_node", "nvlink", "infinity_fabric", "pcie", "hccs", "roce"};

bool is_one_of(Words words, const std::string& text) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

ChipFigure figure_from(Entry& entry) {
  ChipFigure out;
  const Json* value = entry.member("value");
  if (value == nullptr || !value->is_number() || value->get<double>() <= 0) {
    entry.fault("/value", "must be a number above 0; what is not known is left out.");
  } else {
    out.value = value->get<double>();
  }
  entry.word("confidence", kConfidences, out.confidence, true);
  if (entry.member("source") == nullptr) entry.fault("", "lacks source.");
  entry.object("source", [&out](Entry& one) { out.source = read_source(one, true); });
  return out;
}

void read_figure(Entry& entry, const char* name, std::optional<ChipFigure>& out) {
  entry.object(name, [&out](Entry& one) { out = figure_from(one); });
}

void read_figures(Entry& entry, const char* name, Words words, std::map<std::string, ChipFigure, std::less<>>& out) {
  entry.object(name, [&](Entry& group) {
    for (const auto& [key, value] : group.json().items()) {
      if (!is_one_of(words, key)) continue;  // nobody asks for it, so it is told as a field that is none
      group.object(key.c_str(), [&, name_of = key](Entry& one) { out.emplace(name_of, figure_from(one)); });
    }
  });
}

Chip chip_from_json(const Json& json, const std::string& where, std::vector<Error>& faults) {
  Entry entry(json, where, faults);
  Chip out;
  if (!json.is_object()) return out;
  entry.text("id", out.id, true);
  entry.text("name", out.name, true);
  entry.text("vendor", out.vendor, true);
  entry.text("hardware", out.hardware, true);
  entry.texts("aliases", out.aliases);
  entry.object("cores", [&out](Entry& one) {
    read_figure(one, "cube", out.cube_cores);
    read_figure(one, "vector", out.vector_cores);
    read_figure(one, "multiprocessor", out.multiprocessors);
  });
  read_figure(entry, "memory_bytes", out.memory_bytes);
  read_figure(entry, "memory_bandwidth_bytes_per_s", out.memory_bandwidth_bytes_per_s);
  read_figures(entry, "peak_flops", kDtypes, out.peak_flops);
  read_figures(entry, "links", kLinks, out.links);
  entry.text("notes", out.notes);
  entry.refuse_others();
  if (!is_one_of(kVendors, out.vendor)) entry.fault("/vendor", "\"" + out.vendor + "\" is not one of its words.");
  if (!is_one_of(kHardware, out.hardware))
    entry.fault("/hardware", "\"" + out.hardware + "\" is not one of its words.");
  return out;
}

std::vector<std::string> lower_names(const Chip& chip) {
  std::vector<std::string> names = {to_lower(chip.id), to_lower(chip.name)};
  for (const std::string& alias : chip.aliases) names.push_back(to_lower(alias));
  return names;
}

}  // namespace

Chips Chips::load(const std::vector<std::filesystem::path>& directories, std::vector<Error>& faults) {
  Chips out;
  each_entry(directories, kFile, faults, [&](const Json& json, const std::string& where) {
    const size_t before = faults.size();
    Chip one = chip_from_json(json, where, faults);
    if (faults.size() > before) return;
    const std::vector<std::string> names = lower_names(one);
    for (const std::string& name : names) {
      if (out.by_lower_name_.contains(name)) return faults.push_back(override_fault(name, where));
    }
    for (const std::string& name : names) out.by_lower_name_.emplace(name, out.chips_.size());
    out.chips_.push_back(std::move(one));
  });
  return out;
}

const Chip* Chips::find(std::string_view name) const {
  const auto it = by_lower_name_.find(to_lower(trim(name)));
  return it == by_lower_name_.end() ? nullptr : &chips_[it->second];
}

}  // namespace stepwise::advice
