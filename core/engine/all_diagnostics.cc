#include "core/engine/all_diagnostics.h"

#include <utility>
#include <vector>

#include "core/engine/segment_service.h"
#include "core/store/file_writer.h"
#include "core/store/table_view.h"
#include "stepwise/tables.hpp"

namespace stepwise::engine {
namespace {

namespace diagnostic = table::diagnostic;

constexpr table::Group kGroups[] = {table::Group::files, table::Group::trace, table::Group::graph,
                                    table::Group::cluster};

// A name of its own: the store holds tables of the declared names to their declared columns.
constexpr table::ColumnDecl kColumns[] = {
    diagnostic::kColumns[0],
    diagnostic::kColumns[1],
    diagnostic::kColumns[2],
    diagnostic::kColumns[3],
    diagnostic::kColumns[4],
    diagnostic::kColumns[5],
    table::required_code("segment", "which segment it is about"),
};
static_assert(std::size(kColumns) == std::size(diagnostic::kColumns) + 1);
constexpr table::TableDecl kTable{"all_diagnostics", "", kColumns, "what reading a rank's files lost"};
constexpr table::Col<table::Type::code, std::size(diagnostic::kColumns)> kSegment{};

void append(const sw_table& rows, table::Group group, store::TableBuilder& out) {
  for (uint64_t row = 0; row < rows.rows; ++row) {
    out.append(diagnostic::code, store::get(rows, diagnostic::code, row).value_or(""));
    out.append(diagnostic::severity, store::get(rows, diagnostic::severity, row).value_or(""));
    out.append(diagnostic::text, store::get(rows, diagnostic::text, row).value_or(""));
    out.append(diagnostic::file, store::get(rows, diagnostic::file, row).value_or(""));
    out.append_or_null(diagnostic::line, store::get(rows, diagnostic::line, row));
    out.append(diagnostic::count, store::get(rows, diagnostic::count, row).value_or(0));
    out.append(kSegment, store::group_name(group));
    out.end_row();
  }
}

}  // namespace

Result<std::shared_ptr<const store::Segment>> all_diagnostics(const CallHost& host, uint32_t rank) {
  store::SegmentBuilder all;
  for (const table::Group group : kGroups) {
    const LoadedSegment* loaded = host.segment(rank, group);
    if (loaded == nullptr) continue;
    SW_ASSIGN_OR_RETURN(const sw_table* rows, loaded->segment->table(diagnostic::kTable.name));
    if (rows != nullptr) append(*rows, group, all.table(kTable));
  }
  if (!all.has(kTable)) return std::shared_ptr<const store::Segment>();
  const store::SegmentKey key;
  SW_ASSIGN_OR_RETURN(store::Descriptor file, store::make_memory_file([&](int to) { return all.write_to(to, key); }));
  return store::Segment::open_descriptor(file.release(), key);
}

Result<const sw_table*> table_of(const store::Segment& all_diagnostics) { return all_diagnostics.table(kTable.name); }

}  // namespace stepwise::engine
