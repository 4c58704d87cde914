#include "clients/example/kind.h"

#include <array>
#include <cstddef>

namespace stepwise::example {
namespace {

// In the order of the enumerators.
constexpr std::array<std::string_view, 3> kKinds{"recsys-train", "recsys-infer", "llm-train"};
constexpr std::array<std::string_view, 3> kExports{"text", "db", "both"};

template <class Enum>
std::optional<Enum> named(const std::array<std::string_view, 3>& names, std::string_view name) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

std::string listed(const std::array<std::string_view, 3>& names) {
  std::string text;
  for (std::string_view name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

}  // namespace

std::optional<ExampleKind> kind_named(std::string_view name) { return named<ExampleKind>(kKinds, name); }
std::optional<Export> export_named(std::string_view name) { return named<Export>(kExports, name); }
std::string kind_names() { return listed(kKinds); }
std::string export_names() { return listed(kExports); }

}  // namespace stepwise::example
