#include "core/advice/knowledge_file.h"

#include <optional>

#include "core/base/small_file.h"

namespace stepwise::advice {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxFileBytes = 8u << 20;

Error file_fault(const std::string& where, const std::string& what) {
  return {ErrorKind::bad_data, "knowledge.file", what, "", where};
}

/// nullopt, and a fault: it cannot be read, or is no list.
std::optional<Json> read_list(const fs::path& file, std::vector<Error>& faults) {
  const auto text = read_small_file(file, kMaxFileBytes);
  if (!text) {
    faults.push_back(file_fault(file.string(), "The file cannot be read, is no regular file or is larger than 8 MiB."));
    return std::nullopt;
  }
  auto json = parse_json(*text);
  if (!json.ok()) {
    faults.push_back(file_fault(file.string() + json.error().where, json.error().message));
    return std::nullopt;
  }
  if (!json.value().is_array()) {
    faults.push_back(file_fault(file.string(), "It must be a list of entries."));
    return std::nullopt;
  }
  return std::move(json).value();
}

}  // namespace

void each_entry(const std::vector<fs::path>& directories, const char* file_name, std::vector<Error>& faults,
                const std::function<void(const Json&, const std::string&)>& use) {
  for (const fs::path& directory : directories) {
    const fs::path file = directory / file_name;
    std::error_code gone;
    if (!fs::exists(fs::symlink_status(file, gone))) continue;
    const auto list = read_list(file, faults);
    if (!list) continue;
    for (size_t i = 0; i < list->size(); ++i) use((*list)[i], file.string() + "#/" + std::to_string(i));
  }
}

Error override_fault(const std::string& name, const std::string& where) {
  return {ErrorKind::bad_data, "knowledge.override",
          "\"" + name + "\" is there already; what is known is added to, never overridden.", "", where};
}

}  // namespace stepwise::advice
