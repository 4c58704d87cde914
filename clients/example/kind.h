// What runs an example can be of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stepwise::example {

enum class ExampleKind : uint8_t { recsys_train, recsys_infer, llm_train };

std::optional<ExampleKind> kind_named(std::string_view name);
/// All names, for whoever has to choose: "recsys-train, recsys-infer, llm-train".
std::string kind_names();

}  // namespace stepwise::example
