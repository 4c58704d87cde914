#include "clients/example/target_dir.h"

#include <unistd.h>

#include <fstream>

#include "tests/catch.h"

namespace stepwise::example {
namespace {

namespace fs = std::filesystem;

struct Scratch {
  fs::path path = fs::temp_directory_path() / ("stepwise_target_" + std::to_string(::getpid()));
  Scratch() { fs::remove_all(path); }
  ~Scratch() { fs::remove_all(path); }
  void touch(const fs::path& file) const {
    fs::create_directories((path / file).parent_path());
    std::ofstream(path / file) << "x";
  }
};

}  // namespace

TEST_CASE("a directory that is not there is made") {
  const Scratch dir;
  CHECK(prepare_target(dir.path / "a" / "b").ok());
  CHECK(fs::is_directory(dir.path / "a" / "b"));
}

TEST_CASE("somebody's profile is never overwritten") {
  for (const char* file : {"rank0_ascend_pt/profiler_info_0.json", "notes.txt"}) {
    const Scratch dir;
    dir.touch(file);
    const auto result = prepare_target(dir.path);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().code == "example.occupied");
    CHECK(fs::exists(dir.path / file));
  }
}

TEST_CASE("ranks of an earlier example go, and nothing else") {
  const Scratch dir;
  dir.touch("truth.json");
  dir.touch("rank0_ascend_pt/profiler_info_0.json");
  dir.touch("rank13_ascend_pt/profiler_info_13.json");
  dir.touch("PROF_000001_20250109080000000_STEPWISEEXAMPLEA/host/info.json");
  dir.touch("ge_dump_example/ge_onnx_00000001_graph_1_Build.pbtxt");
  dir.touch("PROF_000001_20250109080000000_KGAPBKDQQPLMZKRA/keep");
  dir.touch("rankX_ascend_pt/keep");
  dir.touch("notes.txt");
  REQUIRE(prepare_target(dir.path).ok());
  CHECK_FALSE(fs::exists(dir.path / "rank0_ascend_pt"));
  CHECK_FALSE(fs::exists(dir.path / "rank13_ascend_pt"));
  CHECK_FALSE(fs::exists(dir.path / "PROF_000001_20250109080000000_STEPWISEEXAMPLEA"));
  CHECK_FALSE(fs::exists(dir.path / "ge_dump_example"));
  CHECK(fs::exists(dir.path / "PROF_000001_20250109080000000_KGAPBKDQQPLMZKRA" / "keep"));
  CHECK(fs::exists(dir.path / "rankX_ascend_pt" / "keep"));
  CHECK(fs::exists(dir.path / "notes.txt"));
}

}  // namespace stepwise::example
