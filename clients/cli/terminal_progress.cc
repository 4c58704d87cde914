#include "clients/cli/terminal_progress.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "clients/cli/terminal_bar.h"
#include "clients/cli/terminal_text.h"
#include "core/base/text.h"
#include "core/report/figures.h"

namespace stepwise::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto kFirstDrawAfter = 200ms;  // what is quicker than this would only flicker
constexpr auto kFirstEstimateAfter = 1s;

/// Readers count bytes and say so by their phase; everything else counts rows.
bool counts_bytes(std::string_view phase) { return phase.starts_with("read"); }

std::string amount(std::string_view phase, uint64_t value) {
  return counts_bytes(phase) ? human_bytes(value) : report::grouped(static_cast<int64_t>(value));
}

std::string time_left(const ProgressGauge::Value& value, std::chrono::milliseconds elapsed) {
  if (elapsed < kFirstEstimateAfter || value.done == 0 || value.done >= value.total) return "";
  const double seconds = static_cast<double>(elapsed.count()) / 1000.0 * static_cast<double>(value.total - value.done) /
                         static_cast<double>(value.done);
  const auto whole = static_cast<int64_t>(std::min(seconds, 359999.0) + 0.5);
  std::array<char, 32> text{};
  if (whole >= 3600) {
    std::snprintf(text.data(), text.size(), "%d:%02d:%02d left", static_cast<int>(whole / 3600),
                  static_cast<int>(whole / 60 % 60), static_cast<int>(whole % 60));
  } else {
    std::snprintf(text.data(), text.size(), "%d:%02d left", static_cast<int>(whole / 60), static_cast<int>(whole % 60));
  }
  return text.data();
}

}  // namespace

std::string progress_text(const ProgressGauge::Value& value, std::chrono::milliseconds elapsed,
                          const Terminal& terminal) {
  const std::string phase = clean_text(value.phase);
  const auto width = static_cast<size_t>(terminal.columns) - 1;  // the last column would wrap on some terminals
  if (value.total == 0) {
    return fit(phase + (value.done > 0 ? "  " + amount(phase, value.done) : ""), width, terminal.unicode ? "…" : "...");
  }
  const double ratio = std::clamp(static_cast<double>(value.done) / static_cast<double>(value.total), 0.0, 1.0);
  std::string tail = "  " + pad_left(report::percent(ratio, 0), 5) + "  " + amount(phase, value.done) + " of " +
                     amount(phase, value.total);
  if (const std::string left = time_left(value, elapsed); !left.empty()) tail += "  " + left;
  const size_t fixed = display_width(phase) + display_width(tail) + 4;
  const size_t room = width > fixed ? std::min<size_t>(width - fixed, 30) : 0;
  std::string middle;
  if (room >= 5) {
    const std::string filled = bar(ratio, room, terminal.unicode);
    middle = "  " + (terminal.unicode ? "▕" + filled + "▏" : "[" + filled + "]");
  }
  return fit(phase + middle + tail, width, terminal.unicode ? "…" : "...");
}

void ProgressLine::update(const ProgressGauge::Value& value, Clock::time_point now) {
  if (!terminal_.is_terminal) return;
  if (!began_set_) {
    began_ = now;
    began_set_ = true;
  }
  if (phase_ != value.phase || total_ != value.total) {
    phase_ = value.phase;
    total_ = value.total;
    phase_began_ = now;
  }
  if (now - began_ < kFirstDrawAfter || phase_.empty()) return;
  std::string text =
      progress_text(value, std::chrono::duration_cast<std::chrono::milliseconds>(now - phase_began_), terminal_);
  if (text == drawn_) return;
  write_("\r" + text + "\x1b[K");
  drawn_ = std::move(text);
}

void ProgressLine::clear() {
  if (!drawn_.empty()) write_("\r\x1b[K");
  drawn_.clear();
}

}  // namespace stepwise::cli
