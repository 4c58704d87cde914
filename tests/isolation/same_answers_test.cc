// Every tool of every first-party plugin answers byte for byte the same in process and in a worker: on synthetic
// profiles, and on the real ones where they are at hand.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "clients/example/example.h"
#include "tests/catch.h"
#include "tests/isolation/isolated_engine.h"

using namespace stepwise;
using namespace stepwise::testing;

namespace {

namespace fs = std::filesystem;

/// All that a caller sees.
std::string bytes_of(const engine::Answer& answer) {
  if (answer.error) {
    return answer.error->code + "\n" + to_text(*answer.error);
  }
  return dump_json(answer.structured) + "\n" + answer.text;
}

struct Compared {
  int calls = 0, answered = 0;
};

/// Both read the same segments: one cache.
Compared compare_all(const std::vector<fs::path>& profiles) {
  const ScratchDir dir;
  const auto here = start_engine(Where::in_process, own_plugins(), dir.path / "cache");
  const auto there = start_engine(Where::in_worker, own_plugins(), dir.path / "cache");
  Compared compared;
  for (const fs::path& profile : profiles) {
    const auto opened = call(*here, "open_profile", {{"path", profile.string()}});
    if (opened.error) continue;
    for (const auto& [name, tool] : here->registry()->tools()) {
      if (tool.plugin == nullptr) continue;
      std::vector<Json> arguments = {{{"profile", profile.string()}}};
      if (tool.decl.per_rank) {
        const Json ranks = opened.structured["ranks"];
        arguments.push_back({{"profile", profile.string()}, {"rank", ranks.empty() ? Json(0) : ranks.back()}});
      }
      for (const Json& one : arguments) {
        const auto expected = call(*here, name, one), got = call(*there, name, one);
        INFO(name << " " << dump_json(one));
        CHECK(bytes_of(got) == bytes_of(expected));
        ++compared.calls;
        if (!expected.error && expected.structured["status"] != "not_applicable") ++compared.answered;
      }
    }
  }
  return compared;
}

fs::path shared_data() {
  const char* given = std::getenv("STEPWISE_SHARED");
  return fs::path(given != nullptr ? given : "../shared") / "data";
}

}  // namespace

TEST_CASE("tools answer the same on synthetic profiles") {
  const ScratchDir dir;
  std::vector<fs::path> profiles;
  for (const uint64_t seed : {1, 2}) {
    example::ExampleOptions options;
    options.dir = dir.path / std::to_string(seed);
    options.seed = seed;
    options.events = 3000;
    options.ranks = 2;
    options.steps = 3;
    REQUIRE(example::write_example(options).ok());
    profiles.push_back(options.dir);
  }
  const Compared compared = compare_all(profiles);
  CHECK(compared.answered >= 16);  // four tools, two ranks, two profiles
}

TEST_CASE("tools answer the same on real profiles") {
  std::vector<fs::path> profiles;
  std::error_code none;
  for (fs::directory_iterator it(shared_data(), none), end; !none && it != end; it.increment(none)) {
    if (it->is_directory()) profiles.push_back(it->path());
  }
  if (none || profiles.empty()) {
    WARN("skipped: no real profiles in " << shared_data());
    return;
  }
  CHECK(compare_all(profiles).answered > 0);
}
