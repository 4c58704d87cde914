#include <algorithm>
#include <cmath>

#include "cluster.h"
#include "lateness.h"
#include "links.h"
#include "parallel_groups.h"
#include "pipeline.h"
#include "rank_figures.h"
#include "stepwise/comm_groups.hpp"

namespace stepwise::cluster {
namespace {

namespace cluster_comm_op = table::cluster_comm_op;
using sdk::Call;
using sdk::JsonWriter;

constexpr int64_t kShown = 8;

struct Summary {
  Figures figures;
  ParallelGroups parallel;
  std::optional<Pipeline> pipeline;
  std::optional<Links> links;
  std::optional<std::vector<sdk::CommGroup>> groups;
  std::vector<const RankFigures*> ranked;  // most computing first
  double computing_median_us = 0;
  bool comparable = false;  // collectives connect ranks, so that one can be late
};

std::optional<std::vector<sdk::CommGroup>> find_groups(Call& call, Step step, const Figures& figures) {
  sdk::CommGroups groups;
  std::set<uint32_t> own;
  for (const uint32_t rank : call.args().ranks()) {
    if (groups.add_rank(call, rank, step)) own.insert(rank);
  }
  bool any = !own.empty();
  with_cluster_table(call, cluster_comm_op::kTable, [&](const sdk::TableView& view) {
    any = true;
    call.for_each_row(view.rows(), [&](uint64_t row) {
      const auto rank = rank_of(view[cluster_comm_op::of_rank].get(row));
      const auto id = view[cluster_comm_op::group_id].get(row);
      const Step n = view[cluster_comm_op::step].get(row);
      if (!rank || !id || own.count(*rank) > 0 || (step && n != step)) return;
      groups.add({*rank, *id, n, view[cluster_comm_op::name][row], view[cluster_comm_op::kind][row] == "collective",
                  view[cluster_comm_op::transit_ns][row], view[cluster_comm_op::wait_ns][row]});
    });
  });
  if (!any) return std::nullopt;
  // The operations are of all steps that a rank has; so is the time that they are compared with.
  int64_t wall_ns = 0;
  for (const RankFigures& one : figures.ranks) {
    int64_t of_rank_ns = 0;
    for (const auto& [n, figures_of_step] : one.steps) of_rank_ns += figures_of_step.wall_ns;
    wall_ns = std::max(wall_ns, of_rank_ns);
  }
  return groups.judge(wall_ns > 0 ? std::optional<int64_t>(wall_ns) : std::nullopt);
}

void write_rank(JsonWriter& w, const Summary& all, const RankFigures& one) {
  const double computing_us = one.us(one.sum.computing_ns), deviation_us = computing_us - all.computing_median_us;
  w.begin_object().field("rank", one.rank).field("computing_us", computing_us);
  w.field("deviation_us", deviation_us).key("deviation_ratio");
  all.computing_median_us > 0 ? w.value(deviation_us / all.computing_median_us) : w.value(nullptr);
  w.field("communication_us", one.us(one.sum.communication_ns));
  w.field("not_overlapped_us", one.us(one.sum.not_overlapped_ns)).field("free_us", one.us(one.sum.free_ns));
  w.field("wall_us", one.us(one.sum.wall_ns)).key("wait_us");
  one.waits ? w.value(one.us(one.waits->wait_ns)) : w.value(nullptr);
  w.key("transit_us");
  one.waits ? w.value(one.us(one.waits->transit_ns)) : w.value(nullptr);
  const RankPlace place = all.parallel.place(one.rank);
  if (place.tensor) w.field("tp", *place.tensor);
  if (place.pipeline) w.field("pp", *place.pipeline);
  if (place.data) w.field("dp", *place.data);
  w.end_object();
}

// Sums of what stands in the columns, so that shown and other ranks add up to the total.
void write_sums(JsonWriter& w, const Summary& all, size_t from, const char* count_name) {
  double computing_us = 0, communication_us = 0, not_overlapped_us = 0, free_us = 0, wait_us = 0;
  bool waits = false;
  for (size_t i = from; i < all.ranked.size(); ++i) {
    const RankFigures& one = *all.ranked[i];
    computing_us += one.us(one.sum.computing_ns);
    communication_us += one.us(one.sum.communication_ns);
    not_overlapped_us += one.us(one.sum.not_overlapped_ns);
    free_us += one.us(one.sum.free_ns);
    if (one.waits) wait_us += one.us(one.waits->wait_ns);
    waits = waits || one.waits;
  }
  w.field(count_name, all.ranked.size() - from).field("computing_us", computing_us);
  w.field("communication_us", communication_us).field("not_overlapped_us", not_overlapped_us);
  w.field("free_us", free_us).key("wait_us");
  waits ? w.value(wait_us) : w.value(nullptr);
}

void write_ranks(JsonWriter& w, const Summary& all, size_t shown) {
  w.key("ranks").begin_array();
  for (size_t i = 0; i < all.ranked.size() && i < shown; ++i) write_rank(w, all, *all.ranked[i]);
  w.end_array();
  if (all.ranked.size() > shown) {
    w.key("ranks_other").begin_object();
    write_sums(w, all, shown, "ranks");
    w.end_object();
  }
  w.key("ranks_total").begin_object();
  write_sums(w, all, 0, "ranks");
  w.key("computing_median_us");
  all.ranked.empty() ? w.value(nullptr) : w.value(all.computing_median_us);
  w.field("without_figures", all.figures.without.size()).end_object();
  std::map<std::string, uint64_t> sources;
  for (const RankFigures& one : all.figures.ranks) ++sources[one.source];
  w.key("sources").begin_object();
  for (const auto& [source, ranks] : sources) w.field(source, ranks);
  w.end_object();
}

void write_links(JsonWriter& w, const std::optional<Links>& links, size_t shown) {
  w.key("links");
  if (!links) {
    w.value(nullptr).field("links_total", nullptr);
    return;
  }
  w.begin_array();
  for (size_t i = 0; i < links->list.size() && i < shown; ++i) {
    const Link& one = links->list[i];
    w.begin_object().field("src", one.src).field("dst", one.dst);
    if (!one.group.empty()) w.field("numbers_of_group", one.group);
    w.field("transport", one.transport).field("bytes", one.bytes).field("bandwidth_gb_s", one.gb_s());
    w.field("of_median_ratio", one.of_median()).field("slow", one.is_slow()).end_object();
  }
  const auto slow = std::count_if(links->list.begin(), links->list.end(), [](const Link& l) { return l.is_slow(); });
  const auto compared =
      std::count_if(links->list.begin(), links->list.end(), [](const Link& l) { return l.of_median().has_value(); });
  w.end_array().key("links_total").begin_object().field("links", links->list.size()).field("compared", compared);
  w.field("slow", slow).field("slow_below_ratio", kSlowLink).end_object();
}

void write_groups(JsonWriter& w, const Summary& all, size_t shown) {
  w.key("groups");
  if (!all.groups) {
    w.value(nullptr).field("groups_total", nullptr);
    return;
  }
  w.begin_array();
  for (size_t i = 0; i < all.groups->size() && i < shown; ++i) {
    const sdk::CommGroup& one = (*all.groups)[i];
    w.begin_object();
    write_fields(w, one);
    const NamedGroup* named = all.parallel.find(one.id);
    if (named != nullptr && !named->parallel.empty()) w.field("parallel", named->parallel);
    w.end_object();
  }
  w.end_array().field("groups_total", all.groups->size());
}

void write_metrics(JsonWriter& w, const Summary& all) {
  std::optional<double> r_wait, imbalance, slowest;
  for (const sdk::CommGroup& one : all.groups.value_or(std::vector<sdk::CommGroup>{})) {
    if (one.r_wait && (!r_wait || *one.r_wait > *r_wait)) r_wait = one.r_wait;
  }
  if (all.ranked.size() > 1 && all.computing_median_us > 0) {
    const RankFigures& most = *all.ranked.front();
    imbalance = most.us(most.sum.computing_ns) / all.computing_median_us - 1;
  }
  if (all.links && !all.links->list.empty()) slowest = all.links->list.front().of_median();
  w.key("metrics").begin_object().field("comm.r_wait", r_wait).field("cluster.computing_imbalance_ratio", imbalance);
  w.field("cluster.pipeline_imbalance_ratio", all.pipeline ? all.pipeline->imbalance_ratio() : std::nullopt);
  w.field("cluster.slowest_link_ratio", slowest).end_object();
}

void write_remarks(JsonWriter& w, Call& call, const Summary& all) {
  w.key("warnings").begin_array();
  const auto warn = [&w](const char* code, const std::string& text) {
    w.begin_object().field("code", code).field("text", text).end_object();
  };
  if (all.figures.steps.empty() && all.figures.ranks.size() > 1) {
    warn("cluster.steps_differ", "The ranks have no step in common: each one's figures are of its own steps.");
  }
  if (!all.figures.same_ends) warn("cluster.ends_differ", kEndsDifferText);
  std::set<int64_t> stages;
  for (const auto& [rank, place] : all.parallel.places) {
    if (place.pipeline) stages.insert(*place.pipeline);
  }
  if (stages.size() > 1) {
    std::string text = "Pipeline stages differ in computing by design: compare ranks of one `pp`.";
    if (all.pipeline && all.pipeline->is_uneven()) {
      text += " But " + all.pipeline->comparison() + ": the shorter stages wait for the longest one.";
    }
    warn("cluster.pipeline_stages", text);
  }
  if (all.links) {
    const auto& list = all.links->list;
    const auto local = std::count_if(list.begin(), list.end(), [](const Link& one) { return !one.group.empty(); });
    if (local > 0) {
      warn("cluster.link_numbers", std::to_string(local) +
                                       " links have ranks as their group numbers them: nothing says which ranks of the "
                                       "run these are (numbers_of_group names the group).");
    }
  }
  w.end_array().key("evidence").begin_array();
  for (size_t i = 0; i < all.ranked.size() && i < 2; ++i) {
    const RankFigures& one = *(i == 0 ? all.ranked.front() : all.ranked.back());
    w.begin_object().field("id", "e" + std::to_string(i + 1)).field("file", one.file);
    w.field("says", "rank " + std::to_string(one.rank) + (i == 0 ? " computes most" : " computes least")).end_object();
  }
  w.end_array().key("next").begin_array();
  write_next_of_pipeline(w, call, all.pipeline);
  if (all.comparable) {
    w.begin_object().field("tool", "find_stragglers").key("arguments").begin_object().end_object();
    w.field("why", "which rank the others wait for, and what it did instead").end_object();
  }
  w.end_array();
}

}  // namespace

int32_t cluster_summary(Call& call) {
  const Step step = call.args().integer("step");
  const auto limit = call.args().integer("limit");
  const auto shown = static_cast<size_t>((limit ? limit : call.args().integer("shown")).value_or(kShown));
  auto figures = read_figures(call, step);
  JsonWriter w;
  // The host has been told why.
  if (!figures) return call.emit(w);
  Summary all;
  all.figures = std::move(*figures);
  all.parallel = read_parallel_groups(call);
  all.pipeline = read_pipeline(all.figures, all.parallel);
  all.links = read_links(call, all.figures, all.parallel);
  all.groups = find_groups(call, step, all.figures);
  all.comparable = !find_lateness(call, all.figures, match_collectives(call, all.figures), all.parallel).empty();
  std::vector<double> computing_us;
  for (const RankFigures& one : all.figures.ranks) {
    all.ranked.push_back(&one);
    computing_us.push_back(one.us(one.sum.computing_ns));
  }
  if (!computing_us.empty()) all.computing_median_us = median(computing_us);
  std::stable_sort(all.ranked.begin(), all.ranked.end(), [](const RankFigures* a, const RankFigures* b) {
    return a->us(a->sum.computing_ns) > b->us(b->sum.computing_ns);
  });
  w.begin_object();
  const bool links = all.links && !all.links->list.empty();
  if (all.ranked.size() < 2 && !links) {
    w.field("status", "not_applicable").key("why");
    w.value(all.ranked.empty() ? "No rank of the profile holds device work." : "The profile is of one rank alone.");
    w.end_object();
    return call.emit(w);
  }
  w.key("window");
  all.ranked.empty() ? w.value(nullptr) : w.value(all.figures.window_text());
  write_ranks(w, all, shown);
  write_pipeline(w, all.pipeline);
  write_links(w, all.links, shown);
  write_groups(w, all, shown);
  write_metrics(w, all);
  write_remarks(w, call, all);
  w.end_object();
  return call.emit(w);
}

}  // namespace stepwise::cluster
