#include "core/advice/chip.h"

#include <string>

#include "core/advice/knowledge_folder_test.h"

namespace stepwise::advice {
namespace {

const std::string kSource = R"({"kind": "official_doc", "ref": "Sheet", "at": "https://example.com", "says": "24"})";
const std::string kFigure = R"({"value": 24, "confidence": "high", "source": )" + kSource + "}";
const std::string kChip = R"({"id": "one", "name": "Chip One", "vendor": "amd", "hardware": "gpu", "aliases": ["C1"],
  "cores": {"multiprocessor": )" +
                          kFigure + R"(}, "peak_flops": {"float16": )" + kFigure + "}}";

std::string fault_of(const std::string& from, const std::string& to) {
  return only_fault("[" + but(kChip, from, to) + "]", Chips::kFile);
}

}  // namespace

TEST_CASE("chips are found as profilers write them, with what sources say") {
  std::vector<Error> faults;
  const auto knowledge = Knowledge::load({"skills/knowledge"}, faults);
  const Chips& chips = knowledge->chips();
  const Chip* one = chips.find("Ascend910B2");
  REQUIRE(one != nullptr);
  CHECK(chips.find("910b2") == one);
  CHECK(one->hardware == "ascend_a2");
  CHECK(one->cube_cores->value == 24);
  CHECK(one->vector_cores->value == 48);
  CHECK(one->memory_bytes->value == 68719476736.0);
  CHECK_FALSE(one->multiprocessors.has_value());

  one = chips.find("NVIDIA A100-SXM4-80GB");
  REQUIRE(one != nullptr);
  CHECK(one->multiprocessors->value == 108);
  CHECK(one->memory_bytes->value == 84990623744.0);
  CHECK(one->peak_flops.at("bfloat16").value == 312e12);
  CHECK(one->memory_bandwidth_bytes_per_s->value == 2039e9);
  CHECK(one->links.at("nvlink").value == 300e9);

  one = chips.find("AMD Instinct MI300X");
  REQUIRE(one != nullptr);
  CHECK(one->multiprocessors->value == 304);
  CHECK(one->peak_flops.at("float16").value == 1307.4e12);
  CHECK(chips.find("NVIDIA H100 80GB HBM3")->peak_flops.at("bfloat16").value == 989e12);  // without sparsity
}

TEST_CASE("what is unknown is absent, not guessed") {
  std::vector<Error> faults;
  const auto knowledge = Knowledge::load({"skills/knowledge"}, faults);
  CHECK(knowledge->chips().find("Ascend910B9") == nullptr);
  CHECK(knowledge->chips().find("") == nullptr);
  const Chip* family = knowledge->chips().find("Ascend910_93");  // says which family, not which chip
  REQUIRE(family != nullptr);
  CHECK_FALSE(family->cube_cores.has_value());
  CHECK(family->peak_flops.empty());
}

TEST_CASE("each fault of a chip is told with its place") {
  const Folder folder;
  std::vector<Error> faults;
  CHECK(Knowledge::load({folder.with("[" + kChip + "]", Chips::kFile)}, faults)->chips().find("c1") != nullptr);
  CHECK(faults.empty());
  CHECK(fault_of(R"("value": 24)", R"("value": 0)") == "knowledge.entry #/0/cores/multiprocessor/value");
  CHECK(fault_of(R"("value": 24)", R"("value": "24")") == "knowledge.entry #/0/cores/multiprocessor/value");
  CHECK(fault_of(R"("confidence": "high", )", "") == "knowledge.entry #/0/cores/multiprocessor/confidence");
  CHECK(fault_of(R"(, "source": )" + kSource, "") == "knowledge.entry #/0/cores/multiprocessor");
  CHECK(fault_of(R"(, "says": "24")", "") == "knowledge.entry #/0/cores/multiprocessor/source/says");
  CHECK(fault_of("float16", "half") == "knowledge.entry #/0/peak_flops/half");
  CHECK(fault_of("multiprocessor", "shader") == "knowledge.entry #/0/cores/shader");
  CHECK(fault_of(R"("amd")", R"("acme")") == "knowledge.entry #/0/vendor");
  CHECK(fault_of(R"("gpu")", R"("card")") == "knowledge.entry #/0/hardware");
  const std::string same_alias = but(but(kChip, R"("one")", R"("two")"), "Chip One", "c1");
  CHECK(only_fault("[" + kChip + "," + same_alias + "]", Chips::kFile) == "knowledge.override #/1");
}

}  // namespace stepwise::advice
