#include "core/ingest/timeline/kernel_rows.h"

#include "core/ingest/timeline/trace_event.h"
#include "stepwise/tables_device.hpp"

namespace stepwise::ingest {
namespace {

namespace kernel = table::kernel;

template <size_t I>
std::vector<int64_t> numbers(store::TableBuilder& rows, table::Col<table::Type::i64, I> col) {
  const store::ColumnBuffer& column = rows.column(col);
  std::vector<int64_t> out = column.i64;
  for (size_t row = 0; row < out.size(); ++row) {
    if (column.is_null(row)) out[row] = kNoNumber;
  }
  return out;
}

}  // namespace

KernelRows take_kernel_rows(store::SegmentBuilder& segment) {
  KernelRows out;
  if (!segment.has(kernel::kTable)) return out;
  store::TableBuilder& rows = segment.made_table(kernel::kTable);
  out.start_ns = rows.values(kernel::start_ns);
  out.stream = numbers(rows, kernel::stream);
  out.task_id = numbers(rows, kernel::task_id);
  out.name.reserve(rows.rows());
  std::vector<int32_t> codes(segment.dictionary().size(), kNoText);
  for (const int32_t name : rows.values(kernel::name)) {
    int32_t& code = codes[static_cast<size_t>(name)];
    if (code == kNoText) code = out.names.intern(segment.dictionary().at(name));
    out.name.push_back(code);
  }
  const int32_t communication = segment.dictionary().intern("communication");
  for (const int32_t class_ : rows.values(kernel::class_)) out.communicates.push_back(class_ == communication);
  return out;
}

}  // namespace stepwise::ingest
