#include "core/ingest/discovery/findings.h"

#include <algorithm>

namespace stepwise::ingest {
namespace {

constexpr size_t kMaxNamesInError = 3;

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (size_t i = 0; i < std::min(names.size(), kMaxNamesInError); ++i) out += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kMaxNamesInError) out += ", ... " + std::to_string(names.size()) + " in all";
  return out;
}

}  // namespace

std::string Findings::text() const {
  std::string out;
  for (size_t i = 1; i < by_kind_.size(); ++i) {
    if (!by_kind_[i].empty()) {
      out += std::string(" Found: ") + info(static_cast<Foreign>(i)).what + " (" + listed(by_kind_[i]) + ").";
    }
  }
  if (!broken_.empty()) out += " Not usable: " + listed(broken_) + ".";
  return out;
}

std::string Findings::remedies() const {
  std::string out;
  for (size_t i = 1; i < by_kind_.size(); ++i) {
    const std::string remedy = info(static_cast<Foreign>(i)).remedy;
    if (!by_kind_[i].empty() && !remedy.empty()) out += remedy + " ";
  }
  return out;
}

}  // namespace stepwise::ingest
