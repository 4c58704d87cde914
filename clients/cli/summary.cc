#include "clients/cli/summary.h"

#include <algorithm>

#include "clients/cli/terminal_bar.h"
#include "clients/cli/terminal_text.h"
#include "core/base/text.h"
#include "core/report/figures.h"
#include "core/report/said.h"
#include "stepwise/short_names.hpp"

namespace stepwise::cli {
namespace {

using report::Digest;
using report::label;
using report::Lang;
using report::said;
using report::sentence;
using report::word;

constexpr size_t kOperators = 5;
constexpr size_t kDetails = 2;  // gaps and next steps shown, where the screen has room for them
constexpr size_t kAdvice = 3;   // pieces shown, one where the screen has no room for more
constexpr size_t kWidest = 100;
constexpr size_t kWidestBar = 24, kNarrowestRoom = 20;  // of an operator's line

struct Page {
  const Terminal& terminal;
  Lang lang;
  size_t width;
  std::string_view dot, ellipsis;
  std::vector<std::string> lines{};

  std::string text(std::string_view key) const { return std::string(word(lang, key)); }
  void blank() { lines.emplace_back(); }
};

Page make_page(const Terminal& terminal, Lang lang) {
  return {terminal, lang, std::min(static_cast<size_t>(terminal.columns), kWidest),
          terminal.unicode ? " · " : word(lang, "text.comma"), terminal.unicode ? "…" : "..."};
}

void add_title(const Digest& facts, Page& page) {
  std::string about = facts.kind;
  if (!facts.framework.empty()) about += ", " + facts.framework;
  if (facts.rank) {
    about += std::string(page.dot) +
             sentence(page.lang, "screen.rank_of", {std::to_string(*facts.rank), std::to_string(facts.rank_count)});
  }
  about = clean_text(about);
  const size_t room = page.width > display_width(about) + 2 ? page.width - display_width(about) - 2 : 10;
  page.lines.push_back(paint(page.terminal, Colour::bold, fit(clean_text(facts.name), room, page.ellipsis)) + "  " +
                       paint(page.terminal, Colour::dim, about));
}

std::string step_heading(const Digest& facts, const Page& page) {
  const std::string time = report::human_time(*facts.step_us, 5);
  if (facts.is_whole_trace) {
    const std::string whole = facts.trace_steps > 1
                                  ? sentence(page.lang, "screen.trace_steps", {time, std::to_string(facts.trace_steps)})
                                  : sentence(page.lang, "screen.trace", {time});
    if (!facts.step_median_us) return whole;
    return sentence(page.lang, "screen.trace_step", {whole, report::human_time(*facts.step_median_us)});
  }
  if (facts.is_run) return sentence(page.lang, "screen.run", {time});
  if (facts.step_count > 1) {
    const std::string mean = sentence(page.lang, "screen.step_mean", {time, std::to_string(facts.step_count)});
    if (!facts.step_median_us) return mean;
    return sentence(page.lang, "screen.step_median", {mean, report::human_time(*facts.step_median_us)});
  }
  if (facts.steps.size() == 1) return sentence(page.lang, "screen.step_number", {facts.steps.front(), time});
  return sentence(page.lang, "screen.step", {time});
}

/// A part looks the same in every profile: computing solid, free faint, what is in the way between.
size_t style_of(std::string_view part) {
  constexpr std::string_view kStyled[] = {"computing", "communication_not_overlapped", "copy_not_overlapped", "",
                                          "free"};
  constexpr size_t kOtherStyle = 3;
  const auto it = std::ranges::find(kStyled, part);
  return it == std::end(kStyled) ? kOtherStyle : static_cast<size_t>(it - std::begin(kStyled));
}

/// Of a trace of several steps, what a part takes of each in the mean.
std::string per_step(const Digest& facts, const Digest::Part& part, const Page& page) {
  if (facts.trace_steps < 2 || !part.us_per_step) return "";
  return "  " + sentence(page.lang, "screen.per_step", {report::human_time(*part.us_per_step)});
}

void add_step(const Digest& facts, Page& page) {
  if (!facts.step_us) {
    page.lines.push_back(fit(page.text("screen.no_step"), page.width, page.ellipsis));
    return;
  }
  page.lines.push_back(paint(page.terminal, Colour::bold, step_heading(facts, page)));
  std::vector<Digest::Part> shown;
  std::vector<StackedPart> widths;
  size_t name_width = 0;
  for (const Digest::Part& part : facts.parts) {
    if (part.ratio < report::kVisibleRatio) continue;
    shown.push_back(part);
    widths.push_back({part.us, style_of(part.what)});
    name_width = std::max(name_width, display_width(label(page.lang, "part", part.what)));
  }
  page.lines.push_back("  " + stacked_bar(widths, page.width - 4, page.terminal));
  for (size_t i = 0; i < shown.size(); ++i) {
    const PartStyle style = part_style(widths[i].style, page.terminal);
    page.lines.push_back("  " + paint(page.terminal, style.colour, style.block) + " " +
                         pad_right(label(page.lang, "part", shown[i].what), name_width) + "  " +
                         pad_left(report::human_time(shown[i].us), 9) + "  " +
                         pad_left(report::percent(shown[i].ratio, 1), 7) + per_step(facts, shown[i], page));
  }
}

void add_operators(const Digest& facts, Page& page) {
  if (facts.operators.empty()) return;
  page.blank();
  page.lines.push_back(
      paint(page.terminal, Colour::bold,
            sentence(page.lang, "screen.device_time", {report::human_time(facts.operator_total_us.value_or(0))})));
  const size_t shown = std::min(kOperators, facts.operators.size());
  std::vector<std::string> names, counts;
  size_t name_width = 0, count_width = 0;
  for (size_t i = 0; i < shown; ++i) {
    names.push_back(clean_text(facts.operators[i].name));
    counts.push_back(sentence(page.lang, "screen.times", {report::grouped(facts.operators[i].count)}));
    name_width = std::max(name_width, display_width(names.back()));
    count_width = std::max(count_width, display_width(counts.back()));
  }
  // The bar takes what name and figures leave: 2 + name + 2 + bar + 2 + total 9 + 2 + share 7 + 2 + count.
  const size_t figures = 2 + 2 + 2 + 9 + 2 + 7 + 2 + count_width;
  const size_t room = page.width > figures + kNarrowestRoom ? page.width - figures : kNarrowestRoom;
  name_width = std::min(name_width, room * 2 / 3);
  names = short_names({names.begin(), names.end()}, name_width, page.ellipsis);
  const size_t bar_width = std::min(room - name_width, kWidestBar);
  const double most_us = facts.operators.front().total_us;
  for (size_t i = 0; i < shown; ++i) {
    const Digest::Operator& one = facts.operators[i];
    const std::string filled = bar(most_us > 0 ? one.total_us / most_us : 0, bar_width, page.terminal.unicode);
    page.lines.push_back(
        "  " + pad_right(fit(names[i], name_width, page.ellipsis), name_width) + "  " +
        paint(page.terminal, Colour::blue, filled) + "  " + pad_left(report::human_time(one.total_us), 9) + "  " +
        pad_left(one.ratio ? report::percent(*one.ratio, 1) : "", 7) + "  " + pad_left(counts[i], count_width));
  }
}

/// "Missing   text": lines with their labels set off in one column.
class Labelled {
 public:
  explicit Labelled(Page& page) : page_(page) {
    for (const char* key : {"screen.advice", "screen.scenario", "screen.mode", "screen.missing", "screen.warning",
                            "screen.failed", "screen.inapplicable", "screen.next", "screen.report", "screen.check"}) {
      width_ = std::max(width_, display_width(word(page.lang, key)));
    }
  }
  Lang lang() const { return page_.lang; }
  size_t room() const { return page_.width - width_ - 2; }
  /// A line below the last one, already as it shall look.
  void add_more(const std::string& line) { page_.lines.push_back(std::string(width_ + 2, ' ') + line); }
  /// One line, however long: of what is there to be copied.
  void add_whole(const char* key, const std::string& line, Colour colour = Colour::none) {
    page_.lines.push_back(paint(page_.terminal, colour, pad_right(page_.text(key), width_)) + "  " + line);
  }
  /// At most `max_lines` lines; the label stands on the first.
  void add(const char* key, const std::string& text, size_t max_lines, Colour colour = Colour::none) {
    std::string name = pad_right(page_.text(key), width_);
    const auto lines = wrap(text, room(), max_lines, page_.ellipsis);
    for (const std::string& line : lines) {
      page_.lines.push_back(paint(page_.terminal, colour, name) + "  " + line);
      name.assign(width_, ' ');
    }
  }

 private:
  Page& page_;
  size_t width_ = 0;
};

void add_verdict(const char* key, const Digest::Verdict& verdict, Labelled& labelled, const Page& page) {
  if (verdict.value.empty()) return;
  std::string text = label(page.lang, "value", verdict.value);
  if (!verdict.supply.empty()) {
    text = sentence(page.lang, "screen.undetermined", {text, said(page.lang, verdict.supply)});
  } else if (!verdict.proof.empty()) {
    text += std::string(page.dot) + sentence(page.lang, "screen.proof", {label(page.lang, "proof", verdict.proof)});
  }
  labelled.add(key, clean_text(text), verdict.supply.empty() ? 1 : 2);
}

/// What failed, what is doubtful, what is missing: the first few, and how many more the report has.
void add_gaps(const Digest& facts, size_t shown, Labelled& labelled, const Page& page) {
  size_t seen = 0;
  const auto add = [&](const char* key, const std::string& text, Colour colour) {
    if (seen++ < shown) labelled.add(key, clean_text(text), 1, colour);
  };
  if (facts.failed_checks > 0) {  // shown however little room there is: the figures above may be wrong
    labelled.add("screen.check", sentence(page.lang, "screen.checks_failed", {std::to_string(facts.failed_checks)}), 2,
                 Colour::red);
  }
  for (const auto& one : facts.failures) add("screen.failed", one.subject + ": " + one.text, Colour::red);
  for (const auto& one : facts.inapplicable)
    add("screen.inapplicable", one.subject + ": " + said(page.lang, one.text), Colour::none);
  for (const auto& one : facts.warnings)
    add("screen.warning", said(page.lang, one.text), Colour::yellow);  // a sentence of its own
  for (const auto& one : facts.missing)
    add("screen.missing", said(page.lang, one.subject) + ": " + said(page.lang, one.text), Colour::yellow);
  if (seen > shown) labelled.add_more(sentence(page.lang, "screen.more", {std::to_string(seen - shown)}));
}

/// A line each: the share of the step at most, the parameters, the measure; what is cut is the measure's end.
void add_advice(const Digest& facts, size_t shown, Labelled& labelled) {
  shown = std::min(shown, facts.advice.size());
  for (size_t i = 0; i < shown; ++i) {
    const Digest::Advice& one = facts.advice[i];
    std::string text = one.share && *one.share > 0 ? report::percent(*one.share, 1) + "  " : "";
    text += one.parameters + (one.parameters.empty() ? "" : ": ") + one.measure;
    labelled.add("screen.advice", clean_text(text), 1, Colour::green);
  }
  if (shown < facts.advice.size()) {
    labelled.add_more(sentence(labelled.lang(), "screen.more_advice", {std::to_string(facts.advice.size() - shown)}));
  }
}

std::string quoted(const std::string& text) {
  // Arguments are the tool's own JSON; an apostrophe in it would end the shell's quotes.
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string command_of(const Digest& facts, const Digest::Next& next) {
  std::string command = "stepwise call " + next.tool + " --profile " + facts.id;
  if (!next.arguments.empty()) command += " --args " + quoted(dump_json(next.arguments));
  return clean_text(command);
}

/// Why, and below it the command that answers it, or the chapter of the report that does.
void add_next(const Digest& facts, size_t shown, Labelled& labelled, const Page& page) {
  shown = std::min(shown, facts.next.size());
  for (size_t i = 0; i < shown; ++i) {
    const Digest::Next& next = facts.next[i];
    labelled.add("screen.next", clean_text(said(page.lang, next.why)), shown > 1 ? 1 : 2, Colour::green);
    // A command is there to be copied: it is never cut, however narrow the terminal.
    const std::string how =
        next.chapter.empty() ? command_of(facts, next)
                             : fit(sentence(page.lang, "screen.in_report", {label(page.lang, "heading", next.chapter)}),
                                   labelled.room(), page.ellipsis);
    labelled.add_more(paint(page.terminal, Colour::dim, how));
  }
}

/// However long: a path that is cut cannot be opened.
void add_place(const SummaryPlace& place, Labelled& labelled) {
  if (!place.files.empty()) labelled.add_whole("screen.report", clean_text(joined(place.files)));
  if (!place.note.empty()) labelled.add_whole("screen.report", clean_text(place.note), Colour::yellow);
}

/// `details`: how many of the gaps and next steps; `advice`: how many pieces.
std::vector<std::string> screen_lines(const Digest& facts, const SummaryPlace& place, size_t details, size_t advice,
                                      Page page) {
  add_title(facts, page);
  page.blank();
  add_step(facts, page);
  add_operators(facts, page);
  page.blank();
  Labelled labelled(page);
  add_verdict("screen.scenario", facts.scenario, labelled, page);
  add_verdict("screen.mode", facts.mode, labelled, page);
  add_gaps(facts, details, labelled, page);
  add_advice(facts, advice, labelled);
  add_next(facts, details, labelled, page);
  add_place(place, labelled);
  return page.lines;
}

}  // namespace

std::string summary_screen(const Digest& facts, const SummaryPlace& place, const Terminal& terminal, Lang lang) {
  // Figures come first: where there is more to say than the screen has lines, the remarks give way, then advice but
  // for its first piece, then blank lines.
  std::vector<std::string> lines;
  for (size_t details = kDetails + 1; details-- > 0;) {
    lines = screen_lines(facts, place, details, kAdvice, make_page(terminal, lang));
    if (lines.size() <= kSummaryLines) break;
  }
  if (lines.size() > kSummaryLines) lines = screen_lines(facts, place, 0, 1, make_page(terminal, lang));
  while (lines.size() > kSummaryLines) {
    const auto blank = std::ranges::find(lines, std::string());
    if (blank == lines.end()) break;
    lines.erase(blank);
  }
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

}  // namespace stepwise::cli
