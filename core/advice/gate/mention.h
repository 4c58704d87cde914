// Finding what looks like a parameter in a text: environment variables, options, flags, keys of a configuration, calls
// of an API, with their values. Prose, paths, names of operators and ordinary model code are none.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/advice/gate/negation.h"
#include "core/advice/knowledge.h"

namespace stepwise::advice {

class KnownNames;

struct Mention {
  ParameterKind kind = ParameterKind::env;
  std::string name;                  // without quotes, look-alike letters and zero-width characters replaced
  std::optional<std::string> value;  // as written; of a call what stands between its brackets
  size_t offset = 0, length = 0;     // bytes of the text, of the name
  size_t value_end = 0;              // behind the value; without one, behind the name
  bool in_code = false;
  /// A known name without a value, beside which one seems to stand in a form that was not read (unclear_value.h).
  bool has_unclear_value = false;
  /// Whether its sentence says not to use it, or holds a word of negation.
  Negation negation = Negation::none;
};

/// Immutable; any thread. The knowledge must live as long.
class MentionFinder {
 public:
  explicit MentionFinder(const Knowledge& knowledge);
  ~MentionFinder();
  MentionFinder(const MentionFinder&) = delete;
  MentionFinder& operator=(const MentionFinder&) = delete;
  /// In the order of the text. Cost is linear in the text's length.
  std::vector<Mention> find(std::string_view text) const;
  /// `steps`: how many bytes were looked at, all passes together.
  std::vector<Mention> find(std::string_view text, size_t& steps) const;

 private:
  const Knowledge& knowledge_;
  std::unique_ptr<const KnownNames> names_;
};

}  // namespace stepwise::advice
