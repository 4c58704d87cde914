// What a profile's answers measure, by what it is of and how it is taken. Internal to core/advice/draft.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/advice/draft/figures.h"
#include "core/advice/rules/metric_set.h"

namespace stepwise::advice {

/// How a figure is taken of its subject. Of a count: in total, or a step. `share_*`: of what.
enum class Taken : uint8_t {
  in_total,
  per_step,
  per_call,
  longest,
  median,
  share_of_step,
  share_of_communication,
  share_of_operators,
  bandwidth,
  allocated,
  reserved,
  // Of the subject, but named by no words that are read here: it confirms nothing, and leaves doubt where it fits.
  otherwise
};

std::string_view to_string(Taken taken);  // "in total", "a step"

struct Quantity {
  FigureUnit unit = FigureUnit::count;
  Taken taken = Taken::otherwise;
  double value = 0;   // in the unit's base
  std::string where;  // tool and JSON pointer
};

/// Only what stands in the list of quantities_*.cc is read: a threshold, a point in time, a row's number or any other
/// member of an answer is no measurement that a sentence could name. Subjects are
///   computing, communication, not_overlapped, overlapped, free, busy, bubble, step, host_wait, operators, launches,
///   memory, wait, late, h2d, d2h, model_execute
///   stage NAME, problem NAME, metric NAME, rank N SUBJECT
///   op NAME: type of an operator, call of the host or of communication, capitals included
class Quantities {
 public:
  explicit Quantities(const Answers& answers);

  /// Empty: nothing of it is measured.
  const std::vector<Quantity>& of(std::string_view subject) const;
  bool has(std::string_view subject) const { return !of(subject).empty(); }
  /// Steps that sums reach over; nullopt: not known.
  std::optional<double> steps() const { return steps_; }
  /// Whose answers these are, where it is one rank's.
  std::optional<int64_t> rank() const { return rank_; }

 private:
  void take(const std::string& subject, FigureUnit unit, Taken taken, const Json* value, const std::string& where);
  void take_fixed(const Answers& answers);
  void take_breakdown(const std::string& tool, const Json& answer);
  void take_rows(const Answers& answers);
  void take_ranks(const Answers& answers);
  void take_metrics(const Answers& answers);
  void take_memory(const Answers& answers);

  std::unordered_map<std::string, std::vector<Quantity>> by_subject_;
  std::optional<double> steps_;
  std::optional<int64_t> rank_;
};

}  // namespace stepwise::advice
