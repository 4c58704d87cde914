#include "core/report/html.h"

#include "core/report/answer.h"
#include "core/report/compose.h"
#include "core/report/html_chart.h"
#include "core/report/html_style.h"
#include "core/report/html_text.h"

namespace stepwise::report {
namespace {

constexpr size_t kTallRows = 30;  // a longer table scrolls in its own frame, on a screen

// A page that may neither run nor fetch anything, whatever a profile's names may say.
constexpr std::string_view kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

std::string anchor(size_t chapter) { return "c" + std::to_string(chapter); }

class Writer {
 public:
  void operator()(const Heading& heading) {
    end_bullets();
    last_heading_ = cut_text(heading.text);
    const std::string text = html_text(last_heading_);
    if (heading.level == 2) {
      if (chapters_ > 0) out += "</section>\n";
      const std::string id = anchor(++chapters_);
      contents += "<li><a href=\"#" + id + "\">" + text + "</a></li>\n";
      out += "<section aria-labelledby=\"" + id + "\">\n<h2 id=\"" + id + "\">" + text + "</h2>\n";
      return;
    }
    const std::string tag = "h" + std::to_string(heading.level);
    std::string& to = heading.level == 1 ? head : out;
    to += "<" + tag + ">" + text + "</" + tag + ">\n";
  }
  void operator()(const Paragraph& paragraph) {
    end_bullets();
    const std::string lead = paragraph.lead.empty() ? "" : "<b>" + html_text(paragraph.lead) + "</b>";
    out += (paragraph.is_failure ? "<p class=\"bad\">" : "<p>") + lead + html_text(cut_text(paragraph.text)) + "</p>\n";
  }
  void operator()(const Bullet& bullet) {
    if (!in_bullets_) out += "<ul>\n";
    in_bullets_ = true;
    out += "<li>" + html_text(bullet.text) + "</li>\n";
  }
  void operator()(const Code& code) {
    end_bullets();
    out += "<pre tabindex=\"0\"><code>" + escape_html(code.text) + "</code></pre>\n";
  }
  void operator()(const Chart& chart) {
    end_bullets();
    out += html_of(chart);
  }
  void operator()(const Table& table) {
    end_bullets();
    const bool named = !table.caption().empty();
    const std::string caption = html_text(named ? table.caption() : last_heading_);
    const std::string id = "t" + std::to_string(++tables_);
    std::string frame = "wrap";
    if (table.rows().size() > kTallRows) frame += " tall";
    if (named) frame += " aside";
    // A frame that scrolls can be reached by keyboard only as a region with a name.
    out += "<div class=\"" + frame + "\" role=\"region\" tabindex=\"0\" aria-labelledby=\"" + id + "\">\n<table>\n";
    out += "<caption id=\"" + id + (named ? "\">" + caption : "\"><span class=\"unseen\">" + caption + "</span>") +
           "</caption>\n<thead><tr>";
    for (const Table::Column& column : table.columns()) {
      out += column.align == Align::right ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">";
      out += html_text(column.name) + "</th>";
    }
    out += "</tr></thead>\n<tbody>\n";
    for (const Table::Row& row : table.rows()) add_row(table, row);
    out += "</tbody>\n</table>\n</div>\n";
  }

  void end() {
    end_bullets();
    if (chapters_ > 0) out += "</section>\n";
  }

  std::string head, contents, out;

 private:
  void add_row(const Table& table, const Table::Row& row) {
    out += row.is_failure ? "<tr class=\"bad\">" : "<tr>";
    for (size_t i = 0; i < row.cells.size(); ++i) {
      const bool is_figure = table.columns()[i].align == Align::right;
      out += is_figure ? "<td class=\"n\">" : "<td>";
      const std::string text = cut_text(row.cells[i]);
      out += (is_figure ? escape_html(text) : html_link(text)) + "</td>";
    }
    out += "</tr>\n";
  }
  void end_bullets() {
    if (in_bullets_) out += "</ul>\n";
    in_bullets_ = false;
  }

  std::string last_heading_;
  size_t chapters_ = 0, tables_ = 0;
  bool in_bullets_ = false;
};

}  // namespace

std::string html_of(const Document& document, std::string_view title, Lang lang) {
  Writer writer;
  for (const Block& block : document.blocks()) std::visit(writer, block);
  writer.end();
  const std::string contents(word(lang, "heading.contents"));
  std::string out = std::string("<!DOCTYPE html>\n<html lang=\"") + (lang == Lang::zh ? "zh-CN" : "en") +
                    "\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                    "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
                    std::string(kPolicy) + "\">\n<meta name=\"referrer\" content=\"no-referrer\">\n<title>" +
                    escape_html(title) + "</title>\n<style>" + std::string(html_style()) +
                    "</style>\n</head>\n<body>\n";
  out += "<a class=\"skip\" href=\"#main\">" + escape_html(word(lang, "text.skip")) + "</a>\n<div class=\"page\">\n";
  out += "<header>\n" + writer.head + "</header>\n";
  out += "<nav aria-labelledby=\"toc\">\n<h2 id=\"toc\">" + escape_html(contents) + "</h2>\n<ul>\n" + writer.contents +
         "</ul>\n</nav>\n";
  out += "<main id=\"main\">\n" + writer.out + "</main>\n</div>\n</body>\n</html>\n";
  return out;
}

std::string to_html(const Json& model, Lang lang) {
  const std::string name = cut_text(find_text(model, "profile.name"));
  const std::string title = std::string(word(lang, "heading.report")) + (name.empty() ? "" : ": " + name);
  return html_of(compose(model, lang), title, lang);
}

}  // namespace stepwise::report
