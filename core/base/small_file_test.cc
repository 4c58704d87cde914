#include "core/base/small_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "tests/catch.h"

using namespace stepwise;
namespace fs = std::filesystem;

TEST_CASE("a small file is read whole; pipes, devices, folders, links to nowhere and larger files are not") {
  std::string made = (fs::temp_directory_path() / "small_file_XXXXXX").string();
  REQUIRE(::mkdtemp(made.data()) != nullptr);
  const fs::path root = made;
  std::ofstream(root / "four") << "abcd";
  std::ofstream(root / "none").flush();
  CHECK(read_small_file(root / "four", 5) == "abcd");
  CHECK(read_small_file(root / "four", 4) == "abcd");
  CHECK(read_small_file(root / "four", 3) == std::nullopt);
  CHECK(read_small_file(root / "none", 0) == "");
  REQUIRE(::mkfifo((root / "pipe").c_str(), 0600) == 0);
  fs::create_symlink("loop", root / "loop");
  for (const fs::path& path : {root / "pipe", root / "loop", root / "absent", root, fs::path("/dev/zero")}) {
    INFO(path);
    CHECK(read_small_file(path, 1'000'000) == std::nullopt);
  }
  fs::remove_all(root);
}
