// Which tables are meant by who knows what a profiler calls its files and its databases' tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stepwise::ingest {

/// The tables that are read from a file, or from a table of a profiler's database, of that name as SQL would write it:
/// "op_statistic", "PYTORCH_API" in any case; of any profiler, each once. Empty: there is none.
std::vector<std::string> tables_read_from(std::string_view source);

}  // namespace stepwise::ingest
