// No false refusals: every verified entry, used where and as its sources say, gets through.
#include "core/advice/gate/gate.h"
#include "core/advice/gate/own_knowledge_test.h"
#include "core/base/small_file.h"
#include "tests/catch.h"

namespace stepwise::advice {
namespace {

/// A run that the entry is for.
Context home_of(const Parameter& one) {
  const auto first = [](const std::vector<std::string>& list) { return list.empty() ? "" : list.front(); };
  Context home{.mode = first(one.modes), .toolchain = first(one.toolchains), .scenario = first(one.scenarios)};
  if (home.mode == "any") home.mode.clear();
  home.on_gpu = one.hardware == std::vector<std::string>{"gpu"};
  if (one.needs_varying_shapes) home.shapes_vary = true;
  return home;
}

/// Values that the entry's own file says are right, out of its grammar's words.
std::vector<std::string> values_of(const Json& grammar) {
  std::vector<std::string> values;
  if (!grammar.is_object()) return values;
  if (grammar.contains("one_of")) {
    for (const Json& one : grammar["one_of"]) values.push_back(one.get<std::string>());
  } else if (grammar.contains("integer")) {
    const Json& bounds = grammar["integer"];
    const int64_t step = bounds.value("multiple_of", int64_t{1});
    const int64_t low = bounds.value("min", int64_t{0}), high = bounds.value("max", low + 8 * step);
    values = {std::to_string((low + step - 1) / step * step), std::to_string(high / step * step)};
  } else if (grammar.contains("list_of")) {
    const auto pieces = values_of(grammar["list_of"]);
    if (!pieces.empty()) values.push_back(pieces.front() + grammar.value("separator", ",") + pieces.back());
  } else if (grammar.contains("pairs")) {
    for (const auto& [key, inner] : grammar["pairs"].items()) {
      for (const std::string& value : values_of(inner)) values.push_back(key + grammar.value("assign", "=") + value);
    }
  }
  return values;
}

bool is_no_op(const Verdict& verdict) { return verdict.code == "default"; }

}  // namespace

TEST_CASE("every verified entry is accepted by name where it is for, unless it is not sure enough") {
  size_t accepted = 0;
  for (const Parameter& one : own_knowledge()->parameters()) {
    if (one.status != Status::verified || one.kind == ParameterKind::claim) continue;
    const Verdict verdict = Gate(own_knowledge(), home_of(one)).check({one.name});
    INFO(one.id << ": " << verdict.reason);
    if (one.confidence == Confidence::low) {
      CHECK(verdict.code == "low_confidence");
      continue;
    }
    CHECK(verdict.decision == Decision::accepted);
    CHECK(verdict.reason.empty());
    ++accepted;
  }
  CHECK(accepted >= 260);
}

TEST_CASE("every value that a verified entry lists is accepted, unless it is the default") {
  const Json file = parse_json(read_small_file("skills/knowledge/parameters.json", 8u << 20).value_or("")).value();
  size_t accepted = 0, no_ops = 0;
  for (const Json& entry : file) {
    const Parameter* one = own_knowledge()->find(entry["id"].get<std::string>());
    REQUIRE(one != nullptr);
    if (one->status != Status::verified || one->confidence == Confidence::low || !entry.contains("value")) continue;
    for (const std::string& value : values_of(entry["value"])) {
      const Verdict verdict = Gate(own_knowledge(), home_of(*one)).check({one->name, value});
      INFO(one->id << " " << value << ": " << verdict.reason);
      CHECK((verdict.decision == Decision::accepted || is_no_op(verdict)));
      ++(is_no_op(verdict) ? no_ops : accepted);
    }
  }
  CHECK(accepted >= 300);
  CHECK(no_ops >= 30);
}

TEST_CASE("what acts on the host or in NCCL is not refused for the way in which kernels are launched") {
  const std::vector<Proposed> of_host{{"torch.utils.data.DataLoader(num_workers=...)", "8"},
                                      {"torch.utils.data.DataLoader(pin_memory=...)", "True"},
                                      {"gc.freeze"}};
  const std::vector<Proposed> of_gpu{{"NCCL_BUFFSIZE", "8388608"}, {"torch.backends.cuda.matmul.allow_tf32", "True"}};
  for (const bool on_gpu : {false, true}) {
    for (const char* mode : {"eager", "inductor_triton", "cuda_graph", "npu_graph"}) {
      if (on_gpu && mode == std::string_view("npu_graph")) continue;
      const Gate gate(own_knowledge(), {.mode = mode, .scenario = "training", .on_gpu = on_gpu});
      for (const Proposed& one : on_gpu ? of_gpu : of_host) {
        const Verdict verdict = gate.check(one);
        INFO(one.name << " in " << mode << ": " << verdict.reason);
        CHECK(verdict.decision == Decision::accepted);
      }
    }
  }
}

TEST_CASE(
    "every entry that is not verified is refused, under each of its names, with what is right where that is known") {
  for (const Parameter& one : own_knowledge()->parameters()) {
    if (one.status == Status::verified || one.kind == ParameterKind::claim) continue;
    std::vector<std::string> names = one.aliases;
    names.push_back(one.name);
    for (const std::string& name : names) {
      const Verdict verdict = Gate(own_knowledge(), home_of(one)).check({name});
      INFO(one.id << ": " << verdict.reason);
      CHECK(verdict.decision == Decision::refused);
      CHECK(verdict.rule == GateRule::r1);
      CHECK(verdict.nearest.size() == one.instead.size());
    }
  }
}

}  // namespace stepwise::advice
