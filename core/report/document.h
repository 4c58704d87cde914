// A report before it is Markdown or HTML: headings, texts, tables and charts in their order. Both renderers write the
// same document, so that a chapter, a figure or a piece of evidence cannot stand in the one and lack in the other.
// All texts are plain: what comes from a profile is escaped by the renderer, once. [any thread]
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace stepwise::report {

enum class Align : unsigned char { left, right };

/// Level 1 is the report's title, 2 a chapter, 3 and 4 lie inside one.
struct Heading {
  int level;
  std::string text;
};

struct Paragraph {
  std::string text;
  std::string lead{};       // in bold before the text
  bool is_failure = false;  // something is wrong with the report itself
};

struct Bullet {
  std::string text;
};

/// Text that keeps its lines, as it is to be copied.
struct Code {
  std::string text;
};

class Table {
 public:
  /// What it is, for those who do not see the heading above it; empty: that heading says it.
  explicit Table(std::string caption = "") : caption_(std::move(caption)) {}
  void column(std::string_view name, Align align = Align::left);
  /// Missing cells are empty, and too many are left out: every row has as many cells as there are columns.
  void row(std::vector<std::string> cells, bool is_failure = false);
  bool empty() const { return rows_.empty(); }

  struct Column {
    std::string name;
    Align align;
  };
  struct Row {
    std::vector<std::string> cells;
    bool is_failure;
  };
  const std::string& caption() const { return caption_; }
  const std::vector<Column>& columns() const { return columns_; }
  const std::vector<Row>& rows() const { return rows_; }

 private:
  std::string caption_;
  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

/// What a piece of a bar is: the same colour in every chart.
enum class Tone : unsigned char { computing, hidden, uncovered, copy, idle, other };

/// Bars of one scale. The figures of a chart stand in the tables too; only HTML draws it.
struct Chart {
  struct Segment {
    Tone tone;
    double us;
    std::string says;  // what it is, with its exact figure
  };
  struct Row {
    std::string label, figure;
    std::vector<Segment> segments;
  };
  struct Key {
    Tone tone;
    std::string text, figure;
  };
  std::string title;
  std::vector<Row> rows;
  std::vector<Key> legend;  // empty: the rows' labels say it
  double full_us = 0;       // the length of a bar that is as wide as the chart
};

using Block = std::variant<Heading, Paragraph, Bullet, Table, Code, Chart>;

class Document {
 public:
  void heading(int level, std::string text) { blocks_.emplace_back(Heading{level, std::move(text)}); }
  void paragraph(std::string text) { blocks_.emplace_back(Paragraph{std::move(text)}); }
  void paragraph(Paragraph text) { blocks_.emplace_back(std::move(text)); }
  void bullet(std::string text) { blocks_.emplace_back(Bullet{std::move(text)}); }
  void code(std::string text) { blocks_.emplace_back(Code{std::move(text)}); }
  /// A table without rows, a chart without bars is left out.
  void table(Table table);
  void chart(Chart chart);
  void append(Document other);

  bool empty() const { return blocks_.empty(); }
  const std::vector<Block>& blocks() const { return blocks_; }

 private:
  std::vector<Block> blocks_;
};

/// A name of megabytes is no name: what is longer than this many characters is cut, and says how long it was.
/// report.json has it whole.
inline constexpr size_t kMaxTextChars = 1000;
std::string cut_text(std::string_view text);

}  // namespace stepwise::report
