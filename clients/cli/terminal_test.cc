#include "clients/cli/terminal.h"

#include <map>

#include "clients/cli/terminal_bar.h"
#include "clients/cli/terminal_progress.h"
#include "clients/cli/terminal_table.h"
#include "clients/cli/terminal_text.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::cli;
using namespace std::chrono_literals;

namespace {

Environment variables(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const char* name) -> std::optional<std::string> {
    const auto it = values.find(name);
    return it == values.end() ? std::nullopt : std::optional<std::string>(it->second);
  };
}

Terminal wide_terminal(int columns = 80) {
  return terminal_of(columns, variables({{"TERM", "xterm-256color"}, {"LANG", "C.UTF-8"}}));
}

}  // namespace

TEST_CASE("what a terminal can show follows its environment") {
  CHECK(wide_terminal().colour);
  CHECK(wide_terminal().unicode);
  CHECK_FALSE(terminal_of(80, variables({{"TERM", "xterm"}, {"NO_COLOR", "1"}})).colour);
  CHECK(terminal_of(80, variables({{"TERM", "xterm"}, {"NO_COLOR", ""}})).colour);
  CHECK_FALSE(terminal_of(80, variables({{"TERM", "dumb"}})).colour);
  CHECK_FALSE(terminal_of(80, variables({})).unicode);
  CHECK(terminal_of(80, variables({{"TERM", "xterm"}})).unicode);
  CHECK_FALSE(terminal_of(80, variables({{"TERM", "xterm"}, {"LANG", "zh_CN.GB18030"}})).unicode);
  CHECK(terminal_of(80, variables({{"TERM", "xterm"}, {"LC_ALL", "zh_CN.UTF-8"}, {"LANG", "C"}})).unicode);
  CHECK_FALSE(terminal_of(80, variables({{"TERM", "linux"}, {"LANG", "C.UTF-8"}})).unicode);
  CHECK(wide_terminal(0).columns == 80);
  CHECK(wide_terminal(7).columns == 40);
  CHECK(wide_terminal(500).columns == 120);
}

TEST_CASE("colours are put on only where there are some") {
  CHECK(paint(wide_terminal(), Colour::red, "x") == "\x1b[31mx\x1b[0m");
  CHECK(paint(Terminal{}, Colour::red, "x") == "x");
}

TEST_CASE("text is measured in columns") {
  CHECK(display_width("abc") == 3);
  CHECK(display_width("通信") == 4);
  CHECK(display_width("e\xcc\x81") == 1);  // e and a combining accent
  CHECK(display_width("█▏") == 2);
  CHECK(fit("abcdef", 4) == "abc…");
  CHECK(fit("abcd", 4) == "abcd");
  CHECK(fit("abcdef", 4, "...") == "a...");
  CHECK(fit("通信时间", 5) == "通信…");
  CHECK(fit("abc", 0).empty());
  CHECK(pad_right("通", 4) == "通  ");
  CHECK(pad_left("7", 3) == "  7");
}

TEST_CASE("text is put on lines") {
  CHECK(wrap("one two three", 7, 3) == std::vector<std::string>{"one two", "three"});
  CHECK(wrap("one two three four", 7, 2) == std::vector<std::string>{"one two", "three…"});
  CHECK(wrap("abcdefgh", 3, 9) == std::vector<std::string>{"abc", "def", "gh"});
  CHECK(wrap("  ", 5, 2).empty());
}

TEST_CASE("a name cannot drive the terminal") {
  CHECK(clean_text("a\x1b[31mb\nc\td") == "a?[31mb c d");
  CHECK(clean_text("\xc2\x9b"
                   "31m") == "?31m");  // the one-byte CSI
  CHECK(clean_text("\xe2\x80\xae"
                   "abc") == "?abc");  // right-to-left override
  CHECK(clean_text("通信") == "通信");
}

TEST_CASE("a bar has its width whatever the value") {
  CHECK(bar(0.5, 4, true) == "██  ");
  CHECK(bar(0.28, 4, true) == "█▏  ");  // 8.96 eighths
  CHECK(bar(1, 4, true) == "████");
  CHECK(bar(0, 4, true) == "    ");
  CHECK(bar(0.0001, 4, true) == "▏   ");
  CHECK(bar(0.5, 4, false) == "##  ");
  CHECK(bar(0.0001, 4, false) == "#   ");
  for (double ratio : {-1.0, 0.0, 0.03, 0.333, 0.999, 1.0, 7.0, 0.0 / 0.0}) {
    CHECK(display_width(bar(ratio, 9, true)) == 9);
    CHECK(display_width(bar(ratio, 9, false)) == 9);
  }
}

TEST_CASE("parts share the columns exactly") {
  CHECK(share_columns(std::vector<double>{1, 1}, 4) == std::vector<size_t>{2, 2});
  CHECK(share_columns(std::vector<double>{2, 1}, 4) == std::vector<size_t>{3, 1});
  CHECK(share_columns(std::vector<double>{1000, 1, 1}, 10) == std::vector<size_t>{8, 1, 1});
  CHECK(share_columns(std::vector<double>{5, 0}, 3) == std::vector<size_t>{3, 0});
  CHECK(share_columns(std::vector<double>{0, 0}, 3) == std::vector<size_t>{0, 0});
  CHECK(share_columns(std::vector<double>{101963.203, 25744.05, 8873.756}, 76) == std::vector<size_t>{57, 14, 5});
}

TEST_CASE("a stacked bar tells its parts apart without colour") {
  Terminal plain;
  CHECK(stacked_bar(std::vector<StackedPart>{{2, 1}, {1, 4}, {1, 0}}, 8, plain) == "====..##");
  plain.unicode = true;
  CHECK(stacked_bar(std::vector<StackedPart>{{2, 1}, {1, 4}, {1, 0}}, 8, plain) == "▓▓▓▓░░██");
  const std::string painted = stacked_bar(std::vector<StackedPart>{{1, 0}, {1, 1}}, 2, wide_terminal());
  CHECK(painted == "\x1b[32m█\x1b[0m\x1b[35m█\x1b[0m");
}

TEST_CASE("progress says phase, share, amount and the time left") {
  const Terminal terminal = wide_terminal(60);
  CHECK(progress_text({512, 1024, "reading"}, 0ms, terminal) ==
        "reading  ▕███████████▌           ▏   50 %  512 B of 1.0 KiB");
  CHECK(progress_text({250, 1000, "analyzing"}, 2s, terminal).ends_with("25 %  250 of 1,000  0:06 left"));
  CHECK(progress_text({1, 100, "analyzing"}, 3600s, terminal).find("99:00:00 left") != std::string::npos);
  CHECK(progress_text({1, 100, "analyzing"}, 999ms, terminal).find("left") == std::string::npos);
  CHECK(progress_text({7, 0, "waiting"}, 0ms, terminal) == "waiting  7");
  for (int columns : {40, 60, 80, 120}) {
    CHECK(display_width(progress_text({1u << 30, 3ull << 30, "reading a long file name.json"}, 5s,
                                      wide_terminal(columns))) < static_cast<size_t>(columns));
  }
}

TEST_CASE("the progress line is drawn late, redrawn in place, and cleared") {
  std::string out;
  const auto t0 = ProgressLine::Clock::time_point{} + 1h;
  {
    ProgressLine line(wide_terminal(), [&out](std::string_view text) { out += text; });
    line.update({1, 2, "reading"}, t0);
    CHECK(out.empty());
    line.update({1, 2, "reading"}, t0 + 300ms);
    CHECK(out.starts_with("\rreading"));
    CHECK(out.ends_with("\x1b[K"));
    const size_t drawn = out.size();
    line.update({1, 2, "reading"}, t0 + 400ms);
    CHECK(out.size() == drawn);  // nothing new to say
  }
  CHECK(out.ends_with("\r\x1b[K"));
}

TEST_CASE("in a pipe there is no progress") {
  std::string out;
  ProgressLine line(Terminal{}, [&out](std::string_view text) { out += text; });
  line.update({1, 2, "reading"}, ProgressLine::Clock::time_point{} + 1h);
  line.update({1, 2, "reading"}, ProgressLine::Clock::time_point{} + 2h);
  line.clear();
  CHECK(out.empty());
}

TEST_CASE("a table is as wide as its cells, and cut only on a terminal") {
  const std::vector<std::vector<std::string>> rows = {{"a", "10", std::string(60, 'x')}, {"通信", "7", "y"}};
  const std::string plain = render_table({{"NAME"}, {"N", true}, {"SAYS"}}, rows, Terminal{});
  CHECK(plain == "NAME   N  SAYS\na     10  " + std::string(60, 'x') + "\n通信   7  y\n");
  Terminal narrow = wide_terminal(40);
  narrow.colour = false;
  const std::string cut = render_table({{"NAME"}, {"N", true}, {"SAYS"}}, rows, narrow);
  CHECK(cut.find("a     10  " + std::string(28, 'x') + "…\n") != std::string::npos);
}
