#include "pipeline.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace stepwise::cluster {
namespace {

constexpr double kUneven = 0.10;  // of the mean of the stages
constexpr size_t kRanksListed = 64, kStagesListed = 64;

std::string in_ms(double us) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f ms", us / 1000.0);
  return text;
}

std::string name_of(const PipelineStage& stage) {
  return "pp " + std::to_string(stage.pipeline) + (stage.ranks.size() > 1 ? " (ranks " : " (rank ") +
         list_ranks(stage.ranks) + ")";
}

}  // namespace

std::optional<double> Pipeline::imbalance_ratio() const {
  double sum_us = 0;
  for (const PipelineStage& one : stages) sum_us += one.computing_us;
  if (sum_us <= 0) return std::nullopt;
  return stages[longest].computing_us * static_cast<double>(stages.size()) / sum_us - 1;
}

bool Pipeline::is_uneven() const { return imbalance_ratio().value_or(0) >= kUneven; }

std::string Pipeline::comparison() const {
  return name_of(stages[longest]) + " computes " + in_ms(stages[longest].computing_us) + " a step, " +
         name_of(stages[shortest]) + " " + in_ms(stages[shortest].computing_us);
}

std::optional<Pipeline> read_pipeline(const Figures& figures, const ParallelGroups& groups) {
  std::map<int64_t, PipelineStage> stages;
  for (const RankFigures& one : figures.ranks) {
    const auto number = groups.place(one.rank).pipeline;
    if (!number) continue;
    PipelineStage& stage = stages[*number];
    stage.pipeline = *number;
    stage.ranks.push_back(one.rank);
    stage.computing_us += one.us(one.sum.computing_ns);
    stage.not_overlapped_us += one.us(one.sum.not_overlapped_ns);
  }
  if (stages.size() < 2) return std::nullopt;
  Pipeline out;
  for (auto& [number, stage] : stages) {
    stage.computing_us /= static_cast<double>(stage.ranks.size());
    stage.not_overlapped_us /= static_cast<double>(stage.ranks.size());
    out.stages.push_back(std::move(stage));
  }
  const auto [least, most] = std::minmax_element(
      out.stages.begin(), out.stages.end(),
      [](const PipelineStage& a, const PipelineStage& b) { return a.computing_us < b.computing_us; });
  out.longest = static_cast<size_t>(most - out.stages.begin());
  out.shortest = static_cast<size_t>(least - out.stages.begin());
  return out;
}

void write_pipeline(sdk::JsonWriter& w, const std::optional<Pipeline>& pipeline) {
  w.key("pipeline");
  if (!pipeline) {
    w.value(nullptr);
    return;
  }
  w.begin_object().field("uneven", pipeline->is_uneven()).field("imbalance_ratio", pipeline->imbalance_ratio());
  w.field("longest_pp", pipeline->stages[pipeline->longest].pipeline).key("stages").begin_array();
  for (size_t i = 0; i < pipeline->stages.size() && i < kStagesListed; ++i) {
    const PipelineStage& one = pipeline->stages[i];
    w.begin_object().field("pp", one.pipeline).key("ranks").begin_array();
    for (size_t r = 0; r < one.ranks.size() && r < kRanksListed; ++r) w.value(one.ranks[r]);
    w.end_array().field("computing_us", one.computing_us).field("not_overlapped_us", one.not_overlapped_us);
    w.end_object();
  }
  w.end_array().field("stages_total", pipeline->stages.size()).end_object();
}

void write_next_of_pipeline(sdk::JsonWriter& w, sdk::Call& call, const std::optional<Pipeline>& pipeline) {
  if (!pipeline || !pipeline->is_uneven()) return;
  const auto own = call.args().ranks();
  for (const uint32_t rank : pipeline->stages[pipeline->longest].ranks) {
    if (std::find(own.begin(), own.end(), rank) == own.end()) continue;
    const auto kernels = call.table(rank, table::kernel::kTable);
    if (!kernels || kernels->rows() == 0) continue;
    w.begin_object().field("tool", "top_operators").key("arguments").begin_object().field("rank", rank);
    w.end_object().field("why", "the longest pipeline stage sets the pace: what its ranks compute").end_object();
    return;
  }
}

std::string list_ranks(const std::vector<uint32_t>& ranks) {
  constexpr size_t kShown = 8;
  std::string text;
  for (size_t i = 0; i < ranks.size() && i < kShown; ++i) text += (i > 0 ? ", " : "") + std::to_string(ranks[i]);
  if (ranks.size() > kShown) text += ", ... " + std::to_string(ranks.size()) + " in all";
  return text;
}

}  // namespace stepwise::cluster
