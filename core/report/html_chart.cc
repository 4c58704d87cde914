#include "core/report/html_chart.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "core/report/html_text.h"

namespace stepwise::report {
namespace {

constexpr double kNarrowest = 0.15;  // percent of the width: what took time is seen, however little

const char* class_of(Tone tone) {
  switch (tone) {
    case Tone::computing:
      return "t-computing";
    case Tone::hidden:
      return "t-hidden";
    case Tone::uncovered:
      return "t-uncovered";
    case Tone::copy:
      return "t-copy";
    case Tone::idle:
      return "t-idle";
    default:
      return "t-other";
  }
}

std::string percent_of(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3f%%", std::clamp(value, 0.0, 100.0));
  return text.data();
}

std::string bar(const Chart::Row& row, double full_us) {
  std::string says;
  std::string pieces;
  double at = 0;
  for (const Chart::Segment& one : row.segments) {
    const double width = std::max(100 * one.us / full_us, one.us > 0 ? kNarrowest : 0.0);
    says += (says.empty() ? "" : "; ") + one.says;
    pieces += std::string("<g class=\"") + class_of(one.tone) + "\"><title>" + escape_html(one.says) +
              "</title><rect x=\"" + percent_of(at) + "\" width=\"" + percent_of(width) + "\" height=\"100%\"/></g>";
    at += width;
  }
  return "<svg class=\"bar\" role=\"img\" width=\"100%\" height=\"18\" aria-label=\"" + escape_html(says) + "\">" +
         pieces + "</svg>";
}

std::string legend(const Chart& chart) {
  if (chart.legend.empty()) return "";
  std::string out = "<ul class=\"legend\">\n";
  for (const Chart::Key& key : chart.legend) {
    out += std::string("<li><svg class=\"swatch\" width=\"12\" height=\"12\" aria-hidden=\"true\"><g class=\"") +
           class_of(key.tone) + "\"><rect width=\"12\" height=\"12\"/></g></svg><span>" + html_text(key.text) +
           "</span>";
    if (!key.figure.empty()) out += " <b>" + escape_html(key.figure) + "</b>";
    out += "</li>\n";
  }
  return out + "</ul>\n";
}

}  // namespace

std::string html_of(const Chart& chart) {
  const bool named = std::ranges::any_of(chart.rows, [](const Chart::Row& row) { return !row.label.empty(); });
  std::string out = "<figure class=\"chart\">\n<figcaption>" + html_text(chart.title) + "</figcaption>\n";
  out += named ? "<ol class=\"bars named\">\n" : "<ol class=\"bars\">\n";
  for (const Chart::Row& row : chart.rows) {
    out += "<li>";
    if (named) out += "<span class=\"label\">" + html_text(row.label) + "</span>";
    out += bar(row, chart.full_us);
    if (named) out += "<span class=\"figure\">" + escape_html(row.figure) + "</span>";
    out += "</li>\n";
  }
  return out + "</ol>\n" + legend(chart) + "</figure>\n";
}

}  // namespace stepwise::report
