// Values as both analysis databases write them, that of a rank and that of a cluster.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/ingest/database/db_file.h"

namespace stepwise::ingest {

/// In the unit that scale says, to ns; nullopt also for what no duration can be.
std::optional<int64_t> duration_in(const DbRows& rows, size_t column, int scale);
std::optional<int64_t> amount_in(const DbRows& rows, size_t column, int scale);
/// nullopt: no text, or an empty one.
std::optional<std::string> text_in(const DbRows& rows, size_t column);
/// "step12", or "step" where the run had none. False: it is no step.
bool read_db_step(std::optional<std::string_view> text, std::optional<int64_t>& step);

}  // namespace stepwise::ingest
