// What the tests of the summary files' readers share: run one on a text, look at what came out.
#pragma once

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/ingest/base/context.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/timeline/trace_test_files.h"
#include "stepwise/tables.hpp"
#include "tests/catch.h"

namespace stepwise::ingest {

/// Tables under construction, as text.
class Tables {
 public:
  store::SegmentBuilder& builder() { return *builder_; }
  bool has(const table::TableDecl& decl) const { return builder_->has(decl); }
  uint64_t rows(const table::TableDecl& decl) { return has(decl) ? builder_->table(decl).rows() : 0; }

  /// "add|1700000000000123456|null"
  std::string row(const table::TableDecl& decl, uint64_t row, const std::vector<std::string_view>& columns) {
    std::string out;
    for (const std::string_view name : columns) {
      for (const store::ColumnBuffer& column : builder_->table(decl).columns()) {
        if (column.decl->name == name) out += (out.empty() ? "" : "|") + cell(column, row);
      }
    }
    return out;
  }
  /// Every cell of every table.
  std::string dump() {
    std::string out;
    for (const table::TableDecl* decl : table::kAllTables) {
      if (!has(*decl)) continue;
      out += std::string("# ") + decl->name + "\n";
      for (uint64_t i = 0; i < rows(*decl); ++i) {
        for (const store::ColumnBuffer& column : builder_->table(*decl).columns()) out += cell(column, i) + "|";
        out += "\n";
      }
    }
    return out;
  }
  /// "csv.ragged_record 2 @3": code, count, first place. Infos about unused columns are left out.
  std::vector<std::string> losses() {
    namespace diagnostic = table::diagnostic;
    std::vector<std::string> out;
    for (uint64_t i = 0; i < rows(diagnostic::kTable); ++i) {
      const std::string code = row(diagnostic::kTable, i, {"code"}), line = row(diagnostic::kTable, i, {"line"});
      if (code == "csv.column_unused") continue;
      out.push_back(code + " " + row(diagnostic::kTable, i, {"count"}) + (line == "null" ? "" : " @" + line));
    }
    return out;
  }

 private:
  std::string cell(const store::ColumnBuffer& column, uint64_t row) {
    if (column.is_null(row)) return "null";
    switch (column.decl->type) {
      case table::Type::i64:
        return std::to_string(column.i64[row]);
      case table::Type::f64: {
        char text[32];
        return {text, std::to_chars(text, text + sizeof text, column.f64[row]).ptr};
      }
      case table::Type::code:
        return std::string(builder_->dictionary().at(column.code[row]));
      case table::Type::u8:
        break;
    }
    return std::to_string(column.u8[row]);
  }
  std::unique_ptr<store::SegmentBuilder> builder_ = std::make_unique<store::SegmentBuilder>();
};

/// One reader over one file; the table `diagnostic` is filled as ingest_group does it.
inline void read_into(Tables& tables, Reader* reader, const std::filesystem::path& file, size_t chunk_bytes) {
  CancelFlag cancel;
  ProgressGauge progress;
  Diagnostics diagnostics;
  IngestContext context{cancel, progress, diagnostics, {}};
  context.options.csv_chunk_bytes = chunk_bytes;
  REQUIRE(reader(file, file.filename().string(), context, tables.builder()).ok());
  diagnostics.write_to(tables.builder());
}

inline Tables read_text(Reader* reader, std::string_view text, size_t chunk_bytes = limits::kCsvChunkBytes) {
  const TemporaryFolder folder;
  Tables tables;
  read_into(tables, reader, folder.write("file", text), chunk_bytes);
  return tables;
}

}  // namespace stepwise::ingest
