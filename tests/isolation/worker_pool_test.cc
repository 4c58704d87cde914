// Workers at rest and in use, and what their deaths cost the calls after them.
#include "sandbox/worker_pool.h"

#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::sandbox;

TEST_CASE("an answer forgives the deaths beside it: further workers are started at once") {
  const ManualClock clock;
  WorkerPool pool(STEPWISE_WORKER, clock);
  engine::PluginInfo plugin;
  plugin.id = "one";
  plugin.library_path = "one.so";
  auto first = pool.take(plugin);
  REQUIRE(first.ok());
  for (int i = 0; i < 3; ++i) pool.count_death(plugin);
  CHECK(pool.take(plugin).error().code == "plugin.backoff");
  pool.give_back(plugin, std::move(first).value());
  const auto at_rest = pool.take(plugin), another = pool.take(plugin);
  CHECK(at_rest.ok());
  CHECK(another.ok());
}
