// The arguments of a call: the tool's own, checked and with their defaults, and what the host adds to them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stepwise/value.hpp"

namespace stepwise::sdk {

/// What the host knows of the profile, and what its user declared where the profile cannot tell.
struct ProfileInfo {
  std::string id, kind, framework;   // kind: torch_npu, msprof, mindspore, kineto, graph_only
  std::optional<int64_t> origin_ns;  // what start_us counts from
  Value declare;                     // object: execution_mode, toolchain, chip, batch_size, instances...

  /// A declared number; a numeral given as text counts (command lines have nothing else).
  std::optional<double> declared_number(std::string_view key) const;
  std::optional<std::string> declared_text(std::string_view key) const;
};

class Args {
 public:
  explicit Args(Value object) : object_(std::move(object)) {}

  std::optional<int64_t> integer(std::string_view key) const { return object_[key].integer(); }
  std::optional<double> number(std::string_view key) const { return object_[key].number(); }
  std::optional<bool> boolean(std::string_view key) const { return object_[key].boolean(); }
  std::optional<std::string> text(std::string_view key) const { return object_[key].text(); }
  const Value& all() const { return object_; }

  /// The ranks that the call is about, as the host resolved them: one for a tool whose manifest says per rank.
  std::vector<uint32_t> ranks() const;
  /// Every rank of the profile: those whose tables a use with `"ranks": "all"` may be asked of.
  std::vector<uint32_t> all_ranks() const;
  ProfileInfo profile() const;

 private:
  Value object_;
};

}  // namespace stepwise::sdk
