// Rows into the order that their table declares.
#pragma once

#include "core/store/table_builder.h"

namespace stepwise::ingest {

/// By the column that the table says it is sorted by, if any; equal ones keep their order.
void sort_rows(store::TableBuilder& rows);

}  // namespace stepwise::ingest
