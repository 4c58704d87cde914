#include "core/ingest/csv/csv_rows.h"

#include <utility>
#include <vector>

namespace stepwise::ingest {
namespace {

class RowHandler final : public CsvRecordHandler {
 public:
  RowHandler(std::span<const CsvColumnName> columns, const std::string& file, Diagnostics& diagnostics,
             const OnCsvRow& on_row)
      : columns_(columns), file_(file), diagnostics_(diagnostics), on_row_(on_row) {}

  bool header(const CsvRecord& record) override {
    saw_anything = true;
    header_size_ = record.size();
    const auto cells = find_columns(record, columns_, file_, diagnostics_);
    if (cells) cells_ = *cells;
    return cells.has_value();
  }
  void row(const CsvRecord& record, int64_t number) override {
    values_.clear();
    for (const size_t cell : cells_) values_.push_back(cell == kAbsentCell ? std::string_view() : record[cell]);
    on_row_(values_, number, record.line());
  }
  void lost(CsvLoss loss, int64_t line, size_t cells) override {
    saw_anything = true;
    count_loss(loss, line, cells, header_size_, file_, diagnostics_);
  }

  bool saw_anything = false;

 private:
  std::span<const CsvColumnName> columns_;
  const std::string& file_;
  Diagnostics& diagnostics_;
  const OnCsvRow& on_row_;
  std::vector<size_t> cells_;
  std::vector<std::string_view> values_;
  size_t header_size_ = 0;
};

}  // namespace

Result<void> feed_csv(CsvReader& reader, const std::filesystem::path& file, const std::string& relative_path,
                      IngestContext& context, const std::function<bool()>& saw_anything,
                      std::function<void(const FilePosition&)> passed) {
  const ByteSink sink{
      [&] { return reader.room(context.options.csv_chunk_bytes); },
      [&](size_t bytes) {
        reader.commit(bytes);
        return !reader.stopped();
      },
      std::move(passed),
  };
  SW_ASSIGN_OR_RETURN(const ReadEnd end, read_file(file, relative_path, context, sink));
  reader.finish(end == ReadEnd::broken);
  if (end == ReadEnd::whole && !saw_anything()) {
    context.diagnostics.count(Diag::csv_no_header, relative_path, std::nullopt, 1, "It holds blank lines only.");
  }
  return {};
}

Result<void> read_csv_rows(std::span<const CsvColumnName> columns, const std::filesystem::path& file,
                           const std::string& relative_path, IngestContext& context, const OnCsvRow& on_row) {
  RowHandler handler(columns, relative_path, context.diagnostics, on_row);
  CsvReader reader(handler);
  return feed_csv(reader, file, relative_path, context, [&] { return handler.saw_anything; });
}

}  // namespace stepwise::ingest
