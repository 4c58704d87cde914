#include "core/ingest/database/db_values.h"

#include "core/base/limits.h"
#include "core/base/text.h"

namespace stepwise::ingest {

std::optional<int64_t> duration_in(const DbRows& rows, size_t column, int scale) {
  const auto ns = rows.scaled(column, scale);
  return ns && *ns >= 0 && *ns <= limits::kMaxDurationNs ? ns : std::nullopt;
}

std::optional<int64_t> amount_in(const DbRows& rows, size_t column, int scale) {
  const auto value = rows.scaled(column, scale);
  return value && *value >= 0 && *value <= limits::kMaxCount ? value : std::nullopt;
}

std::optional<std::string> text_in(const DbRows& rows, size_t column) {
  const auto value = rows.text(column);
  return value && !value->empty() ? std::optional(to_valid_utf8(*value)) : std::nullopt;
}

bool read_db_step(std::optional<std::string_view> text, std::optional<int64_t>& step) {
  constexpr std::string_view kStep = "step";
  if (!text || !text->starts_with(kStep)) return false;
  step = to_integer(text->substr(kStep.size()));
  return step || text->size() == kStep.size();
}

}  // namespace stepwise::ingest
