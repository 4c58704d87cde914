// Reads a timeline in a test and looks at what came out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ingest/base/readers.h"
#include "core/ingest/timeline/trace_test_files.h"
#include "core/ingest/timeline/trace_view.h"
#include "stepwise/tables.hpp"

namespace stepwise::ingest {

struct TraceRead {
  store::SegmentBuilder segment;
  Diagnostics diagnostics;

  uint64_t rows(const table::TableDecl& decl) { return segment.has(decl) ? segment.table(decl).rows() : 0; }
  uint64_t lost(Diag diag) const { return diagnostics.total(diag); }
  /// Everything that was counted, of whatever kind; but for kernels of which no launch stands in the file.
  uint64_t losses() const {
    uint64_t total = 0;
    for (int i = 0; i < static_cast<int>(Diag::count_); ++i) total += diagnostics.total(static_cast<Diag>(i));
    total -= diagnostics.total(Diag::kernel_unlinked);
    return total;
  }

  template <size_t I>
  std::vector<int64_t> values(const table::TableDecl& decl, table::Col<table::Type::i64, I> col) {
    return segment.has(decl) ? segment.table(decl).values(col) : std::vector<int64_t>{};
  }
  /// Nulls as -999.
  template <size_t I>
  std::vector<int64_t> nullable(const table::TableDecl& decl, table::Col<table::Type::i64, I> col) {
    std::vector<int64_t> values = this->values(decl, col);
    for (size_t row = 0; row < values.size(); ++row) {
      if (segment.table(decl).column(col).is_null(row)) values[row] = -999;
    }
    return values;
  }
  /// Nulls as "-".
  template <size_t I>
  std::vector<std::string> texts(const table::TableDecl& decl, table::Col<table::Type::code, I> col) {
    std::vector<std::string> texts;
    if (!segment.has(decl)) return texts;
    const store::ColumnBuffer& column = segment.table(decl).column(col);
    for (size_t row = 0; row < column.code.size(); ++row) {
      texts.emplace_back(column.is_null(row) ? "-" : segment.dictionary().at(column.code[row]));
    }
    return texts;
  }
  /// The diagnostic's place and text.
  std::optional<int64_t> place(Diag diag) { return find_diagnostic(diag).first; }
  std::string text(Diag diag) { return find_diagnostic(diag).second; }

 private:
  std::pair<std::optional<int64_t>, std::string> find_diagnostic(Diag diag) {
    store::SegmentBuilder out;
    diagnostics.write_to(out);
    namespace column = table::diagnostic;
    store::TableBuilder& rows = out.table(column::kTable);
    for (size_t row = 0; row < rows.rows(); ++row) {
      if (out.dictionary().at(rows.values(column::code)[row]) != info(diag).code) continue;
      std::optional<int64_t> place;
      if (!rows.column(column::line).is_null(row)) place = rows.values(column::line)[row];
      return {place, std::string(out.dictionary().at(rows.values(column::text)[row]))};
    }
    return {};
  }
};

inline std::unique_ptr<TraceRead> read_trace_file(const std::filesystem::path& path,
                                                  IngestOptions options = {.threads = 1},
                                                  Reader* reader = read_trace_view) {
  auto read = std::make_unique<TraceRead>();
  const CancelFlag cancel;
  ProgressGauge progress;
  IngestContext context{cancel, progress, read->diagnostics, options};
  const Result<void> result = reader(path, "trace.json", context, read->segment);
  REQUIRE(result.ok());
  return read;
}

inline std::unique_ptr<TraceRead> read_trace_text(std::string_view text, IngestOptions options = {.threads = 1},
                                                  Reader* reader = read_trace_view) {
  static const TemporaryFolder folder;
  return read_trace_file(folder.write("trace.json", text), options, reader);
}

/// The segment's file, with the diagnostics in it.
inline std::string segment_bytes(TraceRead& read) {
  const TemporaryFolder folder;
  read.diagnostics.write_to(read.segment);
  const Result<void> written = read.segment.write(folder.path() / "segment", store::SegmentKey{1, 2});
  if (!written.ok()) FAIL(to_text(written.error()));
  return read_bytes(folder.path() / "segment");
}

}  // namespace stepwise::ingest
