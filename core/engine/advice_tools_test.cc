// lookup_parameter, over knowledge that the test writes itself.
#include "core/engine/advice_tools.h"

#include <fstream>

#include "core/base/task.h"
#include "core/store/test_tables.h"
#include "tests/catch.h"

namespace stepwise::engine {
namespace {

constexpr const char* kKnowledge = R"([
 {"id": "env.QUEUE", "kind": "env", "name": "QUEUE_ENABLE", "status": "verified", "confidence": "high",
  "effect": "Queues operators on the host.", "value": {"one_of": ["0", "1", "2"]}, "default": "1", "modes": ["eager"],
  "scenarios": ["training"],
  "sources": [{"kind": "official_doc", "ref": "Guide", "at": "https://example.com/queue", "says": "0, 1 or 2"}]},
 {"id": "env.GONE", "kind": "env", "name": "QUEUE_SYNC", "status": "not_found", "effect": "Said to wait.",
  "instead": ["env.QUEUE"]}])";

/// lookup_parameter asks the host for nothing.
class NoHost : public CallHost {
 public:
  const CancelFlag& cancel() const override { return cancel_; }
  ProgressGauge& progress() override { return progress_; }
  Result<void> read(std::span<const uint32_t>, std::string_view) override { return {}; }
  Result<const sw_table*> table(uint32_t, std::string_view) override { return static_cast<const sw_table*>(nullptr); }
  Result<Json> call(std::string_view, Json) override { return Json(); }
  const OpenProfile* profile() const override { return nullptr; }
  const LoadedSegment* segment(uint32_t, table::Group) const override { return nullptr; }

 private:
  CancelFlag cancel_;
  ProgressGauge progress_;
};

Json lookup(const Json& arguments) {
  const store::test::TemporaryDirectory folder;
  std::ofstream(folder.path() / "parameters.json") << kKnowledge;
  using Paths = std::vector<std::filesystem::path>;
  const auto tools = AdviceTools::make(std::make_shared<AdviceBooks>(Paths{folder.path()}, Paths{}));
  REQUIRE(tools.ok());
  NoHost host;
  auto result = tools.value()->call("lookup_parameter", arguments, host);
  if (!result.ok()) return {{"error", result.error().code}};
  return to_json(result.value());
}

}  // namespace

TEST_CASE("what advice is made from is read when it is first asked for, once") {
  const store::test::TemporaryDirectory folder;
  const AdviceBooks books({folder.path()}, {});
  std::ofstream(folder.path() / "parameters.json") << kKnowledge;
  const auto& read = books.knowledge();
  CHECK_FALSE(read->parameters().empty());  // of the file that was not there before
  std::filesystem::remove(folder.path() / "parameters.json");
  CHECK(books.knowledge() == read);
  CHECK(&books.rules()->knowledge() == read.get());
}

TEST_CASE("a name gives the entry with its sources, whatever its case") {
  const Json answer = lookup({{"name", "queue_enable"}});
  CHECK(answer["found"] == true);
  CHECK(answer["entry"]["id"] == "env.QUEUE");
  CHECK(answer["entry"]["values"] == "one of 0, 1, 2");
  CHECK(answer["entry"]["sources"][0]["source_kind"] == "official_doc");
  CHECK_FALSE(answer.contains("applies"));
}

TEST_CASE("a value, a mode and a scenario are judged") {
  const auto value = [](const char* one) { return lookup({{"name", "QUEUE_ENABLE"}, {"value", one}})["value_fits"]; };
  CHECK(value("2")["answer"] == "yes");
  CHECK(value("1")["why"] == "It is the default already.");
  CHECK(value("3")["answer"] == "no");
  CHECK(lookup({{"name", "QUEUE_SYNC"}, {"value", "0"}})["value_fits"]["answer"] == "unknown");
  const auto applied = [](const Json& more) {
    Json arguments = {{"name", "QUEUE_ENABLE"}};
    arguments.update(more);
    return lookup(arguments)["applies"]["answer"];
  };
  CHECK(applied({{"mode", "eager"}}) == "yes");
  CHECK(applied({{"mode", "ge"}}) == "no");
  CHECK(applied({{"mode", "undetermined"}}) == "unknown");
  CHECK(applied({{"mode", "eager"}, {"scenario", "inference"}}) == "no");
}

TEST_CASE("an unknown name gives the nearest ones, a topic rows") {
  const Json unknown = lookup({{"name", "QUEUE_ENABEL"}});
  CHECK(unknown["found"] == false);
  CHECK(unknown["nearest"][0] == "QUEUE_ENABLE");
  const Json topic = lookup({{"query", "queue operators"}});
  CHECK(topic["rows"][0]["id"] == "env.QUEUE");
  CHECK(topic["total_rows"] == 2);
  CHECK(lookup({{"query", "bananas"}})["found"] == false);
}

TEST_CASE("a name that no source knows is not found, and the verdict says so first") {
  const Json gone = lookup({{"name", "QUEUE_SYNC"}});
  CHECK(gone["found"] == false);
  CHECK(gone["verdict"] == "The name does not exist: no source knows it; do not set it. Right instead: QUEUE_ENABLE.");
  CHECK(gone["entry"]["status"] == "not_found");
  CHECK(lookup({{"name", "QUEUE_ENABLE"}})["verdict"] == "The name exists and is verified.");
}

TEST_CASE("a name or a topic is needed, not both") {
  CHECK(lookup(Json::object())["error"] == "args.lookup");
  CHECK(lookup({{"name", "A"}, {"query", "b"}})["error"] == "args.lookup");
}

}  // namespace stepwise::engine
