// What lies in a directory and cannot be opened: for the message when nothing can.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/ingest/discovery/foreign.h"

namespace stepwise::ingest {

class Findings {
 public:
  void add(Foreign foreign, const std::string& path) { by_kind_[static_cast<size_t>(foreign)].push_back(path); }
  void add_broken(const std::string& path, const std::string& why) { broken_.push_back(path + " (" + why + ")"); }

  /// " Found: ... Not usable: ..."; "": nothing that is known.
  std::string text() const;
  /// What the user can do about it today.
  std::string remedies() const;

 private:
  std::array<std::vector<std::string>, static_cast<size_t>(Foreign::count_)> by_kind_;
  std::vector<std::string> broken_;
};

}  // namespace stepwise::ingest
