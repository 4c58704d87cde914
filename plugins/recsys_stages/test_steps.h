// Steps of a training run made by hand, for tests of this plugin's tools.
#pragma once

#include <array>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recsys_stages.h"
#include "stepwise/testing.hpp"
#include "tests/catch.h"

using namespace stepwise;
using recsys_stages::stage_async;
using recsys_stages::stage_breakdown;
using sdk::Value;
using sdk::testing::Host;
using sdk::testing::Table;
namespace host_op = stepwise::table::host_op;
namespace step_range = stepwise::table::step_range;
namespace runtime_api = stepwise::table::runtime_api;
namespace device_task = stepwise::table::device_task;
namespace kernel = stepwise::table::kernel;
namespace kernel_link = stepwise::table::kernel_link;
namespace flow = stepwise::table::flow;

namespace recsys_stages_test {

inline constexpr int64_t kMain = 7, kBackward = 8, kPrefetch = 9;
inline constexpr int64_t kUs = 1'000;  // the tests speak in us

// Calls in order of start, as the reader writes them: the innermost call of the thread that holds a new one is its
// parent.
class Calls {
 public:
  int64_t add(const char* name, int64_t tid, int64_t start_us, int64_t dur_us, const char* category = "cpu_op") {
    auto& open = open_[tid];
    while (!open.empty() && open.back().second <= start_us) open.pop_back();
    auto row = table_.row();
    row.set(host_op::name, name).set(host_op::category, category).set(host_op::pid, 7).set(host_op::tid, tid);
    row.set(host_op::start_ns, start_us * kUs).set(host_op::dur_ns, dur_us * kUs);
    row.set(host_op::depth, static_cast<int64_t>(open.size())).set(host_op::src_pos, 1000 + rows_);
    if (!open.empty()) row.set(host_op::parent_id, open.back().first);
    open.emplace_back(rows_, start_us + dur_us);
    return rows_++;
  }
  Table take() { return std::move(table_); }

 private:
  Table table_{host_op::kTable, "trace_view.json"};
  int64_t rows_ = 0;
  std::map<int64_t, std::vector<std::pair<int64_t, int64_t>>> open_;  // by thread: row, end
};

inline Table steps(std::initializer_list<std::array<int64_t, 3>> number_start_dur) {
  Table table(step_range::kTable, "trace_view.json");
  for (const auto& [number, start_us, dur_us] : number_start_dur) {
    auto row = table.row();
    row.set(step_range::step, number).set(step_range::pid, 7).set(step_range::tid, kMain);
    row.set(step_range::start_ns, start_us * kUs)
        .set(step_range::dur_ns, dur_us * kUs)
        .set(step_range::src_pos, number);
  }
  return table;
}

inline Value row_of(const Value& answer, std::string_view stage) {
  for (size_t i = 0; i < answer["rows"].size(); ++i) {
    if (answer["rows"].at(i)["stage"].text() == stage) return answer["rows"].at(i);
  }
  return {};
}

inline double us(const Value& answer, std::string_view stage, const char* key) {
  const auto value = row_of(answer, stage)[key].number();
  INFO(std::string(stage) << "." << key);
  REQUIRE(value);
  return *value;
}

inline bool warns(const Value& answer, std::string_view code) {
  for (size_t i = 0; i < answer["warnings"].size(); ++i) {
    if (answer["warnings"].at(i)["code"].text() == code) return true;
  }
  return false;
}

inline Value run(Calls& calls, Table step_table, const char* args = "{}") {
  Host host;
  host.add(0, calls.take());
  host.add(0, std::move(step_table));
  return host.run(stage_breakdown, args);
}

// Main thread of one step of 1000 us: data 100, embedding 50, forward 200 (with an embedding call inside), a gap of 50,
// backward 300, updates 60 + 140, item 80, and 20 in no call.
inline void one_step(Calls& calls) {
  calls.add("ProfilerStep#3", kMain, 0, 1000);
  calls.add("data_preprocess", kMain, 0, 100);
  calls.add("aten::copy_", kMain, 10, 20);
  calls.add("embedding_fetch", kMain, 100, 50);
  calls.add("model.forward", kMain, 150, 200);
  calls.add("aten::embedding", kMain, 160, 30);
  calls.add("loss.backward", kMain, 400, 300);
  calls.add("update_embedding", kMain, 700, 60);
  calls.add("Optimizer.step#Adam.step", kMain, 760, 140);
  calls.add("aten::item", kMain, 900, 80);
}

}  // namespace recsys_stages_test
