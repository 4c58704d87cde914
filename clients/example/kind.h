// What runs an example can be of, and what they are exported as.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stepwise::example {

enum class ExampleKind : uint8_t { recsys_train, recsys_infer, llm_train };
enum class Export : uint8_t { text, db, both };

std::optional<ExampleKind> kind_named(std::string_view name);
std::optional<Export> export_named(std::string_view name);
/// All names, for whoever has to choose: "recsys-train, recsys-infer, llm-train".
std::string kind_names();
std::string export_names();

inline bool has_text(Export form) { return form != Export::db; }
inline bool has_db(Export form) { return form != Export::text; }

}  // namespace stepwise::example
