#include "core/advice/rules/rule_book.h"

#include <cstdlib>
#include <fstream>

#include "core/base/small_file.h"
#include "tests/catch.h"

namespace stepwise::advice {
namespace {

namespace fs = std::filesystem;

/// A directory of metrics, one rule and one measure without faults; each test changes one thing.
class Skills {
 public:
  Skills() {
    std::string name = (fs::temp_directory_path() / "stepwise-rules-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
    fs::create_directories(path_ / "rules");
    fs::create_directories(path_ / "measures");
    metrics = parse_json(R"([{"name": "load", "kind": "number"}, {"name": "mode.value", "kind": "text"}])").value();
    rule = parse_json(R"({"id": "busy", "severity": "low", "hardware": "ascend", "scenario": "training",
      "when": {"metric": "load", "op": ">", "value": 1}, "trigger": "load", "bound": "load", "source": "Test",
      "since": "2026-11", "says": {"en": "{load:%}", "zh": "{load}"}})")
               .value();
    measure = parse_json(R"({"id": "rest", "answers": ["busy"], "hardware": "ascend", "scenario": "training",
      "direction": {"en": "Rest.", "zh": "休息。"}, "gain": {"en": "Some.", "zh": "有。"}, "risk_kind": "none",
      "where": {"en": "Here", "zh": "此处"}, "source": "Test",
      "ways": [{"modes": ["eager"], "parameters": [{"id": "env.TASK_QUEUE_ENABLE", "value": "2"}],
                "example": "{param:env.TASK_QUEUE_ENABLE}={value:env.TASK_QUEUE_ENABLE}"}]})")
                  .value();
  }
  ~Skills() { fs::remove_all(path_); }
  Skills(const Skills&) = delete;
  Skills& operator=(const Skills&) = delete;

  std::shared_ptr<const RuleBook> load(std::vector<Error>& faults) const {
    std::ofstream(path_ / "metrics.json") << dump_json(metrics);
    std::ofstream(path_ / "rules" / "a.json") << dump_json(Json::array({rule}));
    std::ofstream(path_ / "measures" / "a.json") << dump_json(Json::array({measure}));
    std::ofstream(path_ / "rules" / "schema.json") << "{}";
    return RuleBook::load({path_}, Knowledge::load({"skills/knowledge"}, faults), faults);
  }
  /// Code and place behind the directory of the first fault.
  std::string fault() const {
    std::vector<Error> faults;
    load(faults);
    REQUIRE_FALSE(faults.empty());
    return faults[0].code + " " + faults[0].where.substr(path_.string().size() + 1);
  }
  const fs::path& path() const { return path_; }

  Json metrics, rule, measure;

 private:
  fs::path path_;
};

}  // namespace

TEST_CASE("the program's own rules and measures have no fault") {
  std::vector<Error> faults;
  const auto knowledge = Knowledge::load({"skills/knowledge"}, faults);
  const auto book = RuleBook::load({"skills"}, knowledge, faults);
  for (const Error& one : faults) UNSCOPED_INFO(to_text(one));
  CHECK(faults.empty());
  CHECK(book->rules().size() == 66);
  CHECK(book->measures().size() == 65);
}

TEST_CASE("a rule and a measure are read") {
  const Skills skills;
  std::vector<Error> faults;
  const auto book = skills.load(faults);
  CHECK(faults.empty());
  REQUIRE(book->rule("busy") != nullptr);
  CHECK(book->rule("busy")->says.en == "{load:%}");
  CHECK(book->measure("rest")->ways.front().parameters.front().value == "2");
  CHECK(book->rule("rest") == nullptr);
}

TEST_CASE("each fault of a rule is told with its place") {
  const auto fault = [](const char* pointer, const Json& value) {
    Skills skills;
    skills.rule[Json::json_pointer(pointer)] = value;
    return skills.fault();
  };
  CHECK(fault("/severity", "urgent") == "rules.entry rules/a.json#/0/severity");
  CHECK(fault("/colour", "red") == "rules.entry rules/a.json#/0/colour");
  CHECK(fault("/says/en", "") == "rules.entry rules/a.json#/0/says/en");
  CHECK(fault("/trigger", "other") == "rules.entry rules/a.json#/0/trigger");
  CHECK(fault("/when/op", "~") == "rules.condition rules/a.json#/0/when/op");
  CHECK(fault("/when/metric", "weight") == "rules.metric rules/a.json#/0/when");
  CHECK(fault("/when/value", {{"chip", "cores"}}) == "rules.metric rules/a.json#/0/when");
  CHECK(fault("/when", {{"metric", "mode.value"}, {"op", "=="}, {"value", true}}) ==
        "rules.metric rules/a.json#/0/when");
  CHECK(fault("/bound", "mode.value") == "rules.metric rules/a.json#/0/bound");
  CHECK(fault("/bound", {{"product", {"load", "weight"}}}) == "rules.metric rules/a.json#/0/bound");
  CHECK(fault("/bound", {{"sum", {"load"}}}) == "rules.entry rules/a.json#/0/bound/product");
  CHECK(fault("/says/zh", "{weight}") == "rules.metric rules/a.json#/0/says/zh");
  CHECK(fault("/says/en", "{mode.value:%}") == "rules.metric rules/a.json#/0/says/en");
}

TEST_CASE("each fault of a measure is told with its place") {
  const auto fault = [](const char* pointer, const Json& value) {
    Skills skills;
    skills.measure[Json::json_pointer(pointer)] = value;
    return skills.fault();
  };
  const std::string first = "measures/a.json#/0", parameter = first + "/ways/0/parameters/0";
  CHECK(fault("/answers", {"lazy"}) == "rules.unreachable " + first + "/answers");
  CHECK(fault("/answers", Json::array()) == "rules.entry " + first + "/answers");
  CHECK(fault("/scenario", "inference") == "rules.unreachable " + first + "/answers");
  CHECK(fault("/hardware", "gpu") == "rules.unreachable " + first + "/answers");
  CHECK(fault("/modes", {"ge"}) == "rules.unreachable " + first + "/ways/0/modes");
  CHECK(fault("/ways/0/scenario", "inference") == "rules.unreachable " + first + "/ways/0/scenario");
  CHECK(fault("/ways/0/modes", Json::array()) == "rules.entry " + first + "/ways/0/modes");
  CHECK(fault("/ways/0/modes", {"ge"}) == "rules.parameter " + parameter);
  CHECK(fault("/ways/0/frameworks", {"tensorflow"}) == "rules.parameter " + parameter);
  CHECK(fault("/ways/0/parameters/0/id", "env.NO_SUCH") == "rules.parameter " + parameter);
  CHECK(fault("/ways/0/parameters/0/id", "env.NPU_OPS_SYNC") == "rules.parameter " + parameter);  // not found
  CHECK(fault("/ways/0/parameters/0/value", "3") == "rules.parameter " + parameter);
  CHECK(fault("/ways/0/parameters/0/value", "1") == "rules.parameter " + parameter);  // the default
  CHECK(fault("/ways/0/example", "{param:env.OTHER}") == "rules.entry " + first + "/ways/0/example");
  CHECK(fault("/risk_kind", "memory") == "rules.entry " + first + "/risk");  // a risk is said in words
  CHECK(fault("/links", {"Some page"}) == "rules.entry " + first + "/links");
  CHECK(fault("/excludes", {"work"}) == "rules.entry " + first + "/excludes");
  CHECK(fault("/when", {{"metric", "weight"}, {"op", ">"}, {"value", 1}}) == "rules.metric " + first + "/when");
}

TEST_CASE("a parameter of some hardware or scenario only needs a way that says so") {
  Skills skills;
  skills.measure["hardware"] = "agnostic";
  CHECK(skills.fault() == "rules.parameter measures/a.json#/0/ways/0/parameters/0");
  skills.measure["ways"][0]["hardware"] = "ascend";
  std::vector<Error> faults;
  skills.load(faults);
  CHECK(faults.empty());
  skills.measure["scenario"] = "any";
  skills.measure["ways"] = Json::array({{{"modes", {"eager"}}, {"parameters", {{{"id", "opt.DDP.static_graph"}}}}}});
  CHECK(skills.fault() == "rules.parameter measures/a.json#/0/ways/0/parameters/0");
}

TEST_CASE("a graph mode's parameter in eager mode is the second step of a conversion, or a fault") {
  Skills skills;
  skills.measure["ways"] = Json::array({{{"modes", {"eager"}}, {"parameters", {{{"id", "api.torch.compile"}}}}}});
  CHECK(skills.fault() == "rules.parameter measures/a.json#/0/ways/0/parameters/0");
  skills.measure["ways"][0]["parameters"][0]["after_conversion"] = true;
  std::vector<Error> faults;
  skills.load(faults);
  CHECK(faults.empty());
}

TEST_CASE("a later directory adds, and overrides nothing; what has a fault is left out") {
  const Skills first, second;
  std::vector<Error> faults;
  first.load(faults);
  second.load(faults);
  const auto book =
      RuleBook::load({first.path(), second.path()}, Knowledge::load({"skills/knowledge"}, faults), faults);
  REQUIRE(faults.size() == 4);  // two metrics, a rule, a measure
  for (const Error& one : faults) CHECK(one.code == "rules.override");
  CHECK(book->rules().size() == 1);
  CHECK(book->measures().size() == 1);
}

TEST_CASE("files that are none are told, directories that are not there are not") {
  const Skills skills;
  std::vector<Error> faults;
  skills.load(faults);
  std::ofstream(skills.path() / "rules" / "b.json") << "[";
  std::ofstream(skills.path() / "rules" / "c.json") << "{}";
  const auto knowledge = Knowledge::load({"skills/knowledge"}, faults);
  const auto book = RuleBook::load({skills.path(), skills.path() / "nowhere"}, knowledge, faults);
  REQUIRE(faults.size() == 2);
  CHECK(faults[0].code == "rules.file");
  CHECK(faults[0].where.find("b.json@") != std::string::npos);
  CHECK(faults[1].where.ends_with("c.json"));
  CHECK(book->rules().size() == 1);
}

TEST_CASE("the guide's rule and measure have no fault") {
  const std::string page = read_small_file("docs/guide/rules.md", 1u << 20).value();
  std::vector<Json> blocks;
  const std::string open = "```json\n";
  for (size_t at = page.find(open); at != page.npos; at = page.find(open, at)) {
    at += open.size();
    blocks.push_back(parse_json(page.substr(at, page.find("```", at) - at)).value());
  }
  REQUIRE(blocks.size() == 2);
  Skills skills;
  skills.metrics = Json::array();  // it asks for metrics that there are
  skills.rule = blocks[0];
  skills.measure = blocks[1];
  std::vector<Error> faults;
  skills.load(faults);
  faults.clear();
  const auto book = RuleBook::load({"skills", skills.path()}, Knowledge::load({"skills/knowledge"}, faults), faults);
  for (const Error& one : faults) UNSCOPED_INFO(to_text(one));
  CHECK(faults.empty());
  CHECK(book->rule("data_late") != nullptr);
  CHECK(book->measure("h2d.pinned_loader") != nullptr);
}

}  // namespace stepwise::advice
