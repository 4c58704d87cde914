#include "evidence.h"

#include <algorithm>
#include <cstdio>

namespace stepwise::recsys_stages {
namespace {

namespace host_op = table::host_op;
using sdk::JsonWriter;

constexpr size_t kStepsInEvidence = 3;
constexpr double kLowCoverage = 0.5;
constexpr int64_t kSlowShare = 4;  // a step is worth a look that is slower than the median by one in so many

std::string percent(int64_t part, int64_t whole) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%",
                whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0);
  return text;
}

std::string in_us(int64_t ns) {
  char text[48];
  std::snprintf(text, sizeof text, "%.3f us", static_cast<double>(ns) / 1000.0);
  return text;
}

// The step that takes most time, if that is more than 5 times the mean of the others.
std::optional<uint32_t> step_that_stands_out(const Answer& answer) {
  const auto& chosen = answer.breakdown.windows;
  if (chosen.size() < 2) return std::nullopt;
  const auto wall = [&answer](uint32_t window) { return answer.sources.windows.all[window].wall_ns(); };
  const uint32_t longest =
      *std::max_element(chosen.begin(), chosen.end(), [&wall](uint32_t a, uint32_t b) { return wall(a) < wall(b); });
  const int64_t others_ns = answer.breakdown.wall_ns - wall(longest);
  const double mean_of_others = static_cast<double>(others_ns) / static_cast<double>(chosen.size() - 1);
  if (static_cast<double>(wall(longest)) <= 5 * mean_of_others) return std::nullopt;
  return longest;
}

std::string number_text(const Answer& answer, uint32_t window) {
  return std::to_string(answer.sources.windows.all[window].number.value_or(0));
}

}  // namespace

// A mean over several steps that is really one step's: more than half of a stage that takes a noticeable share.
bool is_of_one_step(const Breakdown& breakdown, const StageSum& sum) {
  constexpr int64_t kShareWorthTelling = 20;  // 5 % of the steps
  if (breakdown.windows.size() < 3 || sum.wall_ns < breakdown.wall_ns / kShareWorthTelling) return false;
  return sum.most_wall_ns > sum.wall_ns / 2;
}

Evidence collect_evidence(const Answer& answer) {
  Evidence evidence;
  const Sources& sources = answer.sources;
  const std::string file(sources.host_ops.source_file());
  const auto add = [&](int64_t row, std::string says) {
    evidence.items.push_back({"e" + std::to_string(evidence.items.size() + 1), file, row, std::move(says)});
    return evidence.items.back().id;
  };
  const auto& chosen = answer.breakdown.windows;
  for (size_t i = 0; sources.windows.by_steps && i < chosen.size() && i < kStepsInEvidence; ++i) {
    const Window& window = sources.windows.all[chosen[i]];
    std::string says = "ProfilerStep#" + number_text(answer, chosen[i]) + ": " + in_us(window.wall_ns());
    if (i + 1 == kStepsInEvidence && chosen.size() > kStepsInEvidence) {
      says += "; and " + std::to_string(chosen.size() - kStepsInEvidence) + " more steps";
    }
    add(window.src_pos, std::move(says));
  }
  const auto name = sources.host_ops[host_op::name];
  const auto src_pos = sources.host_ops[host_op::src_pos];
  for (size_t stage = 0; stage < kStages; ++stage) {
    const StageSum& sum = answer.breakdown.stages[stage];
    if (sum.longest_ns < 0) continue;
    evidence.of_stage[stage].push_back(
        add(src_pos[sum.longest_row], "the longest call of " + std::string(kStageNames[stage]) + ": `" +
                                          std::string(name[sum.longest_row]) + "`, " + in_us(sum.longest_ns)));
  }
  if (!answer.breakdown.others.empty()) {
    const OtherCall& other = answer.breakdown.others.front();
    add(src_pos[other.longest_row], "unclassified: most time is in `" + std::string(other.name) +
                                        "`, the longest here, " + in_us(other.longest_ns));
  }
  return evidence;
}

void write_warnings(JsonWriter& w, const Answer& answer) {
  const Breakdown& breakdown = answer.breakdown;
  const auto present = [&breakdown](Stage stage) { return breakdown.stages[slot(stage)].present; };
  const auto warn = [&w](const char* code, const std::string& text) {
    w.begin_object().field("code", code).field("text", text).end_object();
  };
  w.key("warnings").begin_array();
  if (!answer.sources.windows.by_steps) {
    warn("stages.no_steps",
         "The profile has no ProfilerStep: all calls of the host are one window, and its main thread is thread " +
             std::to_string(answer.sources.windows.all.front().main.tid) + ".");
  }
  const bool any = std::any_of(breakdown.stages.begin(), breakdown.stages.end() - 1,
                               [](const StageSum& sum) { return sum.present; });
  if (!any) {
    warn("stages.none", "No call or range has a name that speaks of a stage.");
  } else if (!present(Stage::backward) && !present(Stage::update_embedding) && !present(Stage::update_dense)) {
    warn("stages.no_training",
         "Neither backward nor an update was found: this looks like inference, not a training step.");
  }
  const int64_t unclassified_ns = breakdown.stages[kStages].wall_ns;
  if (any && static_cast<double>(breakdown.classified_ns()) < kLowCoverage * static_cast<double>(breakdown.wall_ns)) {
    std::string text = percent(unclassified_ns, breakdown.wall_ns) + " of the step is in no stage on the main thread: ";
    text += percent(breakdown.no_call_ns, breakdown.wall_ns) + " in no call at all";
    if (!breakdown.others.empty()) {
      const OtherCall& other = breakdown.others.front();
      text += ", " + percent(other.ns, breakdown.wall_ns) + " in `" + std::string(other.name) + "`";
    }
    warn("stages.low_coverage", text + ". Named ranges around the stages (record_function) would tell more.");
  }
  if (const auto window = step_that_stands_out(answer)) {
    warn("steps.one_stands_out", "Step " + number_text(answer, *window) +
                                     " takes more than 5 times the mean of the others; the mean includes it. "
                                     "Ask for another `step` to see a typical one.");
  }
  for (size_t stage = 0; stage < kStages; ++stage) {
    const StageSum& sum = breakdown.stages[stage];
    if (!is_of_one_step(breakdown, sum)) continue;
    warn("stages.one_step", in_us(sum.most_wall_ns) + " of the " + in_us(sum.wall_ns) + " of " +
                                std::string(kStageNames[stage]) + " in " + std::to_string(breakdown.windows.size()) +
                                " steps are in step " + number_text(answer, sum.most_window) +
                                ": its mean and its share are no typical step's.");
  }
  const DeviceStages& device = answer.sources.device;
  if (device.unlinked > 0) {
    warn("stages.device_unlinked",
         std::to_string(device.unlinked) + " device rows (" + in_us(device.unlinked_ns) +
             " together) have no launching host call: they count for the stage that the host was in when they began.");
  }
  if (answer.tree.threads_left_out > 0) {
    warn("stages.threads_left_out",
         "The tree leaves out " + std::to_string(answer.tree.threads_left_out) + " threads with less time.");
  }
  w.end_array();
}

void write_next(JsonWriter& w, const Answer& answer) {
  const auto begin = [&](const char* tool) {
    w.begin_object().field("tool", tool).key("arguments").begin_object();
    if (answer.model.rank != 0) w.field("rank", answer.model.rank);
  };
  const auto end = [&w](const std::string& why) { w.end_object().field("why", why).end_object(); };
  const auto& windows = answer.sources.windows;
  w.key("next").begin_array();
  if (!answer.model.one_step && answer.breakdown.windows.size() > 1) {
    const auto& chosen = answer.breakdown.windows;
    const uint32_t longest = *std::max_element(chosen.begin(), chosen.end(), [&windows](uint32_t a, uint32_t b) {
      return windows.all[a].wall_ns() < windows.all[b].wall_ns();
    });
    const int64_t longest_ns = windows.all[longest].wall_ns(), median_ns = windows.all[answer.tree_window].wall_ns();
    if (longest_ns > median_ns + median_ns / kSlowShare) {
      begin("stage_breakdown");
      w.field("step", windows.all[longest].number);
      end("the slowest step, " + in_us(longest_ns) + " against a median of " + in_us(median_ns) +
          ": which stage is longer there");
    }
  }
  begin("summarize_profile");
  if (answer.model.one_step) w.field("step", windows.all[answer.breakdown.windows.front()].number);
  end("what the device does in the step: computing, communication, free");
  w.end_array();
}

}  // namespace stepwise::recsys_stages
