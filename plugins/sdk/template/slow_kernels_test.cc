// Calls the tool as a host would, through the library's one symbol: sw_entry.
#include <cstdio>
#include <string>

#include "stepwise/sdk.hpp"
#include "stepwise/testing.hpp"

using namespace stepwise;
namespace kernel = stepwise::table::kernel;

#define EXPECT(condition)                                                                   \
  do {                                                                                      \
    if (!(condition)) return std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition), 1; \
  } while (false)

int main() {
  const sw_plugin* plugin = sw_entry(SW_ABI_MAJOR, SW_ABI_MINOR);
  EXPECT(plugin != nullptr);
  EXPECT(plugin->tool_count == 1);
  EXPECT(sw_entry(SW_ABI_MAJOR + 1, 0) == nullptr);

  sdk::testing::Table kernels(kernel::kTable, "kernel_details.csv");
  kernels.row().set(kernel::name, "short").set(kernel::dur_ns, 2'000).set(kernel::src_pos, 1);
  kernels.row().set(kernel::name, "long").set(kernel::dur_ns, 9'500).set(kernel::src_pos, 2);
  kernels.row().set(kernel::name, "longer").set(kernel::dur_ns, 12'000).set(kernel::src_pos, 3);
  sdk::testing::Host host;
  host.add(0, std::move(kernels));
  const sdk::Value result = host.run(plugin->tools[0], R"({"longer_than_us": 2})");
  EXPECT(result["rows"].size() == 2);
  EXPECT(result["rows"].at(0)["name"].text() == "longer");
  EXPECT(result["rows"].at(1)["dur_us"].number() == 9.5);
  EXPECT(result["rows"].at(1)["row"].integer() == 2);
  return 0;
}
