// What looking around a profile lost or guessed, counted by kind.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/ingest/discovery/layout.h"

namespace stepwise::ingest {

class Remarks {
 public:
  /// what: a sentence about all of the kind; the first places are named after it.
  void add(const char* code, const char* what, const std::string& place) {
    Counted& counted = by_code_[code];
    if (counted.count++ == 0) counted.what = what;
    if (counted.count <= kNamed) counted.first += (counted.count == 1 ? "" : ", ") + place;
  }
  std::vector<LayoutRemark> list() const {
    std::vector<LayoutRemark> all;
    for (const auto& [code, one] : by_code_) {
      const std::string times = one.count == 1 ? "" : " (" + std::to_string(one.count) + " of them)";
      all.push_back({code, one.what + times + " First: " + one.first + "."});
    }
    return all;
  }

 private:
  static constexpr size_t kNamed = 8;
  struct Counted {
    size_t count = 0;
    std::string what, first;
  };
  std::map<std::string, Counted> by_code_;
};

/// An export is left out though it holds more than the later one that is read.
inline void tell_larger_export(Remarks& remarks, const std::string& place) {
  remarks.add("profile.larger_export",
              "Later exports of the same run are read, though earlier ones hold more: figures are of the later ones "
              "alone. Move those out of the run to read the earlier ones.",
              place);
}

}  // namespace stepwise::ingest
