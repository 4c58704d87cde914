#include "summary_next.h"

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "blocking_calls.h"
#include "summary_steps.h"

namespace stepwise::overview {
namespace {

using sdk::JsonWriter;

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", share * 100);
  return text;
}

// What shares are of. Neither a whole trace nor a run that nothing divides is a step.
std::string of_window(const Summary& s) {
  if (!s.window_is_step) return " of the whole run";
  if (!s.window->whole_trace) return " of the step";
  const auto steps = steps_of_trace(s);
  if (!steps) return " of the whole trace";
  return " of the whole trace (" + std::to_string(*steps) + (*steps == 1 ? " step)" : " steps)");
}

int64_t steps_of(const Summary& s) { return static_cast<int64_t>(s.window->steps.size()); }

// A step far beyond the median that can be asked for by its number; a compilation has a warning of its own.
const Step* slow_step(const Summary& s) {
  const Step* const slow = s.window && !s.window->tells_copies ? step_beyond_median(*s.window) : nullptr;
  if (slow == nullptr || !slow->number) return nullptr;
  const bool compiles =
      s.iterations.compile_step && s.steps && s.steps->steps[*s.iterations.compile_step].number == slow->number;
  return compiles ? nullptr : slow;
}

constexpr double kShareWorthALook = 0.05;

std::optional<double> share_of(const Summary& s, int64_t part_ns) {
  const int64_t wall_ns = s.window->sum.wall_ns();
  if (wall_ns <= 0) return std::nullopt;
  return static_cast<double>(part_ns) / static_cast<double>(wall_ns);
}

// Enough of the step to go after it.
bool bubble_counts(const Summary& s) { return share_of(s, s.window->sum.bubble_ns).value_or(0) >= kShareWorthALook; }

// The device idle: what the host did meanwhile, and where it waited most.
std::string why_host_calls(const Summary& s, std::string_view part, double share) {
  std::string why = (part == "free" ? "the device ran nothing in " : "copies that nothing hides are ") +
                    percent(share) + of_window(s) + ": which host calls meanwhile, and from where";
  if (s.blocking && blocks_much(*s.blocking, s.window->sum.wall_ns())) {
    why += "; it was idle for " + in_ms(s.blocking->idle_ns) + " while the host waited, most in " +
           place_of(s.blocking->groups.front());
  }
  return why;
}

}  // namespace

void write_warnings(JsonWriter& w, const Summary& s) {
  const auto warn = [&w](const char* code, const std::string& text) {
    w.begin_object().field("code", code).field("text", text).end_object();
  };
  w.key("warnings").begin_array();
  if (s.iterations.without_annotation) {
    warn("iterations.no_step_annotation",
         "The run has no step annotation: what it took as a whole stands for one iteration.");
  }
  if (!s.window_is_step) {
    warn("steps.undivided",
         "Nothing divides the run into steps: the breakdown is of the whole run, with what lies between iterations, "
         "and no share of a step is known.");
  }
  if (s.steps && s.steps->not_collected > 0) {
    warn("steps.not_collected",
         std::to_string(s.steps->not_collected) +
             " iterations lie before or behind the kernels that were collected, or were cut there; the "
             "breakdown leaves them out.");
  }
  // The breakdown is of all steps, as it says; one that is nothing like the others must not be taken for typical.
  if (s.iterations.compile_step && s.window && s.window->steps.size() > 1) {
    const Step& slow = s.steps->steps[*s.iterations.compile_step];
    warn("steps.first_stands_out",
         "Step " + std::to_string(slow.number.value_or(0)) +
             " takes more than 5 times the mean of the others; the breakdown's mean includes it, "
             "the means of iterations do not. Ask for another `step` to see a typical one.");
  }
  if (const Step* slow = slow_step(s)) {
    warn("steps.uneven", "Step " + std::to_string(*slow->number) + " takes " + in_ms(slow->wall_ns()) +
                             " against a mean of " + in_ms(s.window->sum.wall_ns() / steps_of(s)) +
                             ", more than twice the median: means and shares are no typical step's.");
  }
  w.end_array();
}

void write_next(JsonWriter& w, const Summary& s) {
  // The same rank and, where it matters, the same step: else the next answer is of other data than this one.
  const auto begin = [&w, &s](const char* tool) {
    w.begin_object().field("tool", tool).key("arguments").begin_object();
    if (s.rank != 0) w.field("rank", s.rank);
  };
  const auto end = [&w](const std::string& why) { w.end_object().field("why", why).end_object(); };
  w.key("next").begin_array();
  bool asked_operators = false;
  const auto ask_operators = [&](std::optional<double> share) {
    if (std::exchange(asked_operators, true) || (!s.kernels && !s.op_stat_ns)) return;
    begin("top_operators");
    w.field("by", "type");
    if (s.step) w.field("step", *s.step);
    end(share ? "computing is " + percent(*share) + of_window(s) + ": which operators make it up"
              : "which operators cost most");
  };
  if (s.window && !s.window->steps.empty()) {
    const bool has_collectives = s.kernels && s.kernels->communication_rows > 0;
    bool asked_host = !s.blocking;  // a trace without host calls cannot answer
    // Of a GPU trace each part that counts, largest first: whoever follows them finds where each comes from.
    const std::vector<Part> parts = where_time_goes(*s.window);
    for (size_t place = 0; place < (s.window->tells_copies ? parts.size() : 1); ++place) {
      const std::string_view part = parts[place].name;
      const auto share = share_of(s, parts[place].sum_ns);
      if (!share || (place > 0 && *share < kShareWorthALook)) break;
      if (part == "communication_not_overlapped" && has_collectives) {
        begin("comm_overlap");
        if (s.step) w.field("step", *s.step);
        end("communication that nothing hides is " + percent(*share) + of_window(s) + ": where, and which operations");
      } else if (part == "computing" && s.window->tells_copies) {
        ask_operators(share);
      } else if ((part == "free" || part == "copy_not_overlapped") && !std::exchange(asked_host, true)) {
        begin("host_api");
        if (s.step) w.field("step", *s.step);
        end(why_host_calls(s, part, *share));
      }
    }
    if (s.several_ranks && !s.window->tells_copies && waits_for_pipeline(s.window->sum) && bubble_counts(s)) {
      w.begin_object().field("tool", "cluster_summary").key("arguments").begin_object();
      if (s.step) w.field("step", *s.step);
      end("bubble_us is " + percent(*share_of(s, s.window->sum.bubble_ns)) +
          " of the step, waiting for another pipeline stage: what each stage computes");
    }
    if (const Step* slow = slow_step(s)) {
      begin(s.knows_host_ranges ? "stage_breakdown" : "summarize_profile");
      w.field("step", *slow->number);
      end("the slowest step, " + in_ms(slow->wall_ns()) + " against a mean of " +
          in_ms(s.window->sum.wall_ns() / steps_of(s)) + ": what is longer there");
    }
  }
  ask_operators(s.window ? share_of(s, s.window->sum.computing_ns) : std::nullopt);
  if (const Step* step = step_to_look_at(s)) {
    begin("summarize_profile");
    w.field("step", *step->number);
    end("these figures are" + of_window(s) + ": step " + std::to_string(*step->number) + " by itself");
  }
  if (s.schedule_bound.value_or(false) && s.calls) {
    begin("host_api");
    if (s.step) w.field("step", *s.step);
    end("the device waits for the host: which of its calls take long, and which are too many");
  }
  if (s.execution_mode["value"].text().value_or("undetermined") == "undetermined") {
    begin("detect_execution_mode");
    end("the execution mode is undetermined: it says what to declare");
  }
  w.end_array();
}

}  // namespace stepwise::overview
