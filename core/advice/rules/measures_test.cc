#include <algorithm>
#include <map>
#include <set>

#include "core/advice/rules/rule_book.h"
#include "core/base/small_file.h"
#include "tests/catch.h"

namespace stepwise::advice {
namespace {

std::shared_ptr<const RuleBook> book() {
  std::vector<Error> faults;
  static const auto one = RuleBook::load({"skills"}, Knowledge::load({"skills/knowledge"}, faults), faults);
  return one;
}

/// Every measure of the recommendation skill's section 8, and what it became.
const std::vector<std::pair<const char*, const char*>> kSection8{
    {"8.1 H2D and D2H, measure 1", "h2d.batch"},
    {"8.1 H2D and D2H, measure 2", "h2d.pinned"},
    {"8.1 H2D and D2H, measure 3", "h2d.smaller_input"},
    {"8.1 H2D and D2H, measure 4", "h2d.async"},
    {"8.1 NN, measure 1", "nn.auto_fusion"},
    {"8.1 NN, measure 2", "nn.hand_fusion"},
    {"8.1 NN, measure 3", "nn.tiling_key"},
    {"8.1 NN, measure 4", "nn.static_sinking"},
    {"8.1 NN, measure 5", "nn.multi_thread_dispatch"},
    {"8.1 NN, measure 5", "nn.task_queue"},
    {"8.1 NN, measure 6", "nn.core_binding"},
    {"8.1 NN, measure 7", "nn.hybrid_dispatch"},
    {"8.1 NN, measure 8", "nn.ai_cpu_replace"},
    {"8.1 NN, measure 9", "nn.multi_stream"},
    {"8.2, measure 1", "inference.multi_instance"},
    {"8.2, measure 2", "inference.core_control"},
    {"8.3 stages, measure 1", "training.async_preprocess_fetch"},
    {"8.3 stages, measure 2", "training.async_updates"},
    {"8.3 stages, measure 3", "training.prefetch"},
    {"8.3 stages, measure 4", "training.prefetch_depth"},
    {"8.3 stages, measure 5", "training.wait_late"},
    {"8.3 communication, measure 1", "training.async_collectives"},
    {"8.3 communication, measure 2", "training.device_backend"},
    {"8.3 communication, measure 3", "training.fewer_synchronisations"},
    {"8.3 communication, measure 4", "training.dense_gradients"},
    {"8.3 communication, measure 5", "training.rank_balance"},
    {"8.3 communication, measure 6", "nn.task_queue"},
    {"8.3 operators, measure 1", "training.hf32"},
    {"8.3 operators, measure 2", "training.mixed_precision"},
    {"8.3 operators, measure 3", "training.precision_switches"},
    {"8.3 operators, measure 4", "training.custom_op_sync"},
    {"8.3 operators, measure 4", "training.larger_batch"}};

/// Every judgement on a profile of the same section, and the rule that makes it.
const std::map<std::string, const char*> kJudgements{
    {"8.1 scalar ratio of at least 30 %", "scalar_heavy"},
    {"8.1 cube utilization below 20 %", "cube_low"},
    {"8.1 mac ratio below 30 %", "mac_low"},
    {"8.1 operators below 90 % of the iteration", "schedule_bound"},
    {"8.1 AI_CPU operators", "ai_cpu"},
    {"8.3 stages 1: preprocessing and fetch serial", "preprocess_fetch_serial"},
    {"8.3 stages 2: updates serial", "updates_serial"},
    {"8.3 stages 3: no prefetch", "no_prefetch"},
    {"8.3 stages 4: waits above 50 ms", "prefetch_waits"},
    {"8.3 stages 5: free above 5 %", "device_idle"},
    {"8.3 communication 1: not overlapped above 30 %", "comm_not_hidden"},
    {"8.3 communication 2: no transit, all wait", "comm_synchronization_bound"},
    {"8.3 communication 3: more than 10 synchronisations", "host_sync_many"},
    {"8.3 communication 3: more than 100 ms of them", "host_sync_long"},
    {"8.3 communication 4: device waits above 10 %", "device_wait"},
    {"8.3 operators 1: many short vector operators", "vector_many_short"},
    {"8.3 operators 2: more than 500 copies", "copies_many"},
    {"8.3 operators 3: HF32 off", "hf32_off"},
    {"8.3 operators 4: embedding operators above 5 %", "embedding_ops"},
    {"8.3 operators 5: synchronisation in custom operators", "custom_op_sync"}};

std::vector<const Text*> prose(const Measure& one) {
  return {&one.direction, &one.constraint, &one.gain, &one.risk, &one.where};
}

}  // namespace

TEST_CASE("every measure that changes code shows how") {
  const std::set<std::string> no_code{"The operator's source", "The options of graph compilation"};
  for (const Measure& measure : book()->measures()) {
    // Those of causes that no analyzer gives yet come with their analyzers.
    if (measure.id.starts_with("bottleneck.") || no_code.contains(measure.where.en)) continue;
    INFO(measure.id);
    CHECK(std::any_of(measure.ways.begin(), measure.ways.end(), [](const Way& way) { return !way.example.empty(); }));
  }
}

TEST_CASE("every measure of the skill's section 8 is there, with its source") {
  CHECK(kSection8.size() == 32);
  for (const auto& [section, id] : kSection8) {
    INFO(section << ": " << id);
    const Measure* measure = book()->measure(id);
    REQUIRE(measure != nullptr);
    CHECK(measure->source.find(section) != std::string::npos);
    if (std::string(section).starts_with("8.2")) CHECK(measure->scenario == "inference");
  }
}

TEST_CASE("every judgement of the skill's section 8 is a rule") {
  for (const auto& [judgement, id] : kJudgements) {
    INFO(judgement);
    CHECK(book()->rule(id) != nullptr);
  }
}

TEST_CASE("every rule has a measure that answers it") {
  for (const Rule& rule : book()->rules()) {
    INFO(rule.id);
    CHECK(std::any_of(book()->measures().begin(), book()->measures().end(), [&](const Measure& one) {
      return std::find(one.answers.begin(), one.answers.end(), rule.id) != one.answers.end();
    }));
  }
}

TEST_CASE("every parameter of a measure is verified, fits its values and changes something") {
  int values = 0;
  for (const Measure& measure : book()->measures()) {
    for (const Way& way : measure.ways) {
      for (const WantedParameter& wanted : way.parameters) {
        INFO(measure.id << ": " << wanted.id);
        const Parameter* known = book()->knowledge().find(wanted.id);
        REQUIRE(known != nullptr);
        CHECK(known->status == Status::verified);
        CHECK(known->confidence != Confidence::low);
        if (!wanted.value) continue;
        ++values;
        REQUIRE(known->value);
        CHECK(known->value->check(*wanted.value).fit == Fit::yes);
        CHECK(known->default_value != wanted.value);
      }
    }
  }
  CHECK(values > 30);
}

TEST_CASE("no prose of a measure names a parameter or promises a share") {
  for (const Measure& measure : book()->measures()) {
    for (const Text* text : prose(measure)) {
      for (const std::string& words : {text->en, text->zh}) {
        INFO(measure.id << ": " << words);
        CHECK(words.find('%') == std::string::npos);
        for (const Parameter& one : book()->knowledge().parameters()) {
          if (one.name.find_first_of("_.-=") == std::string::npos) continue;  // "reduce" is a word, too
          CHECK(words.find(one.name) == std::string::npos);
        }
      }
    }
  }
}

TEST_CASE("what changes numerics warns so, in both languages") {
  for (const Measure& measure : book()->measures()) {
    INFO(measure.id);
    if (measure.risk_kind != RiskKind::accuracy_ab) continue;
    CHECK(measure.risk.en.find("A/B") != std::string::npos);
    CHECK(measure.risk.zh.find("A/B") != std::string::npos);
  }
  for (const char* id :
       {"training.hf32", "training.mixed_precision", "training.precision_switches", "training.larger_batch"}) {
    CHECK(book()->measure(id)->risk_kind == RiskKind::accuracy_ab);
  }
}

TEST_CASE("every metric that rules may ask for stands on its page") {
  const std::string metrics = read_small_file("docs/metrics.md", 1u << 20).value();
  const std::string reserved = read_small_file("docs/guide/rules.md", 1u << 20).value();
  CHECK(book()->metrics().size() > 100);
  for (const auto& [name, metric] : book()->metrics()) {
    INFO(name);
    const std::string& page = metric.is_reserved ? reserved : metrics;
    std::string pattern = "`" + name + "`";
    // The pages of stages and problem operators name theirs once for all.
    for (const auto& [group, of_all] :
         {std::pair{"stage.", "`stage.<stage>_ratio`"}, std::pair{"problem.", "`problem.<problem>_ratio`"}}) {
      if (name.starts_with(group) && page.find(pattern) == page.npos && name.ends_with("_ratio")) pattern = of_all;
    }
    CHECK(page.find(pattern) != std::string::npos);
  }
}

TEST_CASE("every metric that the page defines may be asked for") {
  const std::string page = read_small_file("docs/metrics.md", 1u << 20).value();
  const std::set<std::string> groups{"step", "comm",   "cluster", "iteration", "model", "throughput", "op",   "problem",
                                     "host", "device", "memory",  "instances", "stage", "prefetch",   "graph"};
  int names = 0;
  for (size_t at = page.find('`'); at != page.npos; at = page.find('`', at + 1)) {
    const size_t end = page.find('`', at + 1);
    if (end == page.npos) break;
    const std::string name = page.substr(at + 1, end - at - 1);
    at = end;
    const size_t dot = name.find('.');
    const bool is_plain = name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.") == name.npos;
    if (dot == name.npos || !is_plain || !groups.contains(name.substr(0, dot))) continue;
    if (name == "prefetch.result") continue;  // a call's name
    INFO(name);
    CHECK(book()->metrics().contains(name));
    ++names;
  }
  CHECK(names > 60);
}

}  // namespace stepwise::advice
