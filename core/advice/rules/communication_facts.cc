#include "core/advice/rules/communication_facts.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "core/advice/rules/answer_values.h"

namespace stepwise::advice {
namespace {

constexpr const char *kOverlap = "comm_overlap", *kStragglers = "find_stragglers", *kCluster = "cluster_summary";

/// What an operation does: reduces, hands over between the stages of a pipeline, or something else. NCCL's SendRecv may
/// be an all-to-all as well.
const char* kind_of(const Json& operation) {
  std::string name;
  for (const unsigned char c : text(at(operation, {"type"})) + " " + text(at(operation, {"name"}))) {
    if (c != '_') name += static_cast<char>(std::tolower(c));
  }
  if (has_any(name, {"allreduce", "reducescatter"})) return "reduce";
  const bool hands_over = has_any(name, {"sendrecv", "hcomsend", "hcomreceive", "hcomrecv"});
  return hands_over && !has_any(name, {"nccl"}) ? "pipeline" : "other";
}

class CommunicationFacts {
 public:
  CommunicationFacts(const Answers& answers, std::vector<Fact>& out)
      : answers_(answers),
        out_(out),
        steps_(number(at(answer("summarize_profile"), {"iterations", "count"}))),
        step_us_(step_us()) {}

  void add_all() {
    findings();
    waits();
    kinds();
    bubble();
    ranks();
  }

 private:
  const Json& answer(const char* tool) const {
    static const Json kNone;
    const auto it = answers_.find(tool);
    return it == answers_.end() ? kNone : it->second;
  }
  void add(const char* tool, std::string name, Json value) {
    out_.push_back({std::move(name), std::move(value), tool});
  }
  /// A GPU trace's step.wall_us is its whole span, of all iterations.
  std::optional<double> step_us() const {
    const auto wall = number(at(answer("summarize_profile"), {"metrics", "step.wall_us"}));
    const bool is_span = at(answer("open_profile"), {"kind"}) == "kineto" && steps_.value_or(0) > 1;
    return wall && is_span ? std::optional(*wall / *steps_) : wall;
  }
  /// Of the step: operations' times are sums over the whole run.
  Json step_share(const std::optional<double>& us_in_all) const {
    return us_in_all && steps_ && step_us_ ? quotient(us_in_all, *steps_ * *step_us_) : Json();
  }

  void findings();
  void waits();
  void kinds();
  void bubble();
  void ranks();

  const Answers& answers_;
  std::vector<Fact>& out_;
  const std::optional<double> steps_, step_us_;
};

void CommunicationFacts::findings() {
  const Json& overlap = answer(kOverlap);
  if (!overlap.is_object()) return;
  for (const char* finding : {"not_hidden", "synchronization_bound", "idle_to_fill", "device_wait_bound"}) {
    add(kOverlap, std::string("comm.") + finding, at(overlap, {"findings", finding, "holds"}));
  }
  add(kOverlap, "comm.synchronization_bound_ratio", at(overlap, {"findings", "synchronization_bound", "ratio"}));
  // Behind computing there is room for as much as hides nothing yet.
  const auto computing = number(at(overlap, {"breakdown", "computing_us"})),
             hidden = number(at(overlap, {"breakdown", "overlapped_us"})),
             open = number(at(overlap, {"breakdown", "not_overlapped_us"}));
  add(kOverlap, "comm.hideable_step_ratio",
      computing && hidden && open ? quotient(std::max(std::min(*open, *computing - *hidden), 0.0),
                                             number(at(overlap, {"breakdown", "wall_us"})))
                                  : Json());
  std::map<std::string, double> by_stage;  // of the longest uncovered spans
  for (const Json& span : list(overlap, "rows")) {
    const std::string stage = text(at(span, {"stage"}));
    if (!stage.empty()) by_stage[stage] += number(at(span, {"dur_us"})).value_or(0);
  }
  const auto most = std::max_element(by_stage.begin(), by_stage.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  add(kOverlap, "comm.uncovered_stage", most == by_stage.end() ? Json() : Json(most->first));
}

/// A wait counts where it is long, and where the file tells transfers at all: some leave their time at 0 beside
/// transports that did move data.
void CommunicationFacts::waits() {
  const Json& overlap = answer(kOverlap);
  if (!overlap.is_object()) return;
  const double bound_at = number(at(overlap, {"findings", "synchronization_bound", "threshold"})).value_or(1);
  Json counts = at(overlap, {"ops_total", "wait_counts"});
  double waiting_us = 0, handing_over_us = 0;  // of the operations that do little but wait
  for (const Json& one : list(overlap, "ops")) {
    const bool lacks_transfers = at(one, {"transit_us"}) == 0 && number(at(one, {"bandwidth_gb_s"})).value_or(0) > 0;
    if (lacks_transfers && counts.is_boolean()) counts = false;
    if (number(at(one, {"wait_ratio"})).value_or(0) < bound_at || at(one, {"wait_counts"}) == false) continue;
    const double us = number(at(one, {"wait_us"})).value_or(0);
    waiting_us += us;
    if (kind_of(one) == std::string_view("pipeline")) handing_over_us += us;
  }
  const bool is_known = counts == true;
  add(kOverlap, "comm.wait_step_ratio", is_known ? step_share(number(at(overlap, {"ops_total", "wait_us"}))) : Json());
  add(kOverlap, "comm.synchronization_wait_step_ratio", is_known ? step_share(waiting_us) : Json());
  add(kOverlap, "comm.synchronization_pipeline_ratio", waiting_us > 0 ? Json(handing_over_us / waiting_us) : Json(0.0));
  add(kOverlap, "comm.wait_counts", std::move(counts));
}

void CommunicationFacts::kinds() {
  std::map<std::string, double> by_kind;
  for (const Json& one : list(answer(kOverlap), "ops")) {
    by_kind[kind_of(one)] += number(at(one, {"elapse_us"})).value_or(0);
  }
  if (by_kind.empty()) return;
  const auto most = std::max_element(by_kind.begin(), by_kind.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  add(kOverlap, "comm.largest_kind", most->first);
  const double pipeline_us = by_kind["pipeline"];
  add(kOverlap, "comm.pipeline_ratio", quotient(pipeline_us, number(at(answer(kOverlap), {"ops_total", "elapse_us"}))));
  add(kOverlap, "comm.pipeline_step_ratio", step_share(pipeline_us));
}

/// What a pipeline's rank waits for another stage; GPU traces do not tell it from other communication.
void CommunicationFacts::bubble() {
  const Json& summary = answer("summarize_profile");
  add("summarize_profile", "step.bubble_ratio",
      quotient(number(at(summary, {"breakdown", "bubble_us"})), number(at(summary, {"breakdown", "wall_us"}))));
}

/// Shares of this rank's own step, which is what the rank could be done earlier by.
void CommunicationFacts::ranks() {
  if (const Json& rows = list(answer(kStragglers), "rows"); !rows.empty()) {
    add(kStragglers, "cluster.late_cause", at(rows.front(), {"cause"}));
    add(kStragglers, "cluster.late_step_ratio", quotient(number(at(rows.front(), {"late_us"})), step_us_));
  }
  const Json& cluster = answer(kCluster);
  if (!cluster.is_object()) return;
  const auto more = number(at(cluster, {"metrics", "cluster.computing_imbalance_ratio"})),
             median = number(at(cluster, {"ranks_total", "computing_median_us"}));
  add(kCluster, "cluster.computing_imbalance_step_ratio",
      more && median ? quotient(*more * *median, step_us_) : Json());
  // What the longest stage computes beyond the mean of all: with even stages every step were so much shorter.
  const Json pipeline = at(cluster, {"pipeline"}), longest = at(pipeline, {"longest_pp"});
  const auto share = number(at(pipeline, {"imbalance_ratio"}));
  for (const Json& stage : list(pipeline, "stages")) {
    const auto computing = number(at(stage, {"computing_us"}));
    if (!share || !computing || at(stage, {"pp"}) != longest) continue;
    add(kCluster, "cluster.pipeline_imbalance_step_ratio", quotient(*computing * *share / (1 + *share), step_us_));
  }
  // Ranks of one stage have the same work; those of another stage have the layers that it was given.
  add(kCluster, "cluster.has_uneven_stages", at(cluster, {"pipeline", "uneven"}) == true);
}

}  // namespace

void add_communication_facts(const Answers& answers, std::vector<Fact>& out) {
  CommunicationFacts(answers, out).add_all();
}

}  // namespace stepwise::advice
