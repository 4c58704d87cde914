#include <cstring>
#include <stdexcept>

#include "stepwise/sdk.hpp"
#include "stepwise/testing.hpp"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::sdk;
namespace kernel = stepwise::table::kernel;

namespace {

testing::Table three_kernels() {
  testing::Table kernels(kernel::kTable, "kernel_details.csv");
  kernels.row().set(kernel::name, "a").set(kernel::dur_ns, 10).set(kernel::aic_mac_ratio, 0.5);
  kernels.row().set(kernel::name, "b").set(kernel::dur_ns, 20).set(kernel::op_type, "Add");
  kernels.row().set(kernel::name, "a").set(kernel::dur_ns, 30).set(kernel::step, 7);
  return kernels;
}

int32_t sum_by_name(Call& call) {
  const auto kernels = call.table(0, kernel::kTable);
  if (!kernels) return call.fail(Fault::not_applicable, "test.none", "No kernels.");
  const auto name = (*kernels)[kernel::name];
  const auto dur_ns = (*kernels)[kernel::dur_ns];
  int64_t a_ns = 0;
  call.for_each_row(kernels->rows(), [&](uint64_t row) {
    if (name[row] == "a") a_ns += dur_ns[row];
  });
  JsonWriter w;
  w.begin_object().field("a_ns", a_ns).field("file", kernels->source_file()).end_object();
  return call.emit(w);
}

int32_t throw_something(Call&) { throw std::runtime_error("boom"); }
int32_t throw_an_int(Call&) { throw 3; }
int32_t emit_half(Call& call) { return call.emit(JsonWriter().begin_object()); }
int32_t ask_other(Call& call) {
  const auto result = call.call_tool("other");
  JsonWriter w;
  w.begin_object().field("got", result ? (*result)["x"].integer() : std::nullopt).end_object();
  return call.emit(w);
}

}  // namespace

TEST_CASE("columns read values, nulls and text; an optional column tells whether it is empty throughout") {
  testing::Table data = three_kernels();
  std::string why;
  const auto view = TableView::bind(kernel::kTable, *data.view(), why);
  REQUIRE(view);
  const auto op_type = (*view)[kernel::op_type];
  const auto mac = (*view)[kernel::aic_mac_ratio];
  const auto step = (*view)[kernel::step];
  CHECK(op_type.is_null(0));
  CHECK(op_type[0].empty());
  CHECK(op_type.get(1) == "Add");
  CHECK(mac.get(0) == 0.5);
  CHECK_FALSE(mac.get(1));
  CHECK(step.get(2) == 7);
  CHECK_FALSE((*view)[kernel::stream].any());
  CHECK(step.any());
  const auto name = (*view)[kernel::name];
  CHECK(name.code(0) == name.code(2));
  CHECK(name.code(0) != name.code(1));
}

TEST_CASE("the host's strides and sizes are respected") {
  testing::Table data = three_kernels();
  const sw_table& plain = *data.view();
  // A newer host: longer column descriptions, in another order, one column more.
  struct NewerColumn {
    sw_column known;
    uint64_t added;
  };
  std::vector<NewerColumn> columns;
  for (uint32_t i = plain.column_count; i-- > 0;) columns.push_back({plain.columns[i], 42});
  columns.push_back({plain.columns[0], 42});
  columns.back().known.name = as_sw_str("of_tomorrow");
  for (NewerColumn& column : columns) column.known.size = sizeof(NewerColumn);
  sw_table newer = plain;
  newer.columns = &columns[0].known;
  newer.column_count = static_cast<uint32_t>(columns.size());
  newer.column_stride = sizeof(NewerColumn);
  std::string why;
  const auto view = TableView::bind(kernel::kTable, newer, why);
  REQUIRE(view);
  CHECK((*view)[kernel::dur_ns][2] == 30);
  CHECK((*view)[kernel::name][1] == "b");
}

TEST_CASE("a table that does not fit its declaration is refused by name") {
  testing::Table data = three_kernels();
  const sw_table& plain = *data.view();
  std::vector<sw_column> columns(plain.columns, plain.columns + plain.column_count);
  sw_table changed = plain;
  changed.columns = columns.data();
  std::string why;

  columns[kernel::dur_ns.index].type = SW_F64;
  CHECK_FALSE(TableView::bind(kernel::kTable, changed, why));
  CHECK(why == "column `dur_ns`: it has another type than declared");

  columns[kernel::dur_ns.index] = plain.columns[kernel::dur_ns.index];
  columns[kernel::dur_ns.index].rows = 2;
  CHECK_FALSE(TableView::bind(kernel::kTable, changed, why));
  CHECK(why == "column `dur_ns`: it is not as long as the table");

  columns[kernel::dur_ns.index] = plain.columns[kernel::dur_ns.index];
  columns[kernel::dur_ns.index].name = as_sw_str("renamed");
  CHECK_FALSE(TableView::bind(kernel::kTable, changed, why));
  CHECK(why == "column `dur_ns`: the host does not have it");

  columns[kernel::dur_ns.index] = plain.columns[kernel::dur_ns.index];
  columns[kernel::op_type.index].name = as_sw_str("renamed");  // nullable: null in every row
  const auto view = TableView::bind(kernel::kTable, changed, why);
  REQUIRE(view);
  CHECK((*view)[kernel::op_type].is_null(1));
}

TEST_CASE("a tool reads a table and gives a result") {
  testing::Host host;
  host.add(0, three_kernels());
  const Value result = host.run(sum_by_name);
  CHECK(result["a_ns"].integer() == 40);
  CHECK(result["file"].text() == "kernel_details.csv");
  CHECK(host.returned() == SW_OK);
}

TEST_CASE("failures and exceptions reach the host, nothing is emitted") {
  testing::Host host;
  CHECK(host.run(sum_by_name).is_absent());
  CHECK(host.returned() == SW_FAILED);
  REQUIRE(host.failure());
  CHECK(host.failure()->code == "test.none");
  CHECK(host.failure()->kind == SW_KIND_NOT_APPLICABLE);

  CHECK(host.run(throw_something).is_absent());
  CHECK(host.failure()->code == "plugin.exception");
  CHECK(host.failure()->message == "The analyzer failed: boom");
  host.run(throw_an_int);
  CHECK(host.failure()->message == "The analyzer failed.");
  CHECK(host.run(emit_half).is_absent());
  CHECK(host.failure()->code == "plugin.result");
  host.run(sum_by_name, "[1]");
  CHECK(host.failure()->code == "plugin.exception");
}

TEST_CASE("a cancelled call looks at the flag every 4,096 rows and gives nothing") {
  testing::Table kernels(kernel::kTable);
  for (int i = 0; i < 3 * 4096 + 1; ++i) kernels.row().set(kernel::name, "a").set(kernel::dur_ns, 1);
  testing::Host host;
  host.add(0, std::move(kernels));
  CHECK(host.run(sum_by_name)["a_ns"].integer() == 3 * 4096 + 1);
  CHECK(host.looks() == 4 + 1 + 1);  // one a batch, one after the loop, one in emit

  testing::Host cancelled;
  testing::Table more(kernel::kTable);
  for (int i = 0; i < 3 * 4096; ++i) more.row().set(kernel::name, "a").set(kernel::dur_ns, 1);
  cancelled.add(0, std::move(more));
  cancelled.cancel_after(1);
  CHECK(cancelled.run(sum_by_name).is_absent());
  CHECK(cancelled.returned() == SW_CANCELLED);
  CHECK(cancelled.looks() == 3);  // the first batch ran, the second did not
}

TEST_CASE("nested calls give their result; a refused one fails the caller") {
  testing::Host host;
  host.answer("other", R"({"x": 5})");
  CHECK(host.run(ask_other)["got"].integer() == 5);
  testing::Host alone;
  CHECK(alone.run(ask_other).is_absent());
  CHECK(alone.returned() == SW_FAILED);
}

TEST_CASE("a plugin refuses hosts of another major or an older minor") {
  CHECK(accepts_host(SW_ABI_MAJOR, SW_ABI_MINOR));
  CHECK(accepts_host(SW_ABI_MAJOR, SW_ABI_MINOR + 1));
  CHECK_FALSE(accepts_host(SW_ABI_MAJOR + 1, SW_ABI_MINOR));
  CHECK_FALSE(accepts_host(SW_ABI_MAJOR, SW_ABI_MINOR - 1));
}
