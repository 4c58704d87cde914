// STRING_IDS: nearly every text of a profiler's database stands there once, and rows have its number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/ingest/database/db_file.h"

namespace stepwise::ingest {

class DbStrings {
 public:
  /// Bytes that are no UTF-8 are replaced and counted.
  DbStrings(Database& database, const std::string& file, IngestContext& context);

  /// nullopt: no such number, or none.
  std::optional<std::string_view> find(std::optional<int64_t> id) const;
  /// The same, with the exporters' words for "does not apply" as nullopt.
  std::optional<std::string_view> known(std::optional<int64_t> id) const;

 private:
  std::unordered_map<int64_t, std::string> by_id_;
};

}  // namespace stepwise::ingest
