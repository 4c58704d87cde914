// One SQLite file, opened so that nothing is written beside it and nothing in it is trusted: its schema may lie, lack
// tables and columns, hold values of other types, or be cut anywhere. What is wrong is counted in the context's
// diagnostics. One thread at a time.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ingest/base/context.h"
#include "core/ingest/base/scaled_double.h"

struct sqlite3;
struct sqlite3_stmt;

namespace stepwise::ingest {

class Database {
 public:
  /// Without cancel, for a quick look: reading ends after so much work. Errors: io `ingest.database` (it cannot be
  /// opened, or its schema cannot be read).
  static Result<Database> open(const std::filesystem::path& file, const CancelFlag* cancel);
  Database(Database&&) noexcept = default;
  Database& operator=(Database&&) noexcept = default;

  /// Tables proper, in the file's order: no views, no virtual tables, none of SQLite's own.
  const std::vector<std::string>& tables() const { return tables_; }
  bool has(std::string_view table) const;
  /// Changes that a writer left beside the file, in name-wal: they are not read.
  bool has_unmerged_changes() const { return has_unmerged_changes_; }

 private:
  friend class DbRows;
  /// SQLite asks it now and then whether to go on.
  struct Poll {
    const CancelFlag* cancel = nullptr;
    int64_t left = 0;  // a damaged tree of pages may lead around in it nearly forever
  };
  static int stops(void* poll);
  struct Close {
    void operator()(sqlite3* database) const;
  };
  Database() = default;
  Result<void> read_schema(const std::filesystem::path& file);

  std::unique_ptr<Poll> poll_;
  std::unique_ptr<sqlite3, Close> handle_;
  uint64_t bytes_ = 0;
  std::vector<std::string> tables_;
  bool has_unmerged_changes_ = false;
};

/// A column of a table, found by its name.
struct DbColumn {
  const char* name;
  const char* other_name = nullptr;  // by which another version of the exporter calls it
  bool is_required = false;          // without it the table is not what it is taken for
};
constexpr DbColumn required(const char* name, const char* other_name = nullptr) { return {name, other_name, true}; }

/// The rows of one table, in its order. A table that is absent has none.
///
///     DbRows rows(database, "TASK", {required("startNs"), {"streamId"}}, file, context);
///     while (rows.next()) use(rows.integer(0), rows.integer(1));
class DbRows {
 public:
  DbRows(Database& database, const char* table, std::initializer_list<DbColumn> columns, const std::string& file,
         IngestContext& context);

  /// The table is there, with its required columns.
  bool is_there() const { return statement_ != nullptr; }
  bool has_column(size_t column) const { return at_[column] >= 0; }
  /// False: that was the last one, the file is damaged here (counted), or reading was cancelled.
  bool next();
  /// 1 = first
  int64_t number() const { return number_; }

  /// Values of the row at hand; nullopt: null, absent, or of another type. A whole number may be written as text; one
  /// that went through a double and lost digits is none.
  std::optional<int64_t> integer(size_t column) const;
  std::optional<double> real(size_t column) const;
  /// A decimal number times ten to the power of scale.
  std::optional<int64_t> scaled(size_t column, int scale) const;
  /// Until next().
  std::optional<std::string_view> text(size_t column) const;

  /// The row makes no sense and is left out.
  void leave_out(const std::string& why);

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  void bind(std::initializer_list<DbColumn> columns);

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  sqlite3* handle_ = nullptr;
  const std::string table_;
  const std::string& file_;
  IngestContext& context_;
  std::vector<int> at_;  // of each column in the statement; -1: this file has none
  int64_t number_ = 0;
  const int64_t most_rows_;
};

}  // namespace stepwise::ingest
