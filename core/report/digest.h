// What a reader wants first, taken out of the report model: where the step's time goes, which operators cost most, what
// kind of run it is, what is missing. The first page of a report and the terminal's summary both show it. [any thread]
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace stepwise::report {

/// A smaller part of the step would read "0.0 %": figures for people leave it out, tables don't.
inline constexpr double kVisibleRatio = 0.0005;

struct Digest {
  struct Part {
    std::string what;  // "computing", "not_overlapped", "free"...: label kind "part"
    double us = 0, ratio = 0;
    std::optional<double> us_per_step = {};  // of a whole trace with steps
  };
  struct Operator {
    std::string name, core;
    int64_t count = 0;
    double total_us = 0;
    std::optional<double> ratio;
  };
  struct Verdict {
    std::string value, proof;
    std::string supply;  // what would settle it; empty: it is settled
  };
  struct Advice {
    std::string measure;
    std::string parameters;       // NAME=value, divided by ", "; empty: none
    std::optional<double> share;  // of the step, at most
  };
  struct Next {
    std::string tool, why;
    Json arguments = Json::object();
    std::string chapter{};  // of this report, which answers it; empty: still to be asked
  };
  struct Text {
    std::string subject, text;
    friend bool operator==(const Text&, const Text&) = default;
  };

  std::string id, name, kind, framework;
  std::optional<int64_t> rank;
  int64_t rank_count = 0, step_count = 0;
  std::vector<std::string> steps;
  std::optional<double> step_us;  // the sum of the parts
  bool is_whole_trace = false;    // the parts are of a GPU trace from its first device row to its last, not of a step
  bool is_run = false;            // the parts are of the whole run, which nothing divides into steps
  int64_t trace_steps = 0;        // of the whole trace; 0: none, or the parts are of a step
  std::optional<double> step_median_us;
  std::vector<Part> parts;  // as summarize_profile ranks them
  Verdict scenario, mode;
  std::vector<Operator> operators;  // by type (by name where there are no types), most expensive first
  std::optional<double> operator_total_us;
  std::vector<Text> missing;       // input, what its absence costs; each once
  std::vector<Text> warnings;      // code, text; each once
  std::vector<Text> failures;      // tool, what went wrong
  std::vector<Text> inapplicable;  // tool, what the profile lacks for it
  std::vector<Advice> advice;      // best first
  std::vector<Next> next;          // each once; what is still to be asked first
  size_t failed_checks = 0;        // of the report's own
  bool measured = false;           // at least one analysis gave something to read
};

Digest digest(const Json& model);

}  // namespace stepwise::report
