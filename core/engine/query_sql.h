// query_sql: SQL over the tables of a profile. Segments are read as the query gets to them: only the ranks and groups
// that it touches.
#pragma once

#include <filesystem>

#include "core/engine/provider.h"
#include "core/engine/registry.h"
#include "core/query/query.h"

namespace stepwise::engine {

/// Of manifest.h's shape.
Json query_sql_declaration();
/// The registry: which names are tools', for who takes one for a table. Errors: those of query.h and export_rows.h;
/// `call.again` (CallHost::read); not_found `rank.unknown`.
Result<ToolResult> query_sql(const Json& arguments, CallHost& host, query::Queries& queries, const Registry& registry,
                             const std::filesystem::path& out_dir);

}  // namespace stepwise::engine
