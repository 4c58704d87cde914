// The library of fusion passes: what replaces what, under which conditions, and how it is switched. Read once,
// immutable; any thread.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/advice/source.h"
#include "core/base/error.h"

namespace stepwise::advice {

enum class PassKind : uint8_t {
  example,      // of a pass to build and to register
  graph,        // of GE, documented
  ub,           // of GE, in the unified buffer, documented
  in_operator,  // shipped with an operator of GE; known from its source
  fx,           // on the FX graph, before a backend
};
const char* to_string(PassKind kind);

enum class PassShape : uint8_t { not_stated, fixed, dynamic, any };
const char* to_string(PassShape shape);

/// Op types in order along the data, each step any of several. Of kind fx they are functions of the FX graph, else op
/// types of GE.
using OpChain = std::vector<std::vector<std::string>>;

/// Empty: not stated, which is no promise.
struct PassConstraints {
  std::vector<std::string> dtype;  // of the inputs that are replaced
  PassShape shape = PassShape::not_stated;
  std::vector<std::string> hardware;
  std::string dtype_says, shape_says, hardware_says;
  std::vector<std::string> other;  // in words
};

struct HowToEnable {
  std::string says;
  std::vector<std::string> parameters;  // ids of verified entries; empty: nothing to set
};

struct FusionPass {
  std::string id, name;
  PassKind kind = PassKind::graph;
  std::string pattern;
  /// Any of them must be there for the pass to fit; empty: the pattern is known in words only.
  std::vector<OpChain> chains;
  std::string replacement;
  PassConstraints constraints;
  std::vector<std::string> modes, toolchains, scenarios;  // scenarios empty: both
  std::string stage, notes;
  std::optional<bool> can_be_switched_off;  // nullopt: no source says
  std::optional<HowToEnable> how_to_enable;
  Confidence confidence = Confidence::none;
  std::vector<Source> sources;
};

class FusionPasses {
 public:
  static constexpr const char* kFile = "fusion_passes.json";

  FusionPasses() = default;
  /// As Knowledge::load says, of fusion_passes.json. is_verified: whether there is a verified parameter of that id.
  static FusionPasses load(const std::vector<std::filesystem::path>& directories,
                           const std::function<bool(const std::string&)>& is_verified, std::vector<Error>& faults);

  const std::vector<FusionPass>& all() const { return passes_; }
  /// nullptr: none.
  const FusionPass* find(std::string_view id) const;
  /// Of that name, without regard to case: built-in ones are named so in a fusion switch file.
  const FusionPass* named(std::string_view name) const;

 private:
  std::vector<FusionPass> passes_;
  std::map<std::string, size_t, std::less<>> by_id_, by_lower_name_;
};

}  // namespace stepwise::advice
