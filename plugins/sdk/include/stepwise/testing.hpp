// A host in memory, to test a plugin's tools without Stepwise: link stepwise::sdk_testing.
//
//   testing::Table kernels(table::kernel::kTable, "kernel_details.csv");
//   kernels.row().set(table::kernel::name, "MatMul1").set(table::kernel::dur_ns, 1500);
//   testing::Host host;
//   host.add(0, kernels);
//   Value result = host.run(top_operators, R"({"by": "type"})");
//
// What a row does not set is null, or zero and "" where the column is required. One thread at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stepwise/registration.hpp"
#include "stepwise/table.hpp"

namespace stepwise::sdk::testing {

class Table {
 public:
  explicit Table(const table::TableDecl& decl, std::string source_file = "");

  class Row {
   public:
    template <size_t I>
    Row& set(table::Col<table::Type::i64, I>, int64_t v) {
      owner_->columns_[I].i64[index_] = v;
      return mark(I);
    }
    template <size_t I>
    Row& set(table::Col<table::Type::f64, I>, double v) {
      owner_->columns_[I].f64[index_] = v;
      return mark(I);
    }
    template <size_t I>
    Row& set(table::Col<table::Type::code, I>, std::string_view v) {
      owner_->columns_[I].codes[index_] = owner_->code_of(v);
      return mark(I);
    }

   private:
    friend class Table;
    Row(Table* owner, size_t index) : owner_(owner), index_(index) {}
    Row& mark(size_t column) {
      owner_->columns_[column].valid[index_] = true;
      return *this;
    }
    Table* owner_;
    size_t index_;
  };
  Row row();
  const table::TableDecl& decl() const { return *decl_; }
  /// The borrowed form; lives as long as this and no row is added.
  const sw_table* view();

 private:
  struct ColumnData {
    std::vector<int64_t> i64;
    std::vector<double> f64;
    std::vector<uint8_t> u8;
    std::vector<int32_t> codes;
    std::vector<bool> valid;
    std::vector<uint8_t> validity_bits;
  };
  int32_t code_of(std::string_view text);
  void describe(size_t column);

  const table::TableDecl* decl_;
  std::string source_file_;
  uint64_t rows_ = 0;
  std::vector<ColumnData> columns_;
  std::map<std::string, int32_t, std::less<>> codes_;
  std::vector<uint32_t> dict_offsets_{0};
  std::string dict_bytes_;
  std::vector<sw_column> described_;
  sw_table table_{};
};

struct Failure {
  int32_t kind = 0;
  std::string code, message, hint;
};

class Host {
 public:
  Host();
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  void add(uint32_t rank, Table table);
  /// What a nested call of that tool gives. Tools that have no answer here are refused.
  void answer(std::string tool, std::string result_json) { answers_[std::move(tool)] = std::move(result_json); }
  /// The flag is set after this many looks at it.
  void cancel_after(uint64_t looks) { cancel_after_ = looks; }

  /// Runs the tool. `ranks` is added to the arguments where they have none: the lowest rank that has a table.
  /// Absent: nothing was emitted; failure() says why, unless it was cancelled.
  Value run(ToolFunction tool, std::string_view args_json = "{}");
  /// The same through the C interface, as a host runs a loaded plugin's tool.
  Value run(const sw_tool& tool, std::string_view args_json = "{}");
  const std::optional<Failure>& failure() const { return failure_; }
  int32_t returned() const { return returned_; }
  uint64_t looks() const { return looks_; }
  const std::vector<std::string>& tables_asked() const { return tables_asked_; }

 private:
  std::string prepare(std::string_view args_json);
  Value outcome(int32_t returned);
  static int32_t host_table(void* ctx, uint32_t rank, sw_str name, const sw_table** out);
  static int32_t host_call(void* ctx, sw_str tool, sw_str args_json, sw_str* result_json);
  static int32_t host_cancelled(void* ctx);
  static int32_t host_emit(void* ctx, sw_str result_json);
  static int32_t host_fail(void* ctx, int32_t kind, sw_str code, sw_str message, sw_str hint);

  sw_host api_{};
  std::map<std::pair<uint32_t, std::string>, Table> tables_;
  std::map<std::string, std::string, std::less<>> answers_;
  std::optional<uint64_t> cancel_after_;
  uint64_t looks_ = 0;
  int32_t returned_ = SW_OK;
  std::optional<std::string> emitted_;
  std::optional<Failure> failure_;
  std::vector<std::string> tables_asked_;
};

}  // namespace stepwise::sdk::testing
