#include <algorithm>
#include <set>

#include "cluster.h"
#include "lateness.h"
#include "parallel_groups.h"
#include "pipeline.h"
#include "rank_figures.h"

namespace stepwise::cluster {
namespace {

using sdk::Call;
using sdk::JsonWriter;

constexpr size_t kRanksListed = 64, kMaxRows = 10'000;

struct Answer {
  Figures figures;
  Matches matches;
  ParallelGroups parallel;
  std::optional<Pipeline> pipeline;
  std::vector<Lateness> ranks;
  std::vector<uint32_t> unmatched;  // ranks that are known but can be compared with none

  double steps() const {
    return figures.ranks.empty() ? 1.0 : static_cast<double>(std::max<size_t>(figures.ranks.front().count, 1));
  }
  /// A sum over the window as us a step.
  double us(double ns) const { return ns / (1000.0 * steps()); }
};

void write_cause(JsonWriter& w, const Answer& a, const Lateness& one) {
  const More& more = one.more;
  w.field("cause_us", a.us(more.of(more.largest()))).key("more_us").begin_object();
  for (const Cause cause : {Cause::computing, Cause::copying, Cause::idle, Cause::began_later}) {
    if (cause != Cause::copying || more.copying_ns != 0) w.field(to_string(cause), a.us(more.of(cause)));
  }
  w.end_object();
  if (!one.operators.empty()) {
    w.key("operators").begin_array();
    for (const auto& [name, ns] : one.operators) {
      w.begin_object().field("op_type", name).field("more_us", a.us(ns)).end_object();
    }
    w.end_array();
  }
}

// Whom a rank's lateness is against: ranks of another pipeline stage have other work, and are not among them.
std::string compared_text(const Lateness& one) {
  const std::string ranks = "ranks " + list_ranks(one.compared);
  return one.pipeline ? ranks + " of pipeline stage pp " + std::to_string(*one.pipeline) : ranks;
}

// Where several pipeline stages have a late rank: `late_rank` is one of them. Empty: they do not.
std::string late_of_stages_text(const std::vector<Lateness>& ranks) {
  std::string late;
  std::set<std::optional<int64_t>> stages;
  for (const Lateness& one : ranks) {
    if (!one.is_late || !one.pipeline || !stages.insert(one.pipeline).second) continue;
    late += (late.empty() ? "" : ", ") + std::string("rank ") + std::to_string(one.rank) + " of pp " +
            std::to_string(*one.pipeline);
  }
  if (stages.size() < 2) return "";
  return "Ranks are compared within their pipeline stage, and several stages have a late one: " + late +
         ". `late_rank` is the first of them" +
         (ranks.front().waits_less_ns ? ": against its peers it waits least in collectives." : ".");
}

void write_rows(JsonWriter& w, const Answer& a) {
  w.key("rows").begin_array();
  for (size_t i = 0; i < a.ranks.size() && i < kMaxRows; ++i) {
    const Lateness& one = a.ranks[i];
    w.begin_object().field("rank", one.rank).field("late_ratio", one.ratio).field("late_us", a.us(one.late_ns));
    w.key("arrived_later_us");
    one.arrived_later_ns ? w.value(*one.arrived_later_ns / 1000.0) : w.value(nullptr);
    w.key("waits_less_us");
    one.waits_less_ns ? w.value(a.us(*one.waits_less_ns)) : w.value(nullptr);
    w.key("cause");
    one.is_late ? w.value(to_string(one.more.largest())) : w.value(nullptr);
    if (one.is_late) write_cause(w, a, one);
    if (one.pipeline) w.field("pp", *one.pipeline);
    w.field("peers", one.peers);
    if (!one.compared.empty()) w.field("compared", compared_text(one));
    w.key("clock_offset_us");
    w.value(static_cast<double>(a.matches.clocks.offset_ns.at(one.rank)) / 1000.0).end_object();
  }
  w.end_array().field("total_rows", a.ranks.size());
}

void write_matched(JsonWriter& w, const Answer& a) {
  const Matches& matches = a.matches;
  uint64_t collectives = 0;
  for (const Domain& one : matches.domains) collectives += one.count();
  w.key("matched").begin_object().field("by", matches.source).field("groups", matches.domains.size());
  w.field("collectives", collectives).field("ranks", a.ranks.size()).key("end_spread_us");
  const auto& spread_ns = matches.clocks.end_spread_ns;
  spread_ns ? w.value(*spread_ns / 1000.0) : w.value(nullptr);
  w.key("reference_ranks").begin_array();
  std::set<uint32_t> references;
  for (const auto& [rank, reference] : matches.clocks.reference) references.insert(reference);
  size_t listed = 0;
  for (const uint32_t rank : references) {
    if (++listed <= kRanksListed) w.value(rank);
  }
  w.end_array().end_object();
  w.key("unmatched_ranks").begin_array();
  for (size_t i = 0; i < a.unmatched.size() && i < kRanksListed; ++i) w.value(a.unmatched[i]);
  w.end_array().field("unmatched_count", a.unmatched.size());
}

void write_remarks(JsonWriter& w, Call& call, const Answer& a) {
  w.key("warnings").begin_array();
  if (!a.matches.disagreeing.empty()) {
    w.begin_object().field("code", "cluster.ends_disagree");
    w.field("text", std::to_string(a.matches.disagreeing.size()) +
                        " groups were left out: what is called the same there does not end together on its ranks.");
    w.end_object();
  }
  if (!a.figures.same_ends) {
    w.begin_object().field("code", "cluster.ends_differ").field("text", kEndsDifferText).end_object();
  }
  if (const auto text = late_of_stages_text(a.ranks); !text.empty()) {
    w.begin_object().field("code", "cluster.pipeline_stages").field("text", text).end_object();
  }
  w.end_array().key("evidence").begin_array();
  const Lateness& top = a.ranks.front();
  const auto ranks = call.args().ranks();
  if (std::find(ranks.begin(), ranks.end(), top.rank) != ranks.end()) {
    const bool file = std::string_view(a.matches.source) == "communication_file";
    if (const auto view = call.table(top.rank, file ? table::comm_op::kTable : table::kernel::kTable)) {
      w.begin_object().field("id", "e1").field("file", view->source_file());
      w.field("says", "of " + compared_text(top) + ", rank " + std::to_string(top.rank) +
                          " waits least: it has the shortest communication that nothing hides")
          .end_object();
    }
  }
  if (a.pipeline && a.pipeline->is_uneven()) {
    const RankFigures& longest = *a.figures.find(a.pipeline->stages[a.pipeline->longest].ranks.front());
    w.begin_object().field("id", "e2").field("file", longest.file);
    w.field("says", a.pipeline->comparison() + ": the shorter stages wait for the longest one").end_object();
  }
  w.end_array().key("next").begin_array();
  write_next_of_pipeline(w, call, a.pipeline);
  if (top.is_late) {
    const bool host = top.more.largest() == Cause::idle || top.more.largest() == Cause::began_later;
    w.begin_object().field("tool", host ? "stage_breakdown" : "top_operators").key("arguments").begin_object();
    w.field("rank", top.rank).end_object();
    w.field("why", host ? "what its host did while the device had no work" : "what its device did").end_object();
  }
  w.begin_object().field("tool", "cluster_summary").key("arguments").begin_object().end_object();
  w.field("why", "figures of all ranks, links, R_wait of groups").end_object();
  w.end_array();
}

int32_t nothing(Call& call, const std::string& why) {
  JsonWriter w;
  w.begin_object().field("status", "not_applicable").field("why", why).end_object();
  return call.emit(w);
}

}  // namespace

int32_t find_stragglers(Call& call) {
  auto figures = read_figures(call, call.args().integer("step"));
  // The host has been told why.
  if (!figures) return call.emit(JsonWriter());
  Answer a;
  a.figures = std::move(*figures);
  a.matches = match_collectives(call, a.figures);
  a.parallel = read_parallel_groups(call);
  a.pipeline = read_pipeline(a.figures, a.parallel);
  a.ranks = find_lateness(call, a.figures, a.matches, a.parallel);
  if (a.ranks.empty()) {
    if (call.args().ranks().size() + a.figures.ranks.size() < 3) {
      return nothing(call, "It compares ranks, and the profile has one.");
    }
    return nothing(call, "No collective was found on two ranks with figures: nothing tells how they compare.");
  }
  const auto ranks = call.args().ranks();
  std::set<uint32_t> left(ranks.begin(), ranks.end());
  for (const RankFigures& one : a.figures.ranks) left.insert(one.rank);
  for (const Lateness& one : a.ranks) left.erase(one.rank);
  a.unmatched.assign(left.begin(), left.end());
  const Lateness& top = a.ranks.front();
  JsonWriter w;
  w.begin_object().key("late_rank");
  top.is_late ? w.value(top.rank) : w.value(nullptr);
  w.key("late_rank_compared");
  top.is_late ? w.value(compared_text(top)) : w.value(nullptr);
  w.key("window");
  a.figures.ranks.empty() ? w.value(nullptr) : w.value(a.figures.window_text());
  write_rows(w, a);
  write_pipeline(w, a.pipeline);
  write_matched(w, a);
  w.key("metrics").begin_object().field("cluster.late_ratio", top.ratio);
  w.field("cluster.pipeline_imbalance_ratio", a.pipeline ? a.pipeline->imbalance_ratio() : std::nullopt).end_object();
  write_remarks(w, call, a);
  w.end_object();
  return call.emit(w);
}

}  // namespace stepwise::cluster
