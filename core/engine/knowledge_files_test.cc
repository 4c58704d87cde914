// The files of skills/knowledge against the schemas beside them. The schemas are for people and editors; the loaders of
// core/advice decide, and check more.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "core/base/text.h"
#include "core/engine/schema.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::engine;

namespace {

const std::string kFolder = "skills/knowledge/";
constexpr const char* kNames[] = {"parameters", "fusion_passes", "links", "chips"};

Json read(const std::string& path) {
  std::ifstream file(path);
  REQUIRE(file.good());
  auto json = parse_json(std::string(std::istreambuf_iterator<char>(file), {}));
  REQUIRE(json.ok());
  return std::move(json).value();
}

Json schema_of(const std::string& name) { return read(kFolder + "schema/" + name + ".json"); }
Json data_of(const std::string& name) { return read(kFolder + name + ".json"); }

/// Where it does not fit; "": it fits.
std::string fault_of(const std::string& name, const Json& data) {
  const auto result = validate(schema_of(name), data);
  return result.ok() ? "" : result.error().where;
}

}  // namespace

TEST_CASE("each knowledge file fits the schema beside it") {
  for (const std::string name : kNames) {
    INFO(name);
    CHECK(check_schema(schema_of(name)).ok());
    const auto result = validate(schema_of(name), data_of(name));
    if (!result.ok()) FAIL(to_text(result.error()));
  }
}

TEST_CASE("measures cite documents of the list only") {
  std::set<std::string> known;
  for (const Json& one : data_of("links")) known.insert(to_lower(one["name"].get<std::string>()));
  size_t cited = 0;
  for (const auto& file : std::filesystem::directory_iterator("skills/measures")) {
    if (file.path().filename() == "schema.json") continue;
    for (const Json& measure : read(file.path().string())) {
      for (const Json& name : measure.value("links", Json::array())) {
        INFO(file.path().string() << " cites " << name.get<std::string>());
        CHECK(known.contains(to_lower(name.get<std::string>())));
        ++cited;
      }
    }
  }
  CHECK(cited > 0);
}

TEST_CASE("the schemas refuse what is no field, no word, or missing") {
  for (const std::string name : kNames) {
    INFO(name);
    Json data = data_of(name);
    data[0]["colour"] = "red";
    CHECK(fault_of(name, data) == "/0/colour");
    data = data_of(name);
    data[0].erase("name");
    CHECK(fault_of(name, data) == "/0/name");
    data = data_of(name);
    data[1]["name"] = 1;
    CHECK(fault_of(name, data) == "/1/name");
    CHECK_FALSE(fault_of(name, Json::object()).empty());
  }
  Json data = data_of("parameters");
  data[0]["modes"] = {"graph"};
  CHECK(fault_of("parameters", data) == "/0/modes/0");
  data = data_of("fusion_passes");
  data[0]["how_to_enable"] = {{"says", "So."}};
  CHECK(fault_of("fusion_passes", data) == "/0/how_to_enable/parameters");
  data = data_of("chips");
  data[0]["peak_flops"] = {{"float16", {{"value", 1}, {"confidence", "high"}}}};
  CHECK(fault_of("chips", data) == "/0/peak_flops/float16/source");
}
