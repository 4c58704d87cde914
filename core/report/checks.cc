#include "core/report/checks.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/report/answer.h"
#include "core/report/compose.h"
#include "core/report/markdown.h"

namespace stepwise::report {
namespace {

// Times are whole ns; a mean over steps, or a file that rounds each of its rows, moves a sum by a little more.
constexpr double kTolerance_us = 0.05;
constexpr double kToleranceOfWhole = 1e-6;
constexpr double kTolerance_ratio = 1e-4;

bool same_us(double expected, double found) {
  return std::fabs(expected - found) <= std::max(kTolerance_us, std::fabs(expected) * kToleranceOfWhole);
}

class Checks {
 public:
  void us(const char* id, const std::string& of, std::optional<double> expected, std::optional<double> found) {
    if (expected && found) add(id, of, "us", *expected, *found, same_us(*expected, *found));
  }
  void ratio(const char* id, const std::string& of, double expected, double found) {
    add(id, of, "ratio", expected, found, std::fabs(expected - found) <= kTolerance_ratio);
  }
  void count(const char* id, const std::string& of, size_t expected, size_t found) {
    add(id, of, "count", expected, found, expected == found);
  }
  Json take() { return std::move(list_); }

 private:
  static const char* what(std::string_view id) {
    if (id == "step_parts") return "the parts of the step add up to the step";
    if (id == "step_shares") return "the largest deviation of a part's share from its time over the step's";
    if (id == "step_communication") return "hidden and uncovered communication add up to all of it";
    if (id == "stages") return "the stages and what is in none add up to the step";
    if (id == "operators") return "the operators shown and all others add up to the total";
    if (id == "operator_counts") return "their executions add up to all executions";
    if (id == "tables") return "rows of tables whose cells are not as many as their head has";
    if (id == "gate") return "pieces of advice that did not pass the gate";
    return "parameters in advice without a source";
  }
  void add(const char* id, const std::string& of, const char* unit, Json expected, Json found, bool ok) {
    list_.push_back({{"id", id},
                     {"what", what(id)},
                     {"of", of},
                     {"unit", unit},
                     {"expected", std::move(expected)},
                     {"found", std::move(found)},
                     {"ok", ok}});
  }
  Json list_ = Json::array();
};

/// nullopt: no row has the key.
std::optional<double> sum_of(const Json& rows, const char* key) {
  std::optional<double> sum;
  for (const Json& row : rows) {
    if (const auto value = find_number(row, key)) sum = sum.value_or(0) + *value;
  }
  return sum;
}

/// The step as the profile has it: with bubbles where those are counted.
std::optional<double> step_us(const Json& answer) {
  const auto wall = find_number(answer, "breakdown.wall_us");
  return wall ? wall : find_number(answer, "breakdown.stage_us");
}

void check_step(const Json& answer, const std::string& of, Checks& checks) {
  const Json& parts = find_list(answer, "where_time_goes");
  const auto whole = step_us(answer);
  const auto sum = sum_of(parts, "us");
  checks.us("step_parts", of, whole, sum);
  if (whole && *whole > 0 && sum) {
    double worst = 0;
    for (const Json& part : parts) {
      const auto us = find_number(part, "us"), ratio = find_number(part, "ratio");
      if (us && ratio) worst = std::max(worst, std::fabs(*ratio - *us / *whole));
    }
    checks.ratio("step_shares", of, 0, worst);
  }
  const auto hidden = find_number(answer, "breakdown.overlapped_us");
  const auto uncovered = find_number(answer, "breakdown.not_overlapped_us");
  if (hidden && uncovered) {
    checks.us("step_communication", of, find_number(answer, "breakdown.communication_us"), *hidden + *uncovered);
  }
}

void check_stages(const Json& answer, const std::string& of, Checks& checks) {
  const auto sum = sum_of(find_list(answer, "rows"), "wall_us");
  const auto rest = find_number(answer, "unclassified_us");
  if (sum && rest) checks.us("stages", of, find_number(answer, "step_us"), *sum + *rest);
}

void check_operators(const Json& answer, const std::string& of, Checks& checks) {
  const Json& rows = find_list(answer, "rows");
  const auto whole = [&](const char* key) -> std::optional<double> {
    const auto sum = sum_of(rows, key);
    if (!sum) return std::nullopt;
    return *sum + find_number(answer, std::string("other.") + key).value_or(0);
  };
  checks.us("operators", of, find_number(answer, "operators.total_us"), whole("total_us"));
  const auto expected = find_number(answer, "operators.count"), found = whole("count");
  if (expected && found) {
    checks.count("operator_counts", of, static_cast<size_t>(*expected), static_cast<size_t>(*found));
  }
}

bool lacks_source(const Json& parameter) {
  return find_text(parameter, "source").empty() || find_text(parameter, "source_kind").empty();
}

void check_advice(const Json& answer, const std::string& of, Checks& checks) {
  size_t refused = 0, without_source = 0;
  for (const Json& row : find_list(answer, "rows")) {
    const std::string verdict = find_text(row, "verdict");
    refused += verdict != "accepted" && verdict != "downgraded";
    without_source += static_cast<size_t>(std::ranges::count_if(find_list(row, "parameters"), lacks_source));
  }
  checks.count("gate", of, 0, refused);
  checks.count("sources", of, 0, without_source);
}

/// Bars that divide cells: those without a backslash.
size_t bars_of(std::string_view line) {
  size_t bars = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else {
      bars += line[i] == '|';
    }
  }
  return bars;
}

}  // namespace

size_t uneven_rows(std::string_view markdown) {
  size_t uneven = 0, bars_of_head = 0;
  std::string_view fence;
  while (!markdown.empty()) {
    const size_t end = std::min(markdown.find('\n'), markdown.size());
    const std::string_view line = markdown.substr(0, end);
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
    if (!fence.empty()) {
      if (line == fence) fence = {};
    } else if (line.starts_with("```")) {
      fence = line;
    } else if (line.starts_with('|')) {
      const size_t bars = bars_of(line);
      if (bars_of_head == 0) bars_of_head = bars;
      uneven += bars != bars_of_head || !line.ends_with('|');
    } else {
      uneven += bars_of_head != 0 && !line.empty();  // a row that was broken in two: the rest of it
      bars_of_head = 0;
    }
  }
  return uneven;
}

void add_checks(Json& model) {
  Checks checks;
  for (const Json& chapter : find_list(model, "chapters")) {
    for (const Json& result : find_list(chapter, "results")) {
      const Json* answer = find_value(result, "answer");
      if (!answer) continue;
      const std::string tool = find_text(result, "tool");
      if (tool == "summarize_profile") check_step(*answer, tool, checks);
      if (tool == "stage_breakdown") check_stages(*answer, tool, checks);
      if (tool == "top_operators") check_operators(*answer, tool + " " + find_text(result, "arguments.by"), checks);
      if (tool == "advise") check_advice(*answer, tool, checks);
    }
  }
  model.erase("checks");
  checks.count("tables", "report.md", 0, uneven_rows(markdown_of(compose(model, Lang::en))));
  model["checks"] = checks.take();
}

}  // namespace stepwise::report
