// Tables as SQL shows them: what is declared, and around it the columns that are properties of the segment.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stepwise/table.hpp"

namespace stepwise::query {

// The columns id and rank stand before the declared ones; src_file and, of kernels, host_op_id, of diagnostics, segment
// after them.
enum class Role : uint8_t { id, rank, declared, src_file, host_op_id, segment };

struct ViewColumn {
  std::string_view name;
  table::Type type;
  table::Unit unit;
  Role role;
  bool nullable;
  std::string_view says;
  size_t declared = 0;  // position in the declaration
};

struct View {
  const table::TableDecl* decl = nullptr;
  std::vector<ViewColumn> columns;
  std::optional<size_t> sorted;  // the column that rows stand in the order of; never one that may be null
};

/// Each segment of a rank has one: a source gives the rows of all of them, with a text column behind the declared ones
/// that says which; without that column `segment` is null.
inline constexpr std::string_view kDiagnosticTable = "diagnostic";
/// The column of kernels that another table fills.
inline constexpr std::string_view kLinkTable = "kernel_link";

View make_view(const table::TableDecl& decl);
/// As SQLite is told: CREATE TABLE x("id" INTEGER, ...).
std::string create_statement(const View& view);

}  // namespace stepwise::query
