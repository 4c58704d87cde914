// Results that are kept: the last used ones, within bounds of number and of memory.
#include "core/engine/result_cache.h"

#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::engine;

namespace {

ResultPtr result_of(int rows) {
  ToolResult result;
  for (int i = 0; i < rows; ++i) result.rows.push_back({{"name", std::string(100, 'n')}, {"n", i}});
  return std::make_shared<const ToolResult>(std::move(result));
}

}  // namespace

TEST_CASE("of more results than are allowed the least recently used goes") {
  ResultCache cache(2);
  cache.put("a", result_of(1));
  cache.put("b", result_of(1));
  CHECK(cache.find("a") != nullptr);
  cache.put("c", result_of(1));
  CHECK(cache.find("a") != nullptr);
  CHECK(cache.find("b") == nullptr);
  CHECK(cache.find("c") != nullptr);
  CHECK(cache.hits() == 3);
}

TEST_CASE("results that take more memory than is allowed go, however few they are") {
  const size_t large = memory_bytes(*result_of(1000));
  CHECK(large > 1000 * 100);
  ResultCache cache(100, 2 * large + 100);
  cache.put("a", result_of(1000));
  cache.put("b", result_of(1000));
  CHECK(cache.find("a") != nullptr);
  cache.put("c", result_of(1000));
  CHECK(cache.find("b") == nullptr);
  CHECK(cache.find("a") != nullptr);
  CHECK(cache.find("c") != nullptr);
  cache.put("d", result_of(10'000));  // larger than all that is allowed: the others stay
  CHECK(cache.find("d") == nullptr);
  CHECK(cache.find("a") != nullptr);
}
