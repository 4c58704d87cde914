#include "core/engine/profile_changes.h"

#include <filesystem>
#include <fstream>

#include "tests/catch.h"
#include "tests/transcripts/temporary_directory.h"

using namespace stepwise;
using namespace stepwise::engine;
namespace fs = std::filesystem;

namespace {

struct Fixture {
  transcripts::TemporaryDirectory dir;
  ProfileChanges changes;
  std::vector<OpenProfilePtr> open;

  Fixture() {
    write("a.csv", "1");
    write("b.csv", "1");
    for (const char* file : {"a.csv", "b.csv"}) {
      auto profile = std::make_shared<OpenProfile>();
      profile->id = std::string("p") + file[0];
      profile->layout.root = dir.path;
      profile->layout.ranks.emplace_back();
      profile->layout.ranks.back().files.emplace_back().path = file;
      open.push_back(profile);
    }
  }
  void write(const char* name, const char* text) const { std::ofstream(fs::path(dir.path) / name) << text; }
  std::vector<std::string> look() { return changes.look(open); }
};

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE_METHOD(Fixture, "a change is told once, when the files have come to rest") {
  CHECK(look().empty());
  CHECK(look().empty());
  write("a.csv", "22");
  CHECK(look().empty());
  write("a.csv", "333");
  CHECK(look().empty());
  CHECK(look() == Ids{"pa"});
  CHECK(look().empty());
}

TEST_CASE_METHOD(Fixture, "a file that is gone is a change, one that came back as it was is none") {
  look();
  fs::rename(fs::path(dir.path) / "b.csv", fs::path(dir.path) / "aside");
  CHECK(look().empty());
  fs::rename(fs::path(dir.path) / "aside", fs::path(dir.path) / "b.csv");
  CHECK(look().empty());
  CHECK(look().empty());
  fs::remove(fs::path(dir.path) / "b.csv");
  CHECK(look().empty());
  CHECK(look() == Ids{"pb"});
}
