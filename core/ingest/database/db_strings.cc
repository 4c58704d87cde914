#include "core/ingest/database/db_strings.h"

#include "core/base/text.h"

namespace stepwise::ingest {

DbStrings::DbStrings(Database& database, const std::string& file, IngestContext& context) {
  DbRows rows(database, "STRING_IDS", {required("id"), required("value")}, file, context);
  uint64_t repaired = 0;
  while (rows.next()) {
    const auto id = rows.integer(0);
    if (!id) {
      rows.leave_out("has no number");
      continue;
    }
    const std::string_view value = rows.text(1).value_or("");
    const bool is_valid = is_valid_utf8(value);
    by_id_.emplace(*id, is_valid ? std::string(value) : to_valid_utf8(value));
    if (!is_valid) ++repaired;
  }
  context.diagnostics.count(Diag::text_not_utf8, file, std::nullopt, repaired);
}

std::optional<std::string_view> DbStrings::find(std::optional<int64_t> id) const {
  if (!id) return std::nullopt;
  const auto it = by_id_.find(*id);
  return it == by_id_.end() ? std::nullopt : std::optional<std::string_view>(it->second);
}

std::optional<std::string_view> DbStrings::known(std::optional<int64_t> id) const {
  const auto text = find(id);
  return !text || text->empty() || *text == "N/A" ? std::nullopt : text;
}

}  // namespace stepwise::ingest
