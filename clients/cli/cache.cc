// stepwise cache: what was read before, and how much room it takes.
#include <array>
#include <ctime>

#include "clients/cli/commands.h"
#include "clients/cli/terminal_table.h"
#include "core/base/text.h"
#include "core/store/cache.h"

namespace stepwise::cli {
namespace {

std::string utc_text(int64_t unix_s) {
  const auto seconds = static_cast<std::time_t>(unix_s);
  std::tm parts{};
  std::array<char, 32> text{};
  if (gmtime_r(&seconds, &parts) == nullptr) return "";
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M UTC", &parts);
  return text.data();
}

void list_as_json(const store::CacheSummary& summary, const store::Cache& cache, Console& console) {
  Json profiles = Json::array();
  for (const store::CacheEntry& one : summary.profiles) {
    profiles.push_back({{"profile", one.profile_id},
                        {"path", one.profile_path},
                        {"bytes", one.bytes},
                        {"segments", one.segments},
                        {"hits", one.hits},
                        {"made", one.made},
                        {"last_used_unix_s", one.last_used_unix_s}});
  }
  console.result(dump_json_pretty({{"root", cache.root().string()},
                                   {"max_bytes", summary.max_bytes},
                                   {"evicted_segments", summary.evicted_segments},
                                   {"evicted_bytes", summary.evicted_bytes},
                                   {"profiles", std::move(profiles)}}));
}

void list_as_table(const store::CacheSummary& summary, Console& console) {
  uint64_t bytes = 0, hits = 0, made = 0;
  std::vector<std::vector<std::string>> rows;
  for (const store::CacheEntry& one : summary.profiles) {
    bytes += one.bytes;
    hits += one.hits;
    made += one.made;
    rows.push_back({one.profile_id, human_bytes(one.bytes), std::to_string(one.segments), std::to_string(one.hits),
                    std::to_string(one.made), utc_text(one.last_used_unix_s), one.profile_path});
  }
  if (rows.empty()) {
    console.result("The cache is empty.\n");
    return;
  }
  rows.push_back({"in all", human_bytes(bytes), "", std::to_string(hits), std::to_string(made), "", ""});
  console.result(render_table(
      {{"PROFILE"}, {"SIZE", true}, {"SEGMENTS", true}, {"HITS", true}, {"READ", true}, {"LAST USED"}, {"PATH"}}, rows,
      console.result_terminal()));
  console.result("Limit " + human_bytes(summary.max_bytes) + "; " + std::to_string(summary.evicted_segments) +
                 " segments (" + human_bytes(summary.evicted_bytes) + ") made room for others.\n");
}

}  // namespace

int run(const CacheArguments& arguments, const Invocation& invocation) {
  using Action = CacheArguments::Action;
  Console& console = invocation.console;
  if (arguments.action == Action::path) {
    console.result(store::Cache::default_root().string() + "\n");
    return 0;
  }
  auto cache = store::Cache::open(store::Cache::default_root());
  if (!cache.ok()) return console.fail(cache.error());
  if (arguments.action == Action::clear) {
    auto freed = cache.value()->clear();
    if (!freed.ok()) return console.fail(freed.error());
    console.result(invocation.globals.json ? dump_json_pretty({{"freed_bytes", freed.value()}})
                                           : "Freed " + human_bytes(freed.value()) + ".\n");
    return 0;
  }
  const store::CacheSummary summary = cache.value()->list();
  if (invocation.globals.json) {
    list_as_json(summary, *cache.value(), console);
  } else {
    list_as_table(summary, console);
  }
  return 0;
}

}  // namespace stepwise::cli
