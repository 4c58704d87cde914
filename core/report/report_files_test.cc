#include "core/report/report_files.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "core/base/output_directory.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::report;
namespace fs = std::filesystem;

namespace {

struct TemporaryDirectory {
  fs::path path;
  TemporaryDirectory() {
    std::string name = (fs::temp_directory_path() / "stepwise-test-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~TemporaryDirectory() {
    std::error_code ec;
    fs::remove_all(path, ec);
  }
};

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("a report is written where it is wanted") {
  const TemporaryDirectory tmp;
  fs::create_directories(tmp.path / "profile");
  const auto written =
      write_report_files(tmp.path / "a" / "b", tmp.path / "profile", {{"report.md", "x"}, {"report.json", "{}"}});
  REQUIRE(written.ok());
  CHECK(written.value().note.empty());
  CHECK(contents(tmp.path / "a" / "b" / "report.md") == "x");
  CHECK(written.value().files.size() == 2);
  CHECK(std::distance(fs::directory_iterator(tmp.path / "a" / "b"), {}) == 2);  // no half-written leftovers
  REQUIRE(write_report_files(tmp.path / "a" / "b", tmp.path / "profile", {{"report.md", "y"}}).ok());
  CHECK(contents(tmp.path / "a" / "b" / "report.md") == "y");
}

TEST_CASE("a directory that cannot be made gives way to a temporary one, which is told") {
  const TemporaryDirectory tmp;
  fs::create_directories(tmp.path / "profile");
  std::ofstream(tmp.path / "file") << "in the way";
  const auto written = write_report_files(tmp.path / "file" / "report", tmp.path / "profile", {{"report.md", "x"}});
  REQUIRE(written.ok());
  CHECK(written.value().note.find((tmp.path / "file" / "report").string()) != std::string::npos);
  CHECK(contents(written.value().files.at(0).path) == "x");
  fs::remove_all(written.value().dir);
}

TEST_CASE("a profile is never written to") {
  const TemporaryDirectory tmp;
  fs::create_directories(tmp.path / "profile" / "sub");
  fs::create_directory_symlink(tmp.path / "profile", tmp.path / "link");
  for (const char* inside : {"profile/report", "profile", "profile/sub/x", "link/report", "profile/../profile/r"}) {
    INFO(inside);
    CHECK(lies_inside(tmp.path / inside, tmp.path / "profile"));
  }
  CHECK_FALSE(lies_inside(tmp.path / "report", tmp.path / "profile"));
  CHECK_FALSE(lies_inside(tmp.path / "profile2", tmp.path / "profile"));
  const auto written = write_report_files(tmp.path / "link" / "report", tmp.path / "profile", {{"report.md", "x"}});
  REQUIRE(written.ok());
  CHECK_FALSE(written.value().note.empty());
  CHECK_FALSE(fs::exists(tmp.path / "profile" / "report"));
  fs::remove_all(written.value().dir);
}
