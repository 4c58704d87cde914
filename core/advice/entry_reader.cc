#include "core/advice/entry_reader.h"

#include "core/advice/words.h"

namespace stepwise::advice {

Entry::Entry(const Json& json, std::string where, std::vector<Error>& faults, FaultKind kind)
    : json_(json), where_(std::move(where)), faults_(faults), kind_(kind) {
  if (!json.is_object()) fault("", "must be an object.");
}

void Entry::fault(const std::string& field, const std::string& what) {
  faults_.push_back({kind_.kind, kind_.code, what, "", where_ + field});
}

const Json* Entry::member(const char* name, bool needed) {
  asked_.push_back(name);
  const auto it = json_.find(name);
  if (it != json_.end()) return &*it;
  if (needed && json_.is_object()) fault(std::string("/") + name, "is missing.");
  return nullptr;
}

void Entry::text(const char* name, std::string& out, bool needed) {
  const Json* value = member(name, needed);
  if (value == nullptr) return;
  if (!value->is_string() || value->get_ref<const std::string&>().empty()) {
    return fault(std::string("/") + name, "must be a text that is not empty.");
  }
  out = value->get<std::string>();
}

void Entry::texts(const char* name, std::vector<std::string>& out, Words known) {
  const Json* value = member(name);
  if (value == nullptr) return;
  if (!value->is_array()) return fault(std::string("/") + name, "must be a list of texts.");
  for (const Json& one : *value) {
    if (!one.is_string()) return fault(std::string("/") + name, "must be a list of texts.");
    out.push_back(one.get<std::string>());
    if (!known.empty() && std::find(known.begin(), known.end(), out.back()) == known.end()) {
      fault(std::string("/") + name, "\"" + out.back() + "\" is not one of its words.");
    }
  }
}

void Entry::boolean(const char* name, bool& out, bool needed) {
  const Json* value = member(name, needed);
  if (value == nullptr) return;
  if (!value->is_boolean()) return fault(std::string("/") + name, "must be true or false.");
  out = value->get<bool>();
}

void Entry::refuse_others() {
  if (!json_.is_object()) return;
  for (const auto& [key, value] : json_.items()) {
    if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) fault("/" + key, "is no field of an entry.");
  }
}

Source read_source(Entry& entry, bool says_needed) {
  Source source;
  std::string kind;
  entry.text("kind", kind, true);
  source.is_code = kind == "code_repository";
  if (!source.is_code && kind != "official_doc") entry.fault("/kind", "must be code_repository or official_doc.");
  entry.text("ref", source.ref, true);
  entry.text("at", source.at, true);
  entry.text("commit", source.commit, source.is_code);
  entry.text("says", source.says, says_needed);
  return source;
}

const char* to_string(Confidence confidence) {
  for (const auto& [name, one] : kConfidences) {
    if (one == confidence) return name;
  }
  return "none";
}

Json to_json(const Source& source) {
  Json out = {
      {"source_kind", source.is_code ? "code_repository" : "official_doc"}, {"source", source.ref}, {"at", source.at}};
  if (!source.says.empty()) out["says"] = source.says;
  if (!source.commit.empty()) out["commit"] = source.commit;
  return out;
}

}  // namespace stepwise::advice
