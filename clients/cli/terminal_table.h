// A plain table: a head, columns as wide as their widest cell, the last one cut to the terminal. [any thread]
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "clients/cli/terminal.h"

namespace stepwise::cli {

struct TableColumn {
  std::string name;
  bool right = false;
};

/// Cells are cleaned. On a terminal a line is at most as wide as it is; in a file nothing is cut.
std::string render_table(const std::vector<TableColumn>& columns, const std::vector<std::vector<std::string>>& rows,
                         const Terminal& terminal);

}  // namespace stepwise::cli
