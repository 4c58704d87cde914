#include "decide_mode.h"

#include <algorithm>
#include <array>

namespace stepwise::execution_mode {
namespace {

constexpr std::string_view kModes[] = {"inductor_ascendc", "ge_autofuse", "inductor_triton", "inductor_dvm",
                                       "inductor_mlir",    "ge",          "npu_graph",       "cuda_graph",
                                       "graph_dump",       "eager"};
constexpr std::string_view kToolchains[] = {"ge_tf", "torchair", "atc"};

template <size_t N>
bool is_one_of(const std::string_view (&list)[N], std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

void add_reason(Verdict& verdict, bool speaks_for, std::string says, const Sighting& where) {
  verdict.reasons.push_back({speaks_for, std::move(says), where.file, where.first_row});
}

// For what is not there: `file` is where it was looked for; none for the caller's words.
void add_reason(Verdict& verdict, bool speaks_for, std::string says, const std::string& file = {}) {
  verdict.reasons.push_back({speaks_for, std::move(says), file});
}

std::string counted(uint64_t count, const char* what) { return std::to_string(count) + " " + what; }

void settle(Verdict& verdict, const char* value, const char* proof) {
  verdict.value = value;
  verdict.proof = proof;
}

// The fused kind with most device time; ties go to the earlier kind.
FusedBy leading_fusion(const ModeEvidence& evidence) {
  size_t best = 0;
  for (size_t kind = 1; kind < kFusedKinds; ++kind) {
    if (evidence.fused[kind].count == 0) continue;
    if (best == 0 || evidence.fused[kind].total_ns > evidence.fused[best].total_ns) best = kind;
  }
  return static_cast<FusedBy>(best);
}

// GE's own call, or one of the runtime alone where nothing else explains it.
const Sighting* graph_execution(const ModeEvidence& evidence) {
  if (evidence.model_execute.count > 0) return &evidence.model_execute;
  const bool explained = evidence.graph_replay.count > 0;
  return evidence.runtime_model_execute.count > 0 && !explained ? &evidence.runtime_model_execute : nullptr;
}

bool decide_by_fusion(const ModeEvidence& evidence, Verdict& verdict) {
  const FusedBy kind = leading_fusion(evidence);
  if (kind == FusedBy::none) return false;
  const Sighting& fused = evidence.fused[static_cast<size_t>(kind)];
  add_reason(verdict, true, counted(fused.count, "fused kernels, the first is `") + fused.first_name + "`", fused);
  if (kind == FusedBy::triton) settle(verdict, "inductor_triton", "fused_prefix");
  if (kind == FusedBy::dvm) settle(verdict, "inductor_dvm", "fused_prefix");
  if (kind == FusedBy::mlir) settle(verdict, "inductor_mlir", "fused_prefix");
  if (kind != FusedBy::autofuse) return true;
  // GE and Inductor's AscendC backend write the same prefix; only GE runs its graph by ModelExecute.
  if (const Sighting* execution = graph_execution(evidence)) {
    add_reason(verdict, true, counted(execution->count, "calls of ModelExecute"), *execution);
    settle(verdict, "ge_autofuse", "fused_prefix_and_model_execute");
  } else if (evidence.saw_host_calls) {
    add_reason(verdict, true, "no call of ModelExecute among the host calls", evidence.host_calls_file);
    settle(verdict, "inductor_ascendc", "fused_prefix");
  } else {
    verdict.needs_host_calls = true;
    verdict.supply = {
        "api_statistic.csv (Level1 profile): whether ModelExecute was called tells ge_autofuse from inductor_ascendc.",
        "Or declare execution_mode."};
  }
  return true;
}

bool decide_by_graph_calls(const ModeEvidence& evidence, Verdict& verdict) {
  if (const Sighting* execution = graph_execution(evidence)) {
    add_reason(verdict, true, counted(execution->count, "calls of ModelExecute"), *execution);
    settle(verdict, "ge", "model_execute");
  } else if (evidence.graph_replay.count > 0) {
    add_reason(verdict, true,
               counted(evidence.graph_replay.count, "replays of a captured graph (`") +
                   evidence.graph_replay.first_name + "`)",
               evidence.graph_replay);
    settle(verdict, "npu_graph", "graph_replay");
  } else {
    return false;
  }
  if (evidence.aclnn_named.count > 0) {
    add_reason(verdict, false,
               counted(evidence.aclnn_named.count, "kernels are aclnn operators; some may stand beside a graph"),
               evidence.aclnn_named);
  }
  return true;
}

// What launched the kernels proves nothing here: a range looks like an operator in these traces.
void add_launches(const ModeEvidence& evidence, Verdict& verdict) {
  const Sighting &by_operator = evidence.by_operator, &other = evidence.by_no_operator;
  if (by_operator.count > 0) {
    add_reason(verdict, true, counted(by_operator.count, "kernels are launched by framework operators"), by_operator);
  }
  if (other.count > 0) {
    add_reason(
        verdict, false,
        counted(other.count, "kernels are launched by no framework operator, the first is `") + other.first_name + "`",
        other);
  }
  if (evidence.compiled_region.count > 0) {
    add_reason(verdict, false,
               counted(evidence.compiled_region.count, "ranges of compiled code, the first is `") +
                   evidence.compiled_region.first_name + "`",
               evidence.compiled_region);
  }
}

void decide_eager(const ModeEvidence& evidence, Verdict& verdict) {
  const uint64_t rows = evidence.compute_rows;
  const bool all_aclnn = rows > 0 && evidence.otherwise_named.count == 0;
  const bool all_single = rows > 0 && evidence.graph_rows.count == 0 && evidence.compute_rows_without_model_id == 0;
  if (evidence.graph_rows.count > 0) {
    add_reason(verdict, false, counted(evidence.graph_rows.count, "device rows have the Model ID of a graph"),
               evidence.graph_rows);
  } else if (all_aclnn) {
    add_reason(verdict, true, "all " + std::to_string(rows) + " compute rows are named aclnn...", evidence.aclnn_named);
    settle(verdict, "eager", "aclnn_names");
    verdict.needs_host_calls = !evidence.saw_host_calls && !all_single;
  } else if (all_single) {
    add_reason(verdict, true,
               "all " + std::to_string(evidence.single_operator_rows.count) +
                   " device rows have Model ID 4294967295: single operators, no graph",
               evidence.single_operator_rows);
    add_reason(verdict, false,
               std::to_string(evidence.otherwise_named.count) + " of " + std::to_string(rows) +
                   " compute rows are not named aclnn..., the first is `" + evidence.otherwise_named.first_name + "`",
               evidence.otherwise_named);
    settle(verdict, "eager", "model_id");
  }
  add_launches(evidence, verdict);
  if (verdict.value == "eager") {
    add_reason(verdict, true,
               evidence.saw_host_calls ? "no fused kernel, no ModelExecute, no graph replay" : "no fused kernel",
               evidence.saw_host_calls ? evidence.host_calls_file : evidence.operators_file);
    return;
  }
  if (rows > 0 && evidence.graph_rows.count == 0) {
    add_reason(verdict, false,
               std::to_string(evidence.otherwise_named.count) + " of " + std::to_string(rows) +
                   " compute rows are not named aclnn..., and the file has no Model ID for all",
               evidence.otherwise_named);
  }
  verdict.needs_host_calls = !evidence.saw_host_calls;
  verdict.supply = {
      "Declare execution_mode (and toolchain, in graph modes).",
      "Or profile at Level1 or above: kernel_details.csv then has Model ID, and api_statistic.csv is written."};
}

void weigh_declaration(const Declared& declared, Verdict& verdict) {
  if (!declared.execution_mode) return;
  const std::string& mode = *declared.execution_mode;
  if (!is_one_of(kModes, mode)) {
    verdict.declaration_problem =
        "The declared execution_mode `" + mode + "` is none that Stepwise knows; it was not used.";
  } else if (verdict.value == mode) {
    add_reason(verdict, true, "declared by the caller");
  } else if (verdict.value == "undetermined" || (verdict.value == "graph_dump" && mode != "eager")) {
    add_reason(verdict, true, "declared by the caller");
    settle(verdict, mode.c_str(), "declared");
    verdict.supply.clear();
  } else {
    add_reason(verdict, false, "the caller declared " + mode + ", which the profile disproves");
    verdict.declaration_problem =
        "The declared execution_mode `" + mode + "` is disproved by the profile, which shows " + verdict.value + ".";
  }
}

void find_toolchain(std::string_view framework, const Declared& declared, Verdict& verdict) {
  if (verdict.value != "ge" && verdict.value != "ge_autofuse") return;
  if (declared.toolchain && is_one_of(kToolchains, *declared.toolchain)) {
    verdict.toolchain = declared.toolchain;
    add_reason(verdict, true, "toolchain " + *declared.toolchain + ": declared by the caller");
    return;
  }
  if (framework == "tensorflow") verdict.toolchain = "ge_tf";
  if (framework == "pytorch") verdict.toolchain = "torchair";  // how PyTorch reaches GE
  if (verdict.toolchain) {
    add_reason(verdict, true, "toolchain " + *verdict.toolchain + ": the framework is " + std::string(framework));
  } else {
    verdict.supply.push_back("Declare toolchain: ge_tf, torchair or atc.");
  }
}

}  // namespace

Verdict decide_mode(const ModeEvidence& evidence, std::string_view framework, const Declared& declared) {
  Verdict verdict;
  const bool is_graph = decide_by_fusion(evidence, verdict) || decide_by_graph_calls(evidence, verdict) ||
                        decide_by_cuda_graph(evidence, verdict);
  if (!is_graph) {
    Verdict eager;
    evidence.is_gpu&& evidence.saw_launches ? decide_gpu_eager(evidence, eager) : decide_eager(evidence, eager);
    if (!decide_by_dump(evidence, eager, declared, verdict)) verdict = std::move(eager);
  } else if (verdict.value == "undetermined") {
    decide_by_dump(evidence, {}, declared, verdict);
  }
  weigh_declaration(declared, verdict);
  find_toolchain(framework, declared, verdict);
  return verdict;
}

Measures measures_for(const Verdict& verdict) {
  struct Kind {
    std::string_view measures, mode, toolchain;  // toolchain "": any
  };
  static constexpr Kind kKinds[] = {
      {"eager", "eager", ""},
      {"graph:GE", "ge", "ge_tf"},
      {"graph:GE", "ge", "torchair"},
      {"graph:TorchAir(max-autotune)", "ge", "torchair"},
      {"ATC(offline)", "ge", "atc"},
      {"graph:npugraph_ex", "npu_graph", ""},
      {"graph:npugraphs/ACLGraph", "npu_graph", ""},
      {"graph:Inductor+Triton", "inductor_triton", ""},
      {"graph:Inductor+AscendC", "inductor_ascendc", ""},
      {"graph:Inductor+DVM", "inductor_dvm", ""},
      {"graph:Inductor+MLIR", "inductor_mlir", ""},
  };
  const std::string_view mode =
      verdict.value == "ge_autofuse" ? std::string_view("ge") : std::string_view(verdict.value);
  const auto add = [](std::vector<std::string>& list, std::string_view measures) {
    if (std::find(list.begin(), list.end(), measures) == list.end()) list.emplace_back(measures);
  };
  Measures out;
  for (const Kind& kind : kKinds) {
    const bool fits =
        kind.mode == mode && (kind.toolchain.empty() || !verdict.toolchain || kind.toolchain == *verdict.toolchain);
    if (fits) add(out.applies, kind.measures);
  }
  if (verdict.has_eager_part) add(out.applies, "eager");
  for (const Kind& kind : kKinds) {
    const bool applies = std::find(out.applies.begin(), out.applies.end(), kind.measures) != out.applies.end();
    if (!applies) add(out.excludes, kind.measures);
  }
  return out;
}

}  // namespace stepwise::execution_mode
