// The databases, read back with SQLite and held against truth.json and the text files of the same run, to the ns.
#include <sqlite3.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "clients/example/example_test_support.h"

namespace stepwise::example {
namespace {

ExampleOptions exported(const std::string& kind, const std::string& form) {
  ExampleOptions options;
  options.kind = kind;
  options.export_form = form;
  options.events = 6'000;
  options.ranks = 2;
  options.steps = 2;
  options.seed = 4;
  return options;
}

using Rows = std::vector<std::vector<std::string>>;

Rows query(const fs::path& path, const std::string& sql) {
  sqlite3* handle = nullptr;
  INFO(path.string());
  REQUIRE(sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK);
  const std::unique_ptr<sqlite3, int (*)(sqlite3*)> closes(handle, sqlite3_close);
  Rows rows;
  char* error = nullptr;
  const int code = sqlite3_exec(
      handle, sql.c_str(),
      [](void* out, int columns, char** values, char**) {
        std::vector<std::string> row;
        for (int i = 0; i < columns; ++i) row.emplace_back(values[i] != nullptr ? values[i] : "null");
        static_cast<Rows*>(out)->push_back(std::move(row));
        return 0;
      },
      &rows, &error);
  const std::string what = error != nullptr ? error : "";
  sqlite3_free(error);
  INFO(what);
  REQUIRE(code == SQLITE_OK);
  return rows;
}

fs::path profiler_db(const Example& example, int rank) {
  return example.output(rank) / ("ascend_pytorch_profiler_" + std::to_string(rank) + ".db");
}

const std::string kKernelsByType =
    "select t.value, c.value, count(*), sum(k.endNs - k.startNs), max(k.endNs - k.startNs) from COMPUTE_TASK_INFO i "
    "join TASK k on k.globalTaskId = i.globalTaskId join STRING_IDS t on t.id = i.opType "
    "join STRING_IDS c on c.id = i.taskType group by 1, 2";

void check_kernels(const fs::path& db, const Json& truth) {
  const Rows rows = query(db, kKernelsByType);
  CHECK(rows.size() == truth["by_type"].size());
  std::map<std::string, std::vector<std::string>> sums;
  for (const auto& row : rows) sums[row[0] + "," + row[1]] = row;
  for (const Json& row : truth["by_type"]) {
    const std::string key = row["op_type"].get<std::string>() + "," + row["core_type"].get<std::string>();
    INFO(key);
    REQUIRE(sums.count(key) == 1);
    CHECK(sums[key][2] == dump_json(row["count"]));
    CHECK(sums[key][3] == std::to_string(ns_of(row["total_us"])));
    CHECK(sums[key][4] == std::to_string(ns_of(row["max_us"])));
  }
}

void check_calls(const fs::path& db, const Json& truth) {
  std::map<std::string, std::vector<std::string>> sums;
  for (const auto& row : query(db,
                               "select e.name, s.value, count(*), sum(endNs - startNs) from CANN_API c join STRING_IDS "
                               "s on s.id = c.name join ENUM_API_TYPE e on e.id = c.type group by 1, 2")) {
    sums[row[0] + "," + row[1]] = row;
  }
  CHECK(sums.size() == truth["rows"].size());
  for (const Json& row : truth["rows"]) {
    const auto& found = sums[row["level"].get<std::string>() + "," + row["name"].get<std::string>()];
    REQUIRE(found.size() == 4);
    CHECK(found[2] == dump_json(row["count"]));
    CHECK(found[3] == std::to_string(ns_of(row["total_us"])));
  }
}

TEST_CASE("the databases' sums are the true ones") {
  for (const char* kind : {"recsys-train", "llm-train"}) {
    const Example example(exported(kind, "db"));
    for (int rank : {0, 1}) {
      const Json& truth = example.truth["per_rank"][std::to_string(rank)];
      const fs::path db = profiler_db(example, rank);
      check_kernels(db, truth["top_operators"]);
      check_calls(db, truth["host_api"]);
      const auto ops =
          query(db,
                "select g.value, substr(t.value, 6, length(t.value) - 6), count(*), sum(endNs - startNs) "
                "from COMMUNICATION_OP o join STRING_IDS g on g.id = o.groupName join STRING_IDS t on t.id "
                "= o.opType group by 1, 2 order by 2, 1");
      REQUIRE(ops.size() == truth["comm_overlap"]["ops"].size());
      for (size_t i = 0; i < ops.size(); ++i) {
        const Json& op = truth["comm_overlap"]["ops"][i];
        CHECK(ops[i][0] == op["group"]);
        CHECK(ops[i][1] == op["type"]);
        CHECK(ops[i][2] == dump_json(op["count"]));
        CHECK(ops[i][3] == std::to_string(ns_of(op["elapse_us"])));
      }
    }
    CHECK_FALSE(fs::exists(example.output(0) / "kernel_details.csv"));
    CHECK_FALSE(example.truth.contains("describe_tables"));
  }
}

TEST_CASE("database and text tell the same run") {
  for (const char* kind : {"recsys-train", "llm-train"}) {
    const Example example(exported(kind, "both"));
    const fs::path db = profiler_db(example, 1);
    Rows kernels =
        query(db,
              "select n.value, t.value, k.startNs, k.endNs - k.startNs, h.value from COMPUTE_TASK_INFO i join "
              "TASK k on k.globalTaskId = i.globalTaskId join STRING_IDS n on n.id = i.name join STRING_IDS t "
              "on t.id = i.opType join STRING_IDS h on h.id = i.inputShapes union all select n.value, "
              "t.value, startNs, endNs - startNs, 'N/A' from COMMUNICATION_OP o join STRING_IDS n on n.id = "
              "o.opName join STRING_IDS t on t.id = o.opType order by 3");
    const auto rows = csv(example.output(1) / "kernel_details.csv");
    REQUIRE(rows.size() == kernels.size() + 1);
    for (size_t i = 0; i < kernels.size(); ++i) {
      const auto& row = rows[i + 1];
      CHECK(kernels[i][0] == row[4]);
      CHECK(kernels[i][1] == row[5]);
      CHECK(kernels[i][2] == std::to_string(ns_of(row[8].substr(0, row[8].find('\t')))));
      CHECK(kernels[i][3] == std::to_string(ns_of(row[9])));
      const std::string shapes = row[14] == "N/A" ? row[14] : row[14].substr(2, row[14].size() - 4);
      CHECK(kernels[i][4] == shapes);
    }

    // Counters of kernels: times to the ns, of which text prints all.
    Rows counted =
        query(db,
              "select k.startNs, max(case s.value when 'aic_total_time' then p.value end), max(case s.value "
              "when 'aiv_mte2_ratio' then p.value end) from TASK_PMU_INFO p join STRING_IDS s on s.id = p.name "
              "join TASK k on k.globalTaskId = p.globalTaskId group by p.globalTaskId order by 1");
    size_t next = 0;
    for (size_t i = 1; i < rows.size(); ++i) {
      if (rows[i][21] == "N/A") continue;
      REQUIRE(next < counted.size());
      CHECK(counted[next][0] == std::to_string(ns_of(rows[i][8].substr(0, rows[i][8].find('\t')))));
      CHECK(counted[next][1] == std::to_string(ns_of(rows[i][21])));
      CHECK(std::stod(counted[next][2]) == std::stod(rows[i][41]));
      ++next;
    }
    CHECK(next == counted.size());

    std::map<std::string, int64_t> in_trace;
    const Json trace = parsed(example.output(1) / "trace_view.json");
    for (const Json& event : trace) {
      if (event["ph"] == "X") ++in_trace[event.value("cat", "")];
    }
    const auto types = query(db, "select type, count(*) from PYTORCH_API group by 1 order by 1");
    REQUIRE(types.size() == 3);
    CHECK(types[0][1] == std::to_string(in_trace["cpu_op"]));
    CHECK(types[1][1] == std::to_string(in_trace["enqueue"] + in_trace["dequeue"]));
    CHECK(types[2][1] == std::to_string(in_trace["python_function"]));

    const auto steps = csv(example.output(1) / "step_trace_time.csv");
    const auto traced = query(example.output(1) / "analysis.db", "select * from StepTraceTime");
    REQUIRE(traced.size() + 1 == steps.size());
    for (size_t i = 0; i < traced.size(); ++i) {
      CHECK(traced[i][0] == steps[i + 1][0]);
      for (size_t column = 1; column < traced[i].size(); ++column) {
        CHECK(std::llround(std::stod(traced[i][column]) * 1e3) == ns_of(steps[i + 1][column]));
      }
    }
    const Json communication = parsed(example.output(1) / "communication.json");
    int64_t operations = 0;
    for (const Json& step : communication) {
      for (const Json& one : step) operations += one.empty() ? 0 : static_cast<int64_t>(one.size()) - 1;
    }
    CHECK(query(example.output(1) / "analysis.db", "select count(*) from CommAnalyzerTime")[0][0] ==
          std::to_string(operations));
  }
}

TEST_CASE("database and text tell the same memory") {
  const Example example(exported("recsys-train", "both"));
  const auto mb = [](const std::string& cell) { return std::to_string(std::llround(std::stod(cell) * (1 << 20))); };
  const auto at = [](const std::string& cell) { return std::to_string(ns_of(cell.substr(0, cell.find('\t')))); };
  const auto records = csv(example.output(1) / "memory_record.csv");
  const Rows in_db =
      query(profiler_db(example, 1),
            "select s.value, timestamp, totalAllocated, totalReserved from MEMORY_RECORD join STRING_IDS "
            "s on s.id = component");
  const Rows process = query(profiler_db(example, 1), "select timestampNs, ddr + hbm from NPU_MEM");
  REQUIRE(records.size() == in_db.size() + process.size() + 1);
  for (size_t i = 0; i < process.size(); ++i) {
    CHECK(process[i] == std::vector<std::string>{at(records[i + 1][1]), mb(records[i + 1][3])});
  }
  for (size_t i = 0; i < in_db.size(); ++i) {
    const auto& record = records[i + 1 + process.size()];
    CHECK(in_db[i] == std::vector<std::string>{record[0], at(record[1]), mb(record[2]), mb(record[3])});
  }
  const auto blocks = csv(example.output(1) / "operator_memory.csv");
  const Rows block_rows = query(profiler_db(example, 1),
                                "select s.value, allocationTime, ifnull(duration, ''), allocationTotalAllocated from "
                                "OP_MEMORY join STRING_IDS s on s.id = name");
  REQUIRE(blocks.size() == block_rows.size() + 1);
  CHECK(block_rows.size() > 10);
  for (size_t i = 0; i < block_rows.size(); ++i) {
    const auto& block = blocks[i + 1];
    CHECK(block_rows[i] ==
          std::vector<std::string>{block[0], at(block[2]), block[5].empty() ? "" : at(block[5]), mb(block[7])});
  }
}

TEST_CASE("a call of the framework leads to its device work through the connections") {
  const Example example(exported("recsys-train", "db"));
  const auto rows =
      query(profiler_db(example, 0),
            "select count(distinct i.globalTaskId), count(*) from PYTORCH_API p join CONNECTION_IDS c on "
            "c.id = p.connectionId join TASK k on k.connectionId = c.connectionId join COMPUTE_TASK_INFO i "
            "on i.globalTaskId = k.globalTaskId where p.type = 50001");
  CHECK(rows[0][0] == dump_json(example.truth["top_operators"]["count"]));
  CHECK(rows[0][0] == rows[0][1]);
  const auto planes =
      query(profiler_db(example, 0),
            "select count(*), (select count(*) from COMMUNICATION_TASK_INFO) from COMMUNICATION_TASK_INFO "
            "c join TASK k on k.globalTaskId = c.globalTaskId join COMMUNICATION_OP o on o.opId = c.opId "
            "where k.startNs >= o.startNs and k.endNs <= o.endNs");
  CHECK(planes[0][0] == planes[0][1]);
  CHECK(planes[0][0] != "0");
}

TEST_CASE("an inference's database says what its text files say") {
  for (const char* form : {"db", "both"}) {
    const Example example(exported("recsys-infer", form));
    fs::path db;
    bool has_text = false;
    for (const auto& entry : fs::recursive_directory_iterator(example.dir / "")) {
      const bool first = entry.path().string().find("PROF_000001") != std::string::npos;
      if (first && entry.path().extension() == ".db") db = entry.path();
      has_text = has_text || entry.path().filename().string().starts_with("op_summary");
    }
    CHECK(has_text == (std::string(form) == "both"));
    check_kernels(db, example.truth["top_operators"]);
    check_calls(db, example.truth["host_api"]);
  }
}

TEST_CASE("databases: equal options give equal bytes") {
  for (const char* kind : {"recsys-train", "recsys-infer"}) {
    const Example one(exported(kind, "both")), again(exported(kind, "both"));
    CHECK(all_files(one.dir) == all_files(again.dir));
    CHECK(all_files(one.dir).size() == static_cast<size_t>(one.report.files));
  }
}

}  // namespace
}  // namespace stepwise::example
