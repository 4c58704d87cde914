// The schemas of rules and measures: they are for those who write such files; the program's own loader says more.
#include "core/base/small_file.h"
#include "core/engine/schema.h"
#include "tests/catch.h"

#include <filesystem>

namespace stepwise::engine {
namespace {

Json read(const std::filesystem::path& path) {
  const auto text = read_small_file(path, 1u << 20);
  REQUIRE(text);
  return parse_json(*text).value();
}

}  // namespace

TEST_CASE("rules and measures keep to their schemas, which refuse what is none") {
  for (const char* kind : {"rules", "measures"}) {
    const std::filesystem::path folder = std::filesystem::path("skills") / kind;
    const Json schema = read(folder / "schema.json");
    REQUIRE(check_schema(schema).ok());
    int files = 0;
    Json some;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().filename() == "schema.json") continue;
      INFO(entry.path());
      some = read(entry.path());
      const auto verdict = validate(schema, some);
      if (!verdict.ok()) UNSCOPED_INFO(to_text(verdict.error()));
      CHECK(verdict.ok());
      ++files;
    }
    CHECK(files > 3);
    Json spoilt = some;
    spoilt[0]["colour"] = "red";
    CHECK_FALSE(validate(schema, spoilt).ok());
    spoilt = some;
    spoilt[0].erase("source");
    CHECK_FALSE(validate(schema, spoilt).ok());
    spoilt = some;
    spoilt[0]["hardware"] = "tpu";
    CHECK_FALSE(validate(schema, spoilt).ok());
  }
}

}  // namespace stepwise::engine
