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

/// Both read the same segments: one cache.
class Comparison {
 public:
  /// The profile in `dir`, or those in the folders below it. Returns how many calls were answered.
  int compare_below(const fs::path& dir, int depth = kDeepest) {
    const auto opened = call(*here_, "open_profile", {{"path", dir.string()}});
    if (!opened.error) return compare(dir, opened.structured["ranks"]);
    int answered = 0;
    std::error_code none;
    for (fs::directory_iterator it(dir, none), end; depth > 0 && !none && it != end; it.increment(none)) {
      if (it->is_directory()) answered += compare_below(it->path(), depth - 1);
    }
    return answered;
  }

 private:
  static constexpr int kDeepest = 4;

  int compare(const fs::path& profile, const Json& ranks) {
    int answered = 0;
    for (const auto& [name, tool] : here_->registry()->tools()) {
      if (tool.plugin == nullptr) continue;
      std::vector<Json> arguments = {{{"profile", profile.string()}}};
      for (const Json& rank : tool.decl.per_rank ? ranks : Json::array()) {
        arguments.push_back({{"profile", profile.string()}, {"rank", rank}});
      }
      for (const Json& one : arguments) {
        const auto expected = call(*here_, name, one), got = call(*there_, name, one);
        INFO(name << " " << dump_json(one));
        CHECK(bytes_of(got) == bytes_of(expected));
        if (!expected.error && expected.structured["status"] != "not_applicable") ++answered;
      }
    }
    return answered;
  }

  const ScratchDir dir_;
  const std::unique_ptr<engine::Engine> here_ = start_engine(Where::in_process, own_plugins(), dir_.path / "cache");
  const std::unique_ptr<engine::Engine> there_ = start_engine(Where::in_worker, own_plugins(), dir_.path / "cache");
};

fs::path shared_data() {
  const char* given = std::getenv("STEPWISE_SHARED");
  return fs::path(given != nullptr ? given : "../shared") / "data";
}

}  // namespace

TEST_CASE("tools answer the same on synthetic profiles") {
  const ScratchDir dir;
  for (const uint64_t seed : {1, 2}) {
    example::ExampleOptions options;
    options.dir = dir.path / std::to_string(seed);
    options.seed = seed;
    options.events = 3000;
    options.ranks = 2;
    options.steps = 3;
    REQUIRE(example::write_example(options).ok());
  }
  CHECK(Comparison().compare_below(dir.path) >= 16);  // at least four tools, on two ranks of two runs
}

TEST_CASE("tools answer the same on real profiles") {
  if (!fs::is_directory(shared_data())) {
    WARN("skipped: no real profiles in " << shared_data());
    return;
  }
  Comparison comparison;
  int answered = 0;
  for (const auto& entry : fs::directory_iterator(shared_data())) {
    if (entry.is_directory()) answered += comparison.compare_below(entry.path());
  }
  INFO(answered << " calls");
  CHECK(answered > 0);
}
