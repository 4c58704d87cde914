#include "core/engine/path_roots.h"

#include <fstream>

#include "core/engine/engine.h"
#include "core/engine/test_provider.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::engine;
using namespace stepwise::engine::testing;

namespace {

namespace fs = std::filesystem;

/// base/root/run/file, base/secret, and links of every kind in base/root.
struct Places {
  fs::path base;

  Places() {
    std::string name = (fs::temp_directory_path() / "stepwise-roots-XXXXXX").string();
    base = fs::canonical(::mkdtemp(name.data()));
    fs::create_directories(base / "root" / "run");
    std::ofstream(base / "root" / "run" / "file") << "x";
    std::ofstream(base / "secret") << "x";
    fs::create_directory_symlink(base, base / "root" / "up");
    fs::create_symlink(base / "secret", base / "root" / "to_secret");
    fs::create_symlink("../absent", base / "root" / "to_absent");
    fs::create_symlink("run/file", base / "root" / "to_file");
    fs::create_symlink("to_itself", base / "root" / "to_itself");
    fs::create_directory_symlink(base / "root", base / "alias");
  }
  ~Places() {
    std::error_code ec;
    fs::remove_all(base, ec);
  }
  std::string path(const std::string& below) const { return (base / below).string(); }
};

/// The real path, else the error's code.
std::string found(const PathRoots& roots, const std::string& given) {
  const auto path = roots.find(given);
  return path.ok() ? path.value().string() : path.error().code;
}

}  // namespace

TEST_CASE("roots: under a working directory that is gone lies nothing") {
  const Places places;
  const fs::path before = fs::current_path();
  fs::create_directory(places.base / "gone");
  fs::current_path(places.base / "gone");
  fs::remove(places.base / "gone");
  const PathRoots roots({fs::path()});
  fs::current_path(before);
  CHECK(found(roots, places.path("secret")) == "profile.outside_roots");
  CHECK_FALSE(roots.holds(places.base / "secret"));
}

TEST_CASE("roots: of what lies outside nobody learns whether it is there") {
  const Places places;
  const PathRoots roots({places.base / "root"});
  for (const char* below : {"secret", "absent", "root/../secret", "root/../absent", "root/up/secret", "root/up/absent",
                            "root/up", "root/to_secret", "root/to_absent", "rootless", ""}) {
    const std::string given = places.path(below);
    const auto path = roots.find(given);
    INFO(given);
    REQUIRE_FALSE(path.ok());
    CHECK(path.error().code == "profile.outside_roots");
    CHECK(path.error().where == given);
    CHECK(to_text(path.error()).find("root") != std::string::npos);
  }
  CHECK(found(roots, "/proc/self/environ") == "profile.outside_roots");
  CHECK(roots.find("/proc/self/environ").error().where == "/proc/self/environ");
}

TEST_CASE("roots: inside one, links and dots lead where the file system says") {
  const Places places;
  const PathRoots roots({places.base / "root"});
  const std::string file = places.path("root/run/file");
  for (const char* below : {"root/run/file", "root/to_file", "root/./run/../run/file", "root/run//file"})
    CHECK(found(roots, places.path(below)) == file);
  CHECK(found(roots, places.path("root/")) == places.path("root"));
  CHECK(found(roots, places.path("root/none")) == "profile.missing");
  CHECK(found(roots, places.path("root/to_itself")) == "profile.missing");
}

TEST_CASE("roots: one that is a link goes by both names") {
  const Places places;
  const PathRoots roots({places.base / "alias"});
  for (const char* below : {"alias/run", "root/run"})
    CHECK(found(roots, places.path(below)) == places.path("root/run"));
  CHECK(found(roots, places.path("alias/to_secret")) == "profile.outside_roots");
}

TEST_CASE("roots: a relative path is one below a root, whichever has it") {
  const Places places;
  fs::create_directories(places.base / "other" / "later");
  const PathRoots roots({places.base / "root", places.base / "other"});
  CHECK(found(roots, "run") == places.path("root/run"));
  CHECK(found(roots, "later") == places.path("other/later"));
  CHECK(found(roots, "../secret") == "profile.outside_roots");
  const auto none = roots.find("none");
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().code == "profile.missing");
  CHECK(none.error().where == "none");
  for (const char* root : {"root", "other"}) CHECK_THAT(none.error().hint, Catch::Contains(places.path(root)));
  CHECK_THAT(none.error().hint, Catch::Contains("open_profile"));
}

TEST_CASE("roots: without any, a path may lie anywhere, and its error says where it was looked for") {
  const Places places;
  const PathRoots anywhere({});
  CHECK(found(anywhere, places.path("secret")) == places.path("secret"));
  CHECK(found(anywhere, places.path("absent")) == "profile.missing");
  CHECK_THAT(anywhere.find("no/such/place").error().hint, Catch::Contains(fs::current_path().string()));
}

TEST_CASE("roots: no path, one with a NUL and a very long one get an error of their own") {
  const Places places;
  for (const PathRoots& roots : {PathRoots({}), PathRoots({places.base / "root"})}) {
    CHECK(roots.find("").error().message == "The path is empty.");
    CHECK(found(roots, places.path("root/run") + std::string("\0x", 2)) == "profile.missing");
    const auto long_one = roots.find("/" + std::string(100'000, 'x'));
    REQUIRE_FALSE(long_one.ok());
    CHECK(to_text(long_one.error()).size() < 2'000);
  }
}

TEST_CASE("roots: an error of a profile names the path as it was given") {
  const Places places;
  EngineOptions options;
  options.roots = {places.base / "root"};
  TestEngine t(std::move(options));
  const std::pair<const char*, const char*> cases[] = {{"to_file", "profile.none"},
                                                       {"run", "profile.none"},
                                                       {"up/secret", "profile.outside_roots"},
                                                       {"to_absent", "profile.outside_roots"},
                                                       {"gone", "profile.missing"}};
  for (const auto& [given, code] : cases) {
    const Answer answer = t.submit("open_profile", {{"path", given}})->wait();
    INFO(given);
    REQUIRE(answer.error.has_value());
    CHECK(answer.error->code == code);
    CHECK(answer.error->where == given);
    CHECK(to_text(*answer.error).find(places.path("secret")) == std::string::npos);
    CHECK(to_text(*answer.error).find("run/file") == std::string::npos);
  }
}
