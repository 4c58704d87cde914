// Which graph mode a run used, or none: evidence first, then the verdict, then what the verdict means for advice.
#include <optional>
#include <string>
#include <utility>

#include "decide_mode.h"
#include "execution_mode.h"

namespace stepwise::execution_mode {
namespace {

using sdk::JsonWriter;

void write_texts(JsonWriter& w, const char* key, const std::vector<std::string>& texts) {
  w.key(key).begin_array();
  for (const std::string& text : texts) w.value(text);
  w.end_array();
}

// What fused kernels there are, by maker; null where no operator could be looked at.
void write_fused(JsonWriter& w, const ModeEvidence& evidence) {
  static constexpr const char* kNames[kFusedKinds] = {"", "autofuse", "triton", "dvm", "mlir"};
  w.key("fused");
  if (!evidence.saw_kernels && !evidence.saw_op_types) {
    w.value(nullptr);
    return;
  }
  w.begin_array();
  for (size_t kind = 1; kind < kFusedKinds; ++kind) {
    const Sighting& seen = evidence.fused[kind];
    if (seen.count == 0) continue;
    w.begin_object().field("by", kNames[kind]).field("count", seen.count);
    w.field("total_us", static_cast<double>(seen.total_ns) / 1000.0).end_object();
  }
  w.end_array();
}

std::optional<double> share(double part, double whole) {
  return whole > 0 ? std::optional(part / whole) : std::nullopt;
}

// Beside graph launches: how much was launched otherwise, so that the verdict can be weighed.
void write_launches(JsonWriter& w, const ModeEvidence& evidence) {
  const uint64_t graph = evidence.cuda_graph_launch.count, single = evidence.single_launch.count;
  if (graph == 0) return;
  w.key("launches").begin_object().field("graph", graph).field("single", single);
  w.field("graph_ratio", share(static_cast<double>(graph), static_cast<double>(graph + single))).end_object();
  w.key("kernels_by").begin_array();
  const std::pair<const char*, const Sighting*> parts[] = {{"graph", &evidence.in_graph},
                                                           {"operator", &evidence.by_operator},
                                                           {"no_operator", &evidence.by_no_operator},
                                                           {"not_recorded", &evidence.launch_not_seen}};
  for (const auto& [by, seen] : parts) {
    const auto all_ns = static_cast<double>(evidence.kernels_looked_at_ns());
    w.begin_object().field("by", by).field("count", seen->count);
    w.field("total_us", static_cast<double>(seen->total_ns) / 1000.0);
    w.field("ratio", share(static_cast<double>(seen->total_ns), all_ns)).end_object();
  }
  w.end_array();
}

void write_evidence(JsonWriter& w, const Verdict& verdict, size_t limit) {
  w.key("evidence").begin_array();
  size_t id = 0;
  for (const Reason& reason : verdict.reasons) {
    if (id == limit) break;
    w.begin_object().field("id", "e" + std::to_string(++id));
    w.field("file", reason.file);
    if (reason.row > 0) w.field("row", reason.row);
    w.field("says", (reason.speaks_for ? "for: " : "against: ") + reason.says).end_object();
  }
  w.end_array();
}

}  // namespace

int32_t detect_execution_mode(sdk::Call& call) {
  const auto ranks = call.args().ranks();
  if (ranks.empty()) return call.fail(sdk::Fault::usage, "args.rank", "The call names no rank.");
  const sdk::ProfileInfo profile = call.args().profile();
  const ModeEvidence evidence = collect_mode_evidence(call, ranks.front());
  const Verdict verdict = decide_mode(evidence, profile.framework,
                                      {profile.declared_text("execution_mode"), profile.declared_text("toolchain")});
  const Measures measures = measures_for(verdict);

  JsonWriter w;
  w.begin_object();
  w.field("status", verdict.needs_host_calls ? "partial" : "ok");
  w.field("value", verdict.value).field("proof", verdict.proof).field("toolchain", verdict.toolchain);
  write_texts(w, "applies", measures.applies);
  write_texts(w, "excludes", measures.excludes);
  write_texts(w, "supply", verdict.supply);
  write_fused(w, evidence);
  write_launches(w, evidence);
  write_evidence(w, verdict, evidence_limit(call));
  if (verdict.needs_host_calls) {
    w.key("missing").begin_array().begin_object().field("input", "api_statistic.csv");
    w.field("costs", "calls of ModelExecute and graph replays could not be looked for").end_object().end_array();
  }
  if (!verdict.declaration_problem.empty()) {
    w.key("warnings").begin_array().begin_object().field("code", "declare.execution_mode");
    w.field("text", verdict.declaration_problem).end_object().end_array();
  }
  w.end_object();
  return call.emit(w);
}

}  // namespace stepwise::execution_mode
