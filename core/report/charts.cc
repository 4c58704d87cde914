#include "core/report/charts.h"

#include <algorithm>
#include <optional>

#include "core/report/answer.h"
#include "core/report/figures.h"

namespace stepwise::report {
namespace {

constexpr size_t kOperatorsShown = 10;
// A step's stages as time passes; the answer has them by their cost.
constexpr std::string_view kStageOrder[] = {"preprocess", "embedding_fetch",  "forward",
                                            "backward",   "update_embedding", "update_dense"};

Tone tone_of(std::string_view part) {
  if (part == "computing") return Tone::computing;
  if (part == "communication_not_overlapped") return Tone::uncovered;
  if (part == "copy_not_overlapped") return Tone::copy;
  return part == "free" ? Tone::idle : Tone::other;
}

std::string exactly(const std::string& what, double us, std::optional<double> ratio) {
  return what + ": " + exact_us(us) + " us" + (ratio ? " (" + percent(*ratio) + ")" : "");
}

std::string figure(double us, std::optional<double> ratio) {
  return human_time(us) + (ratio ? ", " + percent(*ratio, 1) : "");
}

Chart named(Lang lang, std::string_view title) {
  Chart chart;
  chart.title = word(lang, title);
  return chart;
}

/// One bar of several pieces, with a legend that names them.
class StackedBar {
 public:
  StackedBar(Lang lang, std::string_view title) : chart_(named(lang, title)) {}
  void add(Tone tone, const std::string& what, double us, std::optional<double> ratio) {
    chart_.full_us += us;
    bar_.segments.push_back({tone, us, exactly(what, us, ratio)});
    chart_.legend.push_back({tone, what, figure(us, ratio)});
  }
  Chart take() {
    if (!bar_.segments.empty()) chart_.rows.push_back(std::move(bar_));
    return std::move(chart_);
  }

 private:
  Chart chart_;
  Chart::Row bar_;
};

void add_bar(Chart& chart, Tone tone, const std::string& name, double us, std::optional<double> ratio) {
  if (us < 0) return;
  const std::string what = cut_text(name);
  chart.full_us = std::max(chart.full_us, us);
  chart.rows.push_back({what, figure(us, ratio), {{tone, us, exactly(what, us, ratio)}}});
}

const Json* stage_row(const Json& rows, std::string_view stage) {
  const auto at = std::ranges::find_if(rows, [&](const Json& row) { return find_text(row, "stage") == stage; });
  return at == rows.end() ? nullptr : &*at;
}

}  // namespace

Chart step_chart(Lang lang, const Digest& facts) {
  StackedBar bar(lang, facts.is_whole_trace ? "chart.trace" : facts.is_run ? "chart.run" : "chart.step");
  for (const Digest::Part& part : facts.parts) {
    if (part.ratio < kVisibleRatio) continue;  // also what rounding left, which may be negative
    bar.add(tone_of(part.what), label(lang, "part", part.what), part.us, part.ratio);
  }
  return bar.take();
}

Chart operators_chart(Lang lang, const Digest& facts) {
  Chart chart = named(lang, "chart.operators");
  double shown_us = 0;
  for (size_t i = 0; i < std::min(kOperatorsShown, facts.operators.size()); ++i) {
    const Digest::Operator& one = facts.operators[i];
    add_bar(chart, Tone::computing, one.name, one.total_us, one.ratio);
    shown_us += one.total_us;
  }
  const double others_us = facts.operator_total_us.value_or(0) - shown_us;
  if (!chart.rows.empty() && others_us > 0.0005) {  // less than the ns that times have is what adding up left
    add_bar(chart, Tone::other, std::string(word(lang, "text.other")), others_us, others_us / *facts.operator_total_us);
  }
  return chart;
}

Chart stages_chart(Lang lang, const Json& answer) {
  Chart chart = named(lang, "chart.stages");
  const Json& rows = find_list(answer, "rows");
  const auto step_us = find_number(answer, "step_us");
  const auto add = [&](const Json& row) {
    const auto us = find_number(row, "wall_us");
    const std::string stage = find_text(row, "stage");
    if (us) add_bar(chart, Tone::computing, label(lang, "stage", stage), *us, find_number(row, "ratio"));
  };
  for (const std::string_view stage : kStageOrder) {
    if (const Json* row = stage_row(rows, stage)) add(*row);
  }
  for (const Json& row : rows) {
    if (std::ranges::find(kStageOrder, find_text(row, "stage")) == std::end(kStageOrder)) add(row);
  }
  if (const auto us = find_number(answer, "unclassified_us"); us && !chart.rows.empty()) {
    const bool has_step = step_us && *step_us > 0;
    add_bar(chart, Tone::other, label(lang, "stage", "unclassified"), *us,
            has_step ? std::optional(*us / *step_us) : std::nullopt);
  }
  return chart;
}

Chart overlap_chart(Lang lang, const Json& answer) {
  StackedBar bar(lang, "chart.overlap");
  const auto computing = find_number(answer, "breakdown.computing_us");
  const auto hidden = find_number(answer, "breakdown.overlapped_us");
  const auto uncovered = find_number(answer, "breakdown.not_overlapped_us");
  if (!computing || !hidden || !uncovered) return bar.take();
  const double copies = find_number(answer, "breakdown.copy_not_overlapped_us").value_or(0);
  const double idle = find_number(answer, "breakdown.free_us").value_or(0);
  const double sum = *computing + *uncovered + copies + idle;
  const auto add = [&](Tone tone, std::string_view what, double us) {
    if (sum > 0 && us / sum >= kVisibleRatio) bar.add(tone, std::string(word(lang, what)), us, us / sum);
  };
  add(Tone::computing, "chart.computing_alone", *computing - *hidden);
  add(Tone::hidden, "chart.hidden", *hidden);
  add(Tone::uncovered, "part.communication_not_overlapped", *uncovered);
  add(Tone::copy, "part.copy_not_overlapped", copies);
  add(Tone::idle, "part.free", idle);
  return bar.take();
}

Chart ranks_chart(Lang lang, const Json& answer) {
  struct Piece {
    std::string_view key, part;
  };
  static constexpr Piece kPieces[] = {
      {"computing_us", "computing"}, {"not_overlapped_us", "communication_not_overlapped"}, {"free_us", "free"}};
  Chart chart = named(lang, "chart.ranks");
  std::vector<std::pair<double, const Json*>> ranks;
  for (const Json& one : find_list(answer, "ranks")) {
    if (const auto rank = find_number(one, "rank"); rank && find_number(one, "computing_us")) {
      ranks.emplace_back(*rank, &one);
    }
  }
  if (ranks.size() < 2) return chart;
  std::ranges::sort(ranks);
  for (const auto& [rank, one] : ranks) {
    Chart::Row row;
    row.label = sentence(lang, "chart.rank", {std::to_string(static_cast<int64_t>(rank))});
    double sum = 0;
    for (const auto& [key, part] : kPieces) {
      const double us = find_number(*one, key).value_or(0);
      if (us <= 0) continue;
      sum += us;
      row.segments.push_back({tone_of(part), us, row.label + ", " + exactly(label(lang, "part", part), us, {})});
    }
    row.figure = human_time(sum);
    chart.full_us = std::max(chart.full_us, sum);
    chart.rows.push_back(std::move(row));
  }
  for (const auto& [key, part] : kPieces) chart.legend.push_back({tone_of(part), label(lang, "part", part), ""});
  return chart;
}

}  // namespace stepwise::report
