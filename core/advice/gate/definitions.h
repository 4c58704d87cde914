// The variables that a text defines itself: X=9 of a shell, size = 50 of a program. Internal to core/advice/gate.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace stepwise::advice {

class Definitions {
 public:
  /// Linear in the text.
  explicit Definitions(std::string_view text);

  struct Value {
    std::optional<std::string> literal;  // nullopt: it is computed, or given twice
  };
  /// nullptr: the text does not define it.
  const Value* find(std::string_view name) const;

 private:
  void add(std::string_view name, std::string_view value);

  std::unordered_map<std::string, Value> values_;
};

/// "cores", "bucket_mb": a variable named so says what stands in it, so code that shows where a value goes has it.
bool names_quantity(std::string_view variable);

/// What a value of a shell stands for: `$X` of `X=9` is 9, `${X:-9}` of no X is 9. nullopt: nobody can tell. Itself, if
/// it is no variable.
std::optional<std::string> expanded(std::string_view value, const Definitions& definitions);

/// The arguments of a call with those that are variables of the text replaced by what they were given.
std::string with_defined_arguments(std::string_view arguments, const Definitions& definitions);

}  // namespace stepwise::advice
