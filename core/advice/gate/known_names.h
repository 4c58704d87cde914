// The names of the knowledge base as they are written in texts. Internal to core/advice.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "core/advice/gate/carriers.h"
#include "core/advice/knowledge.h"

namespace stepwise::advice {

struct KnownName {
  std::string name;  // one that Knowledge::named() finds
  const Parameter* parameter = nullptr;
  /// A word of ordinary language or of model code: it is meant only where it gets a value.
  bool needs_value = false;
  /// The last part of a dotted name: in a call that is known it is a keyword of the call.
  bool is_last_part = false;
};

class KnownNames {
 public:
  explicit KnownNames(const Knowledge& knowledge);
  /// Without regard to case; nullptr: none.
  const KnownName* find(std::string_view written) const;
  const Carriers& carriers() const { return carriers_; }

 private:
  void add(std::string_view token, const std::string& name, const Parameter& parameter, bool is_last_part);

  std::unordered_map<std::string, KnownName> by_lower_;
  Carriers carriers_;
};

}  // namespace stepwise::advice
