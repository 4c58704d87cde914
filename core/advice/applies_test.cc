#include "core/advice/applies.h"

#include "tests/catch.h"

namespace stepwise::advice {
namespace {

using Answer = Applies::Answer;

Parameter parameter(std::vector<std::string> modes, std::vector<std::string> toolchains = {},
                    std::vector<std::string> scenarios = {}, std::vector<std::string> frameworks = {},
                    std::vector<std::string> hardware = {}) {
  Parameter one;
  one.name = "NAME";
  one.modes = std::move(modes);
  one.toolchains = std::move(toolchains);
  one.scenarios = std::move(scenarios);
  one.frameworks = std::move(frameworks);
  one.hardware = std::move(hardware);
  return one;
}

Answer answer(const Parameter& one, const Context& context) {
  const Applies applied = applies(one, context);
  CHECK(applied.why.empty() == (applied.answer == Answer::yes));
  return applied.answer;
}

}  // namespace

TEST_CASE("one of the modes must fit; an undetermined mode fits none for sure") {
  const Parameter eager = parameter({"eager"});
  CHECK(answer(eager, {.mode = "eager"}) == Answer::yes);
  CHECK(answer(eager, {.mode = "ge"}) == Answer::no);
  CHECK(answer(eager, {.mode = "undetermined"}) == Answer::unknown);
  CHECK(answer(eager, {.mode = "graph_dump"}) == Answer::unknown);
  CHECK(answer(eager, {}) == Answer::yes);
  CHECK(answer(parameter({"any"}), {.mode = "undetermined"}) == Answer::yes);
}

TEST_CASE("an eager part beside captured graphs takes what is for eager") {
  const Parameter eager = parameter({"eager"});
  CHECK(answer(eager, {.mode = "cuda_graph"}) == Answer::no);
  CHECK(answer(eager, {.mode = "cuda_graph", .has_eager_part = true}) == Answer::yes);
  CHECK(is_for_eager_part(eager, {.mode = "cuda_graph", .has_eager_part = true}));
  CHECK_FALSE(is_for_eager_part(parameter({"eager", "cuda_graph"}), {.mode = "cuda_graph", .has_eager_part = true}));
  CHECK(answer(parameter({"ge"}), {.mode = "cuda_graph", .has_eager_part = true}) == Answer::no);
}

TEST_CASE("a compiled graph's parameter must belong to its toolchain") {
  const Parameter atc = parameter({"ge", "ge_autofuse", "eager"}, {"atc"});
  CHECK(answer(atc, {.mode = "ge", .toolchain = "atc"}) == Answer::yes);
  CHECK(answer(atc, {.mode = "ge_autofuse", .toolchain = "torchair"}) == Answer::no);
  CHECK(answer(atc, {.mode = "ge"}) == Answer::yes);
  CHECK(answer(atc, {.mode = "eager", .toolchain = "torchair"}) == Answer::yes);
}

TEST_CASE("scenario, framework and hardware must fit") {
  CHECK(answer(parameter({}, {}, {"training"}), {.scenario = "inference"}) == Answer::no);
  CHECK(answer(parameter({}, {}, {"training"}), {.scenario = "undetermined"}) == Answer::yes);
  CHECK(answer(parameter({}, {}, {}, {"tensorflow"}), {.framework = "pytorch"}) == Answer::no);
  CHECK(answer(parameter({}, {}, {}, {"ascend"}), {.framework = "pytorch"}) == Answer::yes);
  CHECK(answer(parameter({}, {}, {}, {"ascend"}), {.framework = "pytorch", .on_gpu = true}) == Answer::no);
  CHECK(answer(parameter({}, {}, {}, {}, {"gpu"}), {}) == Answer::no);
  CHECK(answer(parameter({}, {}, {}, {}, {"gpu"}), {.on_gpu = true}) == Answer::yes);
  CHECK(answer(parameter({}, {}, {}, {}, {"ascend_a2"}), {.on_gpu = true}) == Answer::no);
}

}  // namespace stepwise::advice
