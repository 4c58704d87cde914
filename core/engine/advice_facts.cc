#include "core/engine/advice_facts.h"

#include <algorithm>

#include "core/engine/open_profile.h"
#include "core/store/table_view.h"
#include "stepwise/tables.hpp"

namespace stepwise::engine {
namespace {

namespace meta = table::meta;

constexpr std::string_view kVariable = "ENV_VARIABLES.";
constexpr std::string_view kDeviceName = "deviceProperties.0.name";

std::string text_at(const Json& answer, const char* key) {
  const auto it = answer.find(key);
  return it != answer.end() && it->is_string() ? it->get<std::string>() : "";
}

/// Environment variables and the device's name, as the profiler wrote them beside the measurements.
Result<void> read_meta(CallHost& host, uint32_t rank, advice::Context& context) {
  SW_ASSIGN_OR_RETURN(const sw_table* rows, host.table(rank, meta::kTable.name));
  if (rows == nullptr) return {};
  for (uint64_t row = 0; row < rows->rows; ++row) {
    const std::string_view key = store::get(*rows, meta::key, row).value_or("");
    const std::string value(store::get(*rows, meta::value, row).value_or(""));
    if (key.starts_with(kVariable)) context.set.emplace(key.substr(kVariable.size()), value);
    if (key == kDeviceName && context.chip.empty()) context.chip = value;
  }
  return {};
}

/// Whether a mode of graphs leaves a part that counts to run eagerly.
bool runs_eagerly_beside(const Json& mode) {
  const Json applies = mode.value("applies", Json::array());
  return std::find(applies.begin(), applies.end(), Json("eager")) != applies.end();
}

Result<advice::Context> context_of(CallHost& host, uint32_t rank, const advice::Answers& answers) {
  advice::Context context;
  const OpenProfile& profile = *host.profile();
  context.on_gpu = profile.layout.kind == ingest::ProfileKind::kineto;
  context.framework = profile.layout.framework;
  context.chip = text_at(profile.declare, "chip");
  if (const auto mode = answers.find("detect_execution_mode"); mode != answers.end()) {
    context.mode = text_at(mode->second, "value");
    context.toolchain = text_at(mode->second, "toolchain");
    context.has_eager_part = context.mode == "cuda_graph" && runs_eagerly_beside(mode->second);
  }
  if (context.mode.empty()) context.mode = "undetermined";
  if (const auto scenario = answers.find("detect_scenario"); scenario != answers.end()) {
    context.scenario = text_at(scenario->second, "value");
  }
  if (const auto summary = answers.find("summarize_profile"); summary != answers.end()) {
    const auto vary = summary->second.find("shapes_vary");
    if (vary != summary->second.end() && vary->is_boolean()) context.shapes_vary = vary->get<bool>();
  }
  SW_RETURN_IF_ERROR(read_meta(host, rank, context));
  return context;
}

/// Facts need lists of operations that are whole: what most of communication is does not stand in its first few.
Json arguments_for(const std::string& tool) {
  return tool == "comm_overlap" ? Json{{"limit", limits::kMaxLimitArgument}} : Json::object();
}

bool proves_scenario(const Json& answer) {
  const std::string value = text_at(answer, "value");
  return !value.empty() && value != "undetermined";
}

/// Some ranks' files do not tell whether the run is a training; that of another rank is theirs too.
Result<void> take_scenario_of_others(CallHost& host, uint32_t rank, AdviceFacts& facts) {
  constexpr size_t kMostAsked = 8;
  const auto own = facts.answers.find("detect_scenario");
  if (own == facts.answers.end() || proves_scenario(own->second)) return {};
  size_t asked = 0;
  for (const ingest::RankLayout& other : host.profile()->layout.ranks) {
    if (other.rank == rank) continue;
    if (asked++ == kMostAsked) break;
    auto answer = host.call("detect_scenario", {{"rank", other.rank}});
    if (!answer.ok() && answer.error().kind == ErrorKind::cancelled) return answer.take_error();
    if (!answer.ok() || !proves_scenario(answer.value())) continue;
    own->second = std::move(answer).value();
    return {};
  }
  facts.missing.push_back({"scenario",
                           "whether it is training or inference is not known: rules for one of them were "
                           "not judged"});
  return {};
}

}  // namespace

const std::vector<std::string>& measuring_tools() {
  static const std::vector<std::string> kTools = {"detect_scenario",
                                                  "detect_execution_mode",
                                                  "summarize_profile",
                                                  "top_operators",
                                                  "problem_operators",
                                                  "host_api",
                                                  "memory",
                                                  "stage_breakdown",
                                                  "stage_async",
                                                  "comm_overlap",
                                                  "find_stragglers",
                                                  "cluster_summary",
                                                  "repeated_subgraphs"};
  return kTools;
}

Json with_measuring_tools(Json declaration) {
  declaration["per"] = "rank";
  declaration["uses"] = {{{"table", "meta"}, {"costs", "environment variables and the chip of the run are not known"}}};
  declaration["calls_if_there"] = measuring_tools();
  return declaration;
}

Result<AdviceFacts> gather_facts(CallHost& host, uint32_t rank) {
  AdviceFacts facts;
  uint64_t done = 0;
  for (const std::string& tool : measuring_tools()) {
    host.progress().set(done++, measuring_tools().size(), "measuring");
    auto answer = host.call(tool, arguments_for(tool));
    if (answer.ok()) {
      facts.answers.emplace(tool, std::move(answer).value());
    } else if (answer.error().kind == ErrorKind::cancelled) {
      return answer.take_error();
    } else if (answer.error().code != "plugin.calls") {  // that one: there is no such tool
      facts.missing.push_back({tool, "no advice from it: " + answer.error().message});
    }
  }
  SW_RETURN_IF_ERROR(take_scenario_of_others(host, rank, facts));
  const ingest::ProfileLayout& layout = host.profile()->layout;
  facts.answers.emplace("open_profile",
                        Json{{"kind", ingest::to_string(layout.kind)}, {"framework", layout.framework}});
  SW_ASSIGN_OR_RETURN(facts.context, context_of(host, rank, facts.answers));
  return facts;
}

}  // namespace stepwise::engine
