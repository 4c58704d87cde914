// Memory of training examples: the files against each other and against truth.json.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "clients/example/example_test_support.h"

namespace stepwise::example {
namespace {

int64_t bytes_of(const std::string& cell, int power) { return std::llround(std::ldexp(std::stod(cell), power)); }

}  // namespace

TEST_CASE("memory of a training: records follow from the blocks, and the truth from the records") {
  for (const char* kind : {"recsys-train", "llm-train"}) {
    ExampleOptions options;
    options.kind = kind;
    options.events = 6'000;
    options.ranks = 1;
    options.steps = 3;
    options.seed = 5;
    const Example example(options);
    const auto records = csv(example.output(0) / "memory_record.csv");
    const auto blocks = csv(example.output(0) / "operator_memory.csv");
    const auto modules = csv(example.output(0) / "npu_module_mem.csv");
    const Json& tables = example.truth["describe_tables"];
    CHECK(records.size() == tables["memory"].get<size_t>() + 1);
    CHECK(blocks.size() == tables["memory_block"].get<size_t>() + 1);
    CHECK(modules.size() == tables["module_memory"].get<size_t>() + 1);

    std::vector<std::pair<int64_t, int64_t>> changes;  // when, by how much
    size_t never_released = 0;
    for (size_t i = 1; i < blocks.size(); ++i) {
      const auto& block = blocks[i];
      REQUIRE(block.size() == 15);
      const int64_t bytes = bytes_of(block[1], 10), alloc_ns = ns_of(block[2]);
      changes.emplace_back(alloc_ns, bytes);
      never_released += block[3].empty();
      if (block[3].empty()) continue;
      changes.emplace_back(ns_of(block[3]), -bytes);
      CHECK(ns_of(block[5]) == ns_of(block[3]) - alloc_ns);
      CHECK(ns_of(block[5]) >= 0);
    }
    CHECK(never_released > 0);
    CHECK(never_released < blocks.size() / 2);

    constexpr int64_t kModelBytes = int64_t{640} << 20;
    int64_t peak_allocated = 0, peak_reserved = 0, last_ns = 0;
    size_t of_allocator = 0;
    for (size_t i = 1; i < records.size(); ++i) {
      const auto& record = records[i];
      REQUIRE(record.size() == 7);
      if (record[0] != "PTA") continue;
      ++of_allocator;
      const int64_t ns = ns_of(record[1]), allocated = bytes_of(record[2], 20), reserved = bytes_of(record[3], 20);
      CHECK(ns >= last_ns);
      CHECK(reserved >= allocated);
      const bool is_last_of_instant = i + 2 >= records.size() || records[i + 2][1] != record[1];
      if (is_last_of_instant) {
        int64_t expected = kModelBytes;
        for (const auto& [when, bytes] : changes) expected += when <= ns ? bytes : 0;
        CHECK(allocated == expected);
      }
      last_ns = ns;
      peak_allocated = std::max(peak_allocated, allocated);
      peak_reserved = std::max(peak_reserved, reserved);
    }
    CHECK(of_allocator == changes.size());
    CHECK(example.truth["memory"]["peak_allocated_bytes"] == peak_allocated);
    CHECK(example.truth["memory"]["peak_reserved_bytes"] == peak_reserved);
    CHECK(example.truth["memory"]["blocks"] == blocks.size() - 1);
    CHECK(peak_allocated > kModelBytes);
  }
}

}  // namespace stepwise::example
