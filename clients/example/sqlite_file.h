// A database written from nothing in one transaction: prepared statements, rows of integers, reals and texts.
// Equal calls give equal bytes. Not shared between threads. A failed call is remembered and told by close().
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace stepwise::example {

/// std::monostate is NULL.
using SqlValue = std::variant<std::monostate, int64_t, double, std::string_view>;

class SqliteFile {
 public:
  /// Replaces what is there. Errors: io `example.write`.
  static Result<SqliteFile> create(const std::filesystem::path& path);
  SqliteFile(SqliteFile&&) noexcept;
  ~SqliteFile();

  void execute(const std::string& sql);
  /// CREATE TABLE name (columns), e.g. "id INTEGER PRIMARY KEY,value TEXT".
  void create_table(const std::string& name, const std::string& columns);
  /// A whole row, by the table's columns in order.
  void insert(std::string_view table, std::initializer_list<SqlValue> row);

  /// Commits and closes; the file's size. Errors: io `example.write`.
  Result<int64_t> close();

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

  explicit SqliteFile(std::filesystem::path path) : path_(std::move(path)) {}
  Statement* statement_of(std::string_view table, size_t columns);
  bool check(int code);
  Error failure() const;

  std::filesystem::path path_;
  std::unique_ptr<sqlite3, Close> handle_;
  std::map<std::string, Statement, std::less<>> inserts_;  // destroyed before the handle
  std::string error_;
};

}  // namespace stepwise::example
