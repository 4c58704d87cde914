#include "core/advice/knowledge.h"

#include <sys/stat.h>

#include <string>

#include "core/advice/knowledge_folder_test.h"

namespace stepwise::advice {
namespace {

std::string entry(const std::string& id, const std::string& more = "", const std::string& name = "QUEUE") {
  return R"({"id": ")" + id + R"(", "kind": "env", "name": ")" + name +
         R"(", "status": "verified", "confidence": "high", "effect": "Queues.",
    "value": {"one_of": ["0", "1"]}, "default": "1", "modes": ["eager"],
    "sources": [{"kind": "official_doc", "ref": "Guide", "at": "https://example.com/queue", "says": "0 or 1"}])" +
         more + "}";
}

std::string fault_of(const std::string& list) { return only_fault(list, "parameters.json"); }

}  // namespace

TEST_CASE("the program's own knowledge has no fault") {
  std::vector<Error> faults;
  const auto knowledge = Knowledge::load({"skills/knowledge"}, faults);
  for (const Error& one : faults) UNSCOPED_INFO(to_text(one));
  CHECK(faults.empty());
  CHECK(knowledge->parameters().size() == 288);
  CHECK(knowledge->passes().all().size() == 78);
  CHECK(knowledge->links().all().size() == 31);
  CHECK(knowledge->chips().all().size() == 65);
  REQUIRE(knowledge->find("env.TASK_QUEUE_ENABLE") != nullptr);
  CHECK(knowledge->find("env.TASK_QUEUE_ENABLE")->default_value == "1");
}

TEST_CASE("what the researched entries say of values holds") {
  std::vector<Error> faults;
  const auto knowledge = Knowledge::load({"skills/knowledge"}, faults);
  const auto fit = [&](const char* id, const char* value) {
    const Parameter* one = knowledge->find(id);
    INFO(id << " = " << value);
    REQUIRE(one != nullptr);
    REQUIRE(one->value.has_value());
    return one->value->check(value).fit;
  };
  CHECK(fit("env.AUTOFUSE_FLAGS", "--enable_autofuse=true;--autofuse_enable_pass=reduce,concat") == Fit::yes);
  CHECK(fit("env.AUTOFUSE_FLAGS", "--enable_autofuse=true;--autofuse_enable_pass=gather") == Fit::undocumented);
  CHECK(fit("env.AUTOFUSE_FLAGS", "--autofuse_enable_pass=scatter") == Fit::no);
  CHECK(fit("env.TASK_QUEUE_ENABLE", "2") == Fit::yes);
  CHECK(fit("env.TASK_QUEUE_ENABLE", "3") == Fit::no);
  CHECK(fit("env.CPU_AFFINITY_CONF", "2,npu0:0-1,npu1:2-3") == Fit::yes);
  CHECK(fit("env.CPU_AFFINITY_CONF", "fine") == Fit::no);
  CHECK(fit("opt.ge.aicoreNum", "12|24") == Fit::yes);
  CHECK(fit("opt.ge.dynamicDims", "1,2;4,8") == Fit::yes);
  CHECK(fit("cli.atc.precision_mode", "allow_mix_precision") == Fit::yes);
  CHECK(fit("cli.atc.precision_mode", "allow_hf32") == Fit::no);
  CHECK(fit("api.torch_npu.npu.set_compile_mode", "jit_compile=False") == Fit::yes);
  CHECK(fit("api.torch_npu.npu.set_compile_mode", "overlap=True") == Fit::no);
  CHECK(fit("env.PYTORCH_NPU_ALLOC_CONF", "expandable_segments:True,max_split_size_mb:128") == Fit::yes);
}

TEST_CASE("names are found exactly, without regard to case, and nearly") {
  std::vector<Error> faults;
  const auto knowledge = Knowledge::load({"skills/knowledge"}, faults);
  REQUIRE(knowledge->named("TASK_QUEUE_ENABLE").size() == 1);
  CHECK(knowledge->named("TASK_QUEUE_ENABLE")[0]->id == "env.TASK_QUEUE_ENABLE");
  CHECK(knowledge->named("task_queue_enable").size() == 1);
  CHECK(knowledge->named("--allow_hf32")[0]->id == "cli.atc.allow_hf32");
  CHECK(knowledge->named("--aicore_num").size() == 2);  // the same numbers, as option and on the command line
  CHECK(knowledge->named("TASK_QUEUE_ENABEL").empty());
  REQUIRE_FALSE(knowledge->nearest("TASK_QUEUE_ENABEL").empty());
  CHECK(knowledge->nearest("TASK_QUEUE_ENABEL")[0] == "TASK_QUEUE_ENABLE");
  REQUIRE_FALSE(knowledge->about("bind cpu cores affinity").empty());
  CHECK(knowledge->about("cpu affinity")[0]->name.find("AFFINITY") != std::string::npos);
  CHECK(knowledge->about("").empty());
}

TEST_CASE("names in letters that only look like ASCII are found, and the nearest to them") {
  std::vector<Error> faults;
  const auto knowledge = Knowledge::load({"skills/knowledge"}, faults);
  REQUIRE(knowledge->named("ＴＡＳＫ＿ＱＵＥＵＥ＿ＥＮＡＢＬＥ").size() == 1);
  CHECK(knowledge->named("ｔａｓｋ_queue_enable").size() == 1);
  CHECK(knowledge->named("TASK\u200B_QUEUE_\u0415NABLE").size() == 1);  // a joiner, a Cyrillic letter
  REQUIRE_FALSE(knowledge->nearest("ＴＡＳＫ＿ＱＵＥＵＥ＿ＥＮＡＢＥＬ").empty());
  CHECK(knowledge->nearest("ＴＡＳＫ＿ＱＵＥＵＥ＿ＥＮＡＢＥＬ")[0] == "TASK_QUEUE_ENABLE");
}

TEST_CASE("each fault of an entry is told with its place, and the entry left out") {
  CHECK(fault_of("[1]") == "knowledge.entry #/0");
  CHECK(fault_of("[" + entry("a.b", R"(, "colour": "red")") + "]") == "knowledge.entry #/0/colour");
  CHECK(fault_of("[" + entry("a.b", R"(, "scenarios": ["testing"])") + "]") == "knowledge.entry #/0/scenarios");
  CHECK(fault_of("[" + entry("a.b", R"(, "instead": ["no.such"])") + "]") == "knowledge.entry #/0/instead");
  CHECK(fault_of("[" + entry("a.b") + "," + entry("a.b") + "]") == "knowledge.override #/1");
  std::string wrong = entry("a.b");
  wrong.replace(wrong.find(R"("default": "1")"), 14, R"("default": "7")");
  CHECK(fault_of("[" + wrong + "]") == "knowledge.entry #/0/default");
  wrong = entry("a.b");
  wrong.replace(wrong.find("official_doc"), 12, "hearsay");
  CHECK(fault_of("[" + wrong + "]") == "knowledge.entry #/0/sources/0/kind");
  wrong = entry("a.b");
  wrong.replace(wrong.find("verified"), 8, "contradicted");
  CHECK(fault_of("[" + wrong + "]") == "knowledge.entry #/0/value");
}

TEST_CASE("a file that is no list of entries is told, the others are read") {
  const Folder broken, sound;
  std::vector<Error> faults;
  const auto knowledge = Knowledge::load({broken.with("[{"), sound.with("[" + entry("a.b") + "]")}, faults);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].code == "knowledge.file");
  CHECK(knowledge->parameters().size() == 1);
}

TEST_CASE("what is no regular file is told, neither waited for nor read on and on") {
  const Folder pipe, folder, endless, large;
  const auto file = [](const Folder& where) { return where.with("[]") / "parameters.json"; };
  std::filesystem::remove(file(pipe));
  REQUIRE(::mkfifo((pipe.path() / "parameters.json").c_str(), 0600) == 0);
  std::filesystem::remove(file(folder));
  std::filesystem::create_directory(folder.path() / "parameters.json");
  std::filesystem::remove(file(endless));
  std::filesystem::create_symlink("/dev/zero", endless.path() / "parameters.json");
  std::filesystem::resize_file(file(large), 100u << 20);
  for (const Folder* one : {&pipe, &folder, &endless, &large}) {
    std::vector<Error> faults;
    Knowledge::load({one->path()}, faults);
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].code == "knowledge.file");
  }
}

TEST_CASE("a folder with none of the files is told, one with any of them is not") {
  const Folder none, links_only;
  std::vector<Error> faults;
  Knowledge::load({none.path(), links_only.with("[]", "links.json")}, faults);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].code == "knowledge.file");
  CHECK(faults[0].where == none.path().string());
}

TEST_CASE("each file of an overlay adds, and overrides nothing") {
  const Folder user;
  user.with("[" + entry("env.TASK_QUEUE_ENABLE") + "," + entry("user.c") + "]");
  for (const char* name : {"fusion_passes.json", "links.json", "chips.json"}) {
    std::filesystem::copy(std::filesystem::path("skills/knowledge") / name, user.path() / name);
  }
  std::vector<Error> own_faults, faults;
  const auto own = Knowledge::load({"skills/knowledge"}, own_faults);
  const auto both = Knowledge::load({"skills/knowledge", user.path()}, faults);
  CHECK(own_faults.empty());
  CHECK(both->parameters().size() == own->parameters().size() + 1);
  CHECK(both->passes().all().size() == own->passes().all().size());
  CHECK(both->links().all().size() == own->links().all().size());
  CHECK(both->chips().all().size() == own->chips().all().size());
  CHECK(faults.size() == 1 + own->passes().all().size() + own->links().all().size() + own->chips().all().size());
  for (const Error& one : faults) CHECK(one.code == "knowledge.override");
}

TEST_CASE("a user's knowledge adds and never overrides") {
  const Folder own, user;
  std::vector<Error> faults;
  const auto knowledge = Knowledge::load(
      {own.with("[" + entry("a.b") + "]"), user.with("[" + entry("a.b") + "," + entry("user.c", "", "OURS") + "]")},
      faults);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].code == "knowledge.override");
  CHECK(knowledge->parameters().size() == 2);
  CHECK(knowledge->find("user.c") != nullptr);
}

TEST_CASE("a name that is known already is overridden under no other id, and by no alias") {
  const Folder user;
  std::vector<Error> faults;
  const std::string renamed = R"({"id": "user.queue", "kind": "env", "name": "TASK_QUEUE_ENABLE", "status": "verified",
    "confidence": "high", "effect": "x", "value": {"one_of": ["7"]},
    "sources": [{"kind": "official_doc", "ref": "x", "at": "x", "says": "x"}]})";
  std::string aliased = renamed;
  aliased.replace(aliased.find("TASK_QUEUE_ENABLE"), std::string("TASK_QUEUE_ENABLE").size(), "OUR_QUEUE");
  aliased.replace(aliased.find("user.queue"), std::string("user.queue").size(), "user.alias");
  aliased.insert(1, R"("aliases": ["NPU_OPS_SYNC"], )");
  const auto knowledge = Knowledge::load({"skills/knowledge", user.with("[" + renamed + "," + aliased + "]")}, faults);
  REQUIRE(faults.size() == 2);
  for (const Error& one : faults) CHECK(one.code == "knowledge.override");
  CHECK(knowledge->named("TASK_QUEUE_ENABLE").size() == 1);
  CHECK(knowledge->find("user.alias") == nullptr);
}

}  // namespace stepwise::advice
