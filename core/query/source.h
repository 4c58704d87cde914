// What a query reads: the tables of some ranks. Whoever runs queries says how they come to be there.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "stepwise/plugin.h"

namespace stepwise::query {

/// One query's thread only.
class TableSource {
 public:
  virtual ~TableSource() = default;
  /// Ascending.
  virtual std::span<const uint32_t> ranks() const = 0;
  /// Called before tables of ranks are first asked for, with all that one pass over a table wants. An error ends the
  /// query, which fails with it: so a source that has yet to read them says so, reads, and the query begins again.
  virtual Result<void> need(std::span<const uint32_t> ranks, std::string_view table) = 0;
  /// nullptr: the rank has no such table. Lives as long as the source. Asked after `need` alone.
  virtual Result<const sw_table*> table(uint32_t rank, std::string_view name) = 0;
  /// For plans: rows of the table that are at hand without reading anything; nullopt: unknown.
  virtual std::optional<uint64_t> rows_at_hand(std::string_view table) const = 0;
  /// The query asks for rows of a rank that is none of ranks().
  virtual void no_rank(int64_t) {}
  /// What to use in place of a table that is none, as sentences that end with a space: "`timeline` is a tool: call it.
  /// ".
  /// "": nothing is known of the name.
  virtual std::string instead_of(std::string_view) const { return ""; }
};

}  // namespace stepwise::query
