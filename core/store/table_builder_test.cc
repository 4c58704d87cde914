#include "core/store/table_builder.h"

#include <utility>

#include "core/store/test_tables.h"
#include "tests/catch.h"

using namespace stepwise::store;
using namespace stepwise::store::test;

namespace {

void add(TableBuilder& table, int64_t start, std::optional<int64_t> step, std::string_view name) {
  table.append(sample::start_ns, start);
  table.append_or_null(sample::step, step);
  table.append(sample::name, name);
  table.null(sample::shape);
  table.append(sample::share, 0.5);
  table.append(sample::depth, uint8_t{1});
  table.end_row();
}

}  // namespace

TEST_CASE("a dictionary numbers strings in the order of first appearance") {
  Dictionary dictionary;
  CHECK(dictionary.intern("b") == 0);
  CHECK(dictionary.intern("a") == 1);
  CHECK(dictionary.intern("") == 2);
  CHECK(dictionary.intern("b") == 0);
  CHECK(dictionary.size() == 3);
  CHECK(dictionary.bytes() == 2);
  CHECK(dictionary.at(1) == "a");
}

TEST_CASE("a dictionary keeps its strings when it grows") {
  Dictionary dictionary;
  for (int i = 0; i < 10'000; ++i) REQUIRE(dictionary.intern(std::to_string(i)) == i);
  for (int i = 0; i < 10'000; ++i) REQUIRE(dictionary.intern(std::to_string(i)) == i);
  for (int i = 0; i < 10'000; ++i) REQUIRE(dictionary.at(i) == std::to_string(i));
}

TEST_CASE("a null leaves a zero and a cleared bit, whichever row comes first") {
  Dictionary dictionary;
  TableBuilder table(sample::kTable, dictionary);
  add(table, 10, 7, "x");
  add(table, 20, std::nullopt, "y");
  add(table, 30, 9, "x");
  const ColumnBuffer& step = table.column(sample::step);
  CHECK(step.i64 == std::vector<int64_t>{7, 0, 9});
  CHECK(step.valid == std::vector<bool>{true, false, true});
  CHECK(step.null_count == 1);
  CHECK(table.column(sample::start_ns).valid.empty());
  CHECK(table.column(sample::shape).null_count == 3);
  CHECK(table.rows() == 3);
}

TEST_CASE("permute puts row order[i] at i, nulls too") {
  Dictionary dictionary;
  TableBuilder table(sample::kTable, dictionary);
  add(table, 30, std::nullopt, "c");
  add(table, 10, 1, "a");
  add(table, 20, 2, "b");
  table.permute({1, 2, 0});
  CHECK(table.values(sample::start_ns) == std::vector<int64_t>{10, 20, 30});
  CHECK(table.values(sample::name) == std::vector<int32_t>{1, 2, 0});
  CHECK(table.column(sample::step).valid == std::vector<bool>{true, true, false});
}

TEST_CASE("append_rows maps codes and joins validity of any two builders") {
  Dictionary ours, theirs;
  TableBuilder to(sample::kTable, ours), from(sample::kTable, theirs);
  const bool nulls_before = GENERATE(false, true), nulls_after = GENERATE(false, true);
  add(to, 1, nulls_before ? std::nullopt : std::optional<int64_t>(5), "a");
  add(from, 2, nulls_after ? std::nullopt : std::optional<int64_t>(6), "b");
  add(from, 3, 8, "a");
  to.append_rows(from, {ours.intern("b"), ours.intern("a")});
  CHECK(to.rows() == 3);
  CHECK(to.values(sample::start_ns) == std::vector<int64_t>{1, 2, 3});
  CHECK(to.values(sample::name) == std::vector<int32_t>{0, 1, 0});
  const ColumnBuffer& step = to.column(sample::step);
  CHECK(step.is_null(0) == nulls_before);
  CHECK(step.is_null(1) == nulls_after);
  CHECK_FALSE(step.is_null(2));
  CHECK(step.null_count == (nulls_before ? 1u : 0u) + (nulls_after ? 1u : 0u));
  CHECK(to.column(sample::shape).null_count == 3);
}

namespace {

/// Three rows, alike but for their start; of these columns each is held once.
void fill_repeated(TableBuilder& table) {
  std::vector<ColumnBuffer>& columns = table.held_columns();
  for (ColumnBuffer& column : columns) column.repeated_rows = 3;
  columns[sample::start_ns.index].repeated_rows = 0;
  columns[sample::start_ns.index].i64 = {30, 10, 20};
  columns[sample::step.index].i64 = {7};
  columns[sample::name.index].code = {table.dictionary().intern("a")};
  columns[sample::shape.index].code = {0};
  columns[sample::shape.index].null_count = 3;
  columns[sample::share.index].f64 = {0.5};
  columns[sample::depth.index].u8 = {9};
  table.end_rows();
}

}  // namespace

TEST_CASE("a column that is held once is spread when it is asked for, and no other is") {
  Dictionary dictionary;
  TableBuilder table(sample::kTable, dictionary);
  fill_repeated(table);
  CHECK(table.rows() == 3);
  CHECK(table.values(sample::name) == std::vector<int32_t>{0, 0, 0});
  CHECK(table.held_columns()[sample::step.index].i64.size() == 1);
  const ColumnBuffer& shape = std::as_const(table).column(sample::shape);
  CHECK(shape.code == std::vector<int32_t>(3));
  CHECK(shape.valid == std::vector<bool>(3));
  CHECK(shape.null_count == 3);
  table.columns();
  CHECK(table.column(sample::step).i64 == std::vector<int64_t>{7, 7, 7});
  CHECK(table.column(sample::step).valid.empty());
  CHECK(table.column(sample::share).f64 == std::vector<double>{0.5, 0.5, 0.5});
  CHECK(table.column(sample::depth).u8 == std::vector<uint8_t>{9, 9, 9});
}

TEST_CASE("permute and append_rows take columns that are held once as what they stand for") {
  Dictionary ours, theirs;
  ours.intern("other");
  TableBuilder to(sample::kTable, ours), from(sample::kTable, theirs);
  fill_repeated(from);
  from.permute({1, 2, 0});
  CHECK(from.held_columns()[sample::name.index].repeated_rows == 3);
  add(to, 5, std::nullopt, "b");
  to.append_rows(from, {ours.intern("a")});
  CHECK(to.values(sample::start_ns) == std::vector<int64_t>{5, 10, 20, 30});
  CHECK(to.values(sample::name) == std::vector<int32_t>{1, 2, 2, 2});
  CHECK(to.column(sample::step).valid == std::vector<bool>{false, true, true, true});
  CHECK(to.column(sample::shape).null_count == 4);
}

TEST_CASE("the code of all rows is known, and can be changed, without a look at each") {
  Dictionary dictionary;
  TableBuilder table(sample::kTable, dictionary);
  fill_repeated(table);
  CHECK(table.repeated_code(sample::name) == 0);
  CHECK_FALSE(table.repeated_code(sample::shape).has_value());  // nulls
  table.repeat_code(sample::name, dictionary.intern("b"));
  CHECK(table.repeated_code(sample::name) == 1);
  CHECK(table.values(sample::name) == std::vector<int32_t>{1, 1, 1});
  CHECK_FALSE(table.repeated_code(sample::name).has_value());  // spread
  table.repeat_code(sample::name, 0);
  CHECK(table.values(sample::name) == std::vector<int32_t>{0, 0, 0});
}
