#include "core/advice/fusion_pass.h"

#include <algorithm>
#include <set>
#include <string>

#include "core/advice/knowledge_folder_test.h"

namespace stepwise::advice {
namespace {

std::shared_ptr<const Knowledge> own() {
  std::vector<Error> faults;
  auto knowledge = Knowledge::load({"skills/knowledge"}, faults);
  REQUIRE(faults.empty());
  return knowledge;
}

const std::string kPass = R"({"id": "graph.A", "name": "A", "kind": "graph", "pattern": "Add -> Mul",
  "chains": [["Add|Sub", "Mul"]], "replacement": "AddMul", "constraints": {"dtype": ["float16"], "shape": "static"},
  "modes": ["ge"], "toolchains": ["atc"], "can_be_switched_off": true, "how_to_enable": null, "confidence": "low",
  "sources": [{"kind": "official_doc", "ref": "Guide", "at": "https://example.com"}]})";

std::string fault_of(const std::string& from, const std::string& to) {
  return only_fault("[" + but(kPass, from, to) + "]", FusionPasses::kFile);
}

}  // namespace

TEST_CASE("all the researched passes are there, of each kind") {
  const auto knowledge = own();
  const auto count = [&](PassKind kind) {
    const auto& all = knowledge->passes().all();
    return std::count_if(all.begin(), all.end(), [&](const FusionPass& one) { return one.kind == kind; });
  };
  CHECK(count(PassKind::example) == 15);
  CHECK(count(PassKind::graph) == 24);
  CHECK(count(PassKind::ub) == 6);
  CHECK(count(PassKind::in_operator) == 19);
  CHECK(count(PassKind::fx) == 14);
}

TEST_CASE("two passes cannot or must not be switched off, and no others are said to be so") {
  const auto knowledge = own();
  std::set<std::string> fixed;
  for (const FusionPass& one : knowledge->passes().all()) {
    if (one.can_be_switched_off == false) fixed.insert(one.name);
  }
  CHECK(fixed == std::set<std::string>{"AddNFusionPass", "InterleaveRope2RotaryPositionEmbeddingFusionPass"});
}

TEST_CASE("what the researched passes say can be checked by a machine") {
  const auto knowledge = own();
  const FusionPass* one = knowledge->passes().named("addlayernormfusionpass");
  REQUIRE(one != nullptr);
  CHECK(one->id == "graph.AddLayerNormFusionPass");
  // Add [-> Add] [-> Cast] -> LayerNorm or its later versions: each of the two may be there or not.
  const std::vector<std::string> last = {"LayerNorm", "LayerNormV3", "LayerNormV4"};
  CHECK(one->chains ==
        std::vector<OpChain>{
            {{"Add"}, last}, {{"Add"}, {"Cast"}, last}, {{"Add"}, {"Add"}, last}, {{"Add"}, {"Add"}, {"Cast"}, last}});
  CHECK(one->constraints.hardware == std::vector<std::string>{"ascend_a2", "ascend_950"});
  CHECK(one->constraints.shape == PassShape::not_stated);

  one = knowledge->passes().find("ub.TbeDynamicElemwiseReduceFusionPass");
  REQUIRE(one != nullptr);
  CHECK(one->constraints.shape == PassShape::dynamic);
  CHECK(one->chains.empty());  // its operators are known by class only
  CHECK(std::count(one->constraints.hardware.begin(), one->constraints.hardware.end(), "ascend_950") == 0);

  one = knowledge->passes().find("fx.bmm_transpose");  // of no effect in max-autotune
  REQUIRE(one != nullptr);
  CHECK(one->modes == std::vector<std::string>{"npu_graph"});
  REQUIRE(one->how_to_enable.has_value());
  CHECK(one->how_to_enable->parameters == std::vector<std::string>{"opt.npugraph_ex.pattern_fusion_pass"});
  CHECK_FALSE(knowledge->passes().find("fx.dlrm_grouped_embedding")->how_to_enable.has_value());  // has no caller
  CHECK(knowledge->passes().find("graph.Nonsense") == nullptr);
  CHECK(knowledge->passes().named("Nonsense") == nullptr);
}

TEST_CASE("no pass asks for a fusion switch file: it is no way to fuse") {
  const auto knowledge = own();
  for (const FusionPass& one : knowledge->passes().all()) {
    if (!one.how_to_enable) continue;
    for (const std::string& id : one.how_to_enable->parameters) {
      CHECK(id != "opt.ge.fusionSwitchFile");
      CHECK(id != "cli.atc.fusion_switch_file");
    }
  }
}

TEST_CASE("each fault of a pass is told with its place, and the pass left out") {
  const Folder folder;
  std::vector<Error> faults;
  CHECK(Knowledge::load({folder.with("[" + kPass + "]", FusionPasses::kFile)}, faults)->passes().all().size() == 1);
  CHECK(faults.empty());
  CHECK(fault_of(R"("kind": "graph")", R"("kind": "magic")") == "knowledge.entry #/0/kind");
  CHECK(fault_of("Add|Sub", "Add||Sub") == "knowledge.entry #/0/chains/0");
  CHECK(fault_of("Add|Sub", "Add -> Sub") == "knowledge.entry #/0/chains/0");
  CHECK(fault_of(R"([["Add|Sub", "Mul"]])", R"(["Add"])") == "knowledge.entry #/0/chains/0");
  CHECK(fault_of(R"([["Add|Sub", "Mul"]])", "[]") == "knowledge.entry #/0/chains");
  CHECK(fault_of("float16", "half") == "knowledge.entry #/0/constraints/dtype");
  CHECK(fault_of("static", "small") == "knowledge.entry #/0/constraints/shape");
  CHECK(fault_of(R"(["ge"])", R"(["graph:GE"])") == "knowledge.entry #/0/modes");
  CHECK(fault_of(R"(["ge"])", "[]") == "knowledge.entry #/0");
  CHECK(fault_of(R"("can_be_switched_off": true)", R"("can_be_switched_off": "no")") ==
        "knowledge.entry #/0/can_be_switched_off");
  CHECK(fault_of(R"("how_to_enable": null, )", "") == "knowledge.entry #/0");
  CHECK(fault_of("null", R"({"says": "So.", "parameters": ["env.NONE"]})") ==
        "knowledge.entry #/0/how_to_enable/parameters");
  CHECK(fault_of(R"("official_doc")", R"("code_repository")") ==
        "knowledge.entry #/0/sources/0/commit");  // lacks commit
  CHECK(only_fault("[" + kPass + "," + kPass + "]", FusionPasses::kFile) == "knowledge.override #/1");
  CHECK(only_fault("[1]", FusionPasses::kFile) == "knowledge.entry #/0");
}

}  // namespace stepwise::advice
