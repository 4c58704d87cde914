#include "core/advice/links.h"

#include <algorithm>

#include "core/advice/entry_reader.h"
#include "core/advice/knowledge_file.h"
#include "core/base/text.h"

namespace stepwise::advice {
namespace {

Link link_from_json(const Json& json, const std::string& where, std::vector<Error>& faults) {
  Entry entry(json, where, faults);
  Link out;
  if (!json.is_object()) return out;
  std::string kind;
  entry.text("name", out.name, true);
  entry.text("subject", out.subject, true);
  entry.text("kind", kind, true);
  entry.text("address", out.address);
  entry.text("repository", out.repository);
  entry.text("path", out.path);
  entry.boolean("opened", out.is_opened, true);
  entry.refuse_others();
  out.is_code = kind == "code_repository";
  if (!out.is_code && kind != "official_doc") entry.fault("/kind", "must be code_repository or official_doc.");
  if (out.name.find_first_of("[]") != out.name.npos)
    entry.fault("/name", "must hold no brackets: it is cited in them.");
  if (out.address.empty() == out.repository.empty()) entry.fault("", "must have an address or a repository.");
  if (out.repository.empty() != out.path.empty()) entry.fault("", "must have a path if and only if a repository.");
  if (!out.address.empty() && !out.address.starts_with("https://"))
    entry.fault("/address", "must begin with https://.");
  return out;
}

}  // namespace

Links Links::load(const std::vector<std::filesystem::path>& directories, std::vector<Error>& faults) {
  Links out;
  out.links_ =
      read_all<Link>(directories, kFile, faults, link_from_json, [](const Link& one) { return to_lower(one.name); });
  for (size_t i = 0; i < out.links_.size(); ++i) out.by_lower_name_.emplace(to_lower(out.links_[i].name), i);
  return out;
}

const Link* Links::find(std::string_view name) const {
  const auto it = by_lower_name_.find(to_lower(name));
  return it == by_lower_name_.end() ? nullptr : &links_[it->second];
}

bool Links::holds_address(std::string_view address) const {
  return std::any_of(links_.begin(), links_.end(), [&](const Link& one) {
    return !one.address.empty() &&
           (address == one.address || (one.address.ends_with('/') && address.starts_with(one.address)));
  });
}

}  // namespace stepwise::advice
