// Resources and completion of a real, small profile through the real engine: that what they ask is what tools can
// answer.
#include "protocol/mcp/own_profile.h"

#include <fstream>

#include "protocol/mcp/own_catalog.h"
#include "tests/catch.h"
#include "tests/transcripts/temporary_directory.h"

using namespace stepwise;
using namespace stepwise::mcp;

namespace {

namespace fs = std::filesystem;

using Contents = std::vector<ResourceContents>;
using Names = std::vector<std::string>;

/// One rank with three kernels of two types, and one without a type.
fs::path make_profile(const fs::path& dir) {
  const fs::path run = dir / "run_ascend_pt";
  fs::create_directories(run / "ASCEND_PROFILER_OUTPUT");
  std::ofstream(run / "profiler_info_0.json") << "{}";
  std::ofstream(run / "ASCEND_PROFILER_OUTPUT" / "kernel_details.csv")
      << "Step Id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Input Shapes\r\n"
         "1,mm0,MatMul,AI_CORE,1700000000000000.000,2.000,0,\"2,3;3,2\"\r\n"
         "1,mm1,MatMul,AI_CORE,1700000000000010.000,4.000,0,\"2,3;3,2\"\r\n"
         "1,it's,It's,AI_CORE,1700000000000020.000,9.000,0,\"1\"\r\n"
         "1,typeless,,AI_CORE,1700000000000040.000,1.000,0,\"1\"\r\n";
  return run;
}

struct Bench {
  Bench() {
    engine::EngineOptions options;
    options.cache_root = dir.path / "cache";
    options.knowledge_dirs = {"skills/knowledge"};
    engine = engine::Engine::start(std::move(options)).value();
    catalog = own_catalog({"skills", "docs", *engine});
    const engine::Answer opened = call("open_profile", {{"path", make_profile(dir.path).string()}});
    REQUIRE_FALSE(opened.error);
    id = opened.structured["id"];
  }
  ~Bench() { engine->stop(); }

  engine::Answer call(const std::string& tool, Json arguments) const {
    engine::Request request;
    request.tool = tool;
    request.arguments = std::move(arguments);
    return engine::call_and_wait(*engine, std::move(request));
  }
  template <class T>
  Result<T> settled(const std::optional<CatalogAnswer<T>>& answer) const {
    REQUIRE(answer);
    const auto& by_tool = std::get<ByTool<T>>(*answer);
    return by_tool.then(engine::call_and_wait(*engine, by_tool.request));
  }
  Result<Contents> read(const std::string& uri) const { return settled(catalog->read(uri, {})); }
  Names operators(const std::string& typed) const {
    const CompletionAsk ask{false, "profile://{id}/operators/{op_type}", "op_type", typed, {{"id", id}}};
    return settled(catalog->complete(ask)).value().values;
  }

  const transcripts::TemporaryDirectory dir;
  std::unique_ptr<engine::Engine> engine;
  std::shared_ptr<const Catalog> catalog;
  std::string id;
};

}  // namespace

TEST_CASE("an open profile's id is what its resources go by, and is completed") {
  const Bench b;
  CHECK(is_profile_id(b.id));
  const CompletionAsk ask{true, "analyze_training", "profile", "", {}};
  CHECK(b.settled(b.catalog->complete(ask)).value().values == Names{b.id, (b.dir.path / "run_ascend_pt").string()});
}

TEST_CASE("every table can be read, filled or not") {
  const Bench b;
  for (const std::string& table : table_names()) {
    INFO(table);
    const auto got = b.read("profile://" + b.id + "/tables/" + table);
    REQUIRE(got.ok());
    const Json page = parse_json(got.value().at(0).text).value();
    CHECK(page["columns"].size() > 2);
    if (table != "kernel") continue;
    CHECK(page["rows"].size() == 4);
    CHECK_FALSE(page.contains("more"));
  }
  const auto list = b.read("profile://" + b.id + "/tables");
  REQUIRE(list.ok());
  CHECK(list.value()[0].text.find("kernel") != std::string::npos);
}

TEST_CASE("operators are completed by what they cost, and each can be read, whatever its name") {
  const Bench b;
  CHECK(b.operators("") == Names{"It's", "MatMul", "typeless"});
  CHECK(b.operators("mAt") == Names{"MatMul"});
  CHECK(b.operators("'") == Names{"It's"});
  const auto matmul = b.read("profile://" + b.id + "/operators/MatMul");
  REQUIRE(matmul.ok());
  CHECK(matmul.value()[0].text.find("2,3;3,2") != std::string::npos);
  CHECK(b.read("profile://" + b.id + "/operators/It%27s").ok());
  CHECK(b.read("profile://" + b.id + "/operators/typeless").ok());
  const auto none = b.read("profile://" + b.id + "/operators/mm0");
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().code == "resource.unknown");
}

TEST_CASE("a profile that is not open is an unknown resource") {
  const Bench b;
  const auto got = b.read("profile://p00000000/tables");
  REQUIRE_FALSE(got.ok());
  CHECK(got.error().code == "resource.unknown");
  CHECK(got.error().where == "profile://p00000000/tables");
}

TEST_CASE("parameters are completed and read; one that nobody knows leads to the nearest") {
  const Bench b;
  const CompletionAsk ask{false, "stepwise://parameters/{name}", "name", "task_queue", {}};
  CHECK(std::get<Completion>(*b.catalog->complete(ask)).values == Names{"TASK_QUEUE_ENABLE"});
  const auto known = b.read("stepwise://parameters/TASK_QUEUE_ENABLE");
  REQUIRE(known.ok());
  CHECK(known.value()[0].text.find("verdict: ") != std::string::npos);
  // What does not exist is not offered; asked for, it leads to what is right.
  const CompletionAsk wrong{false, "stepwise://parameters/{name}", "name", "NPU_OPS_SYNC", {}};
  CHECK(std::get<Completion>(*b.catalog->complete(wrong)).values.empty());
  const auto no_such = b.read("stepwise://parameters/NPU_OPS_SYNC");
  REQUIRE(no_such.ok());
  CHECK(no_such.value()[0].text.find("ASCEND_LAUNCH_BLOCKING") != std::string::npos);
  const auto unknown = b.read("stepwise://parameters/TASK_QUEUE_ENABLED");
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().hint == "Nearest: stepwise://parameters/TASK_QUEUE_ENABLE.");
}
