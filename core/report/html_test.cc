#include "core/report/html.h"

#include <string>
#include <vector>

#include "core/report/html_text.h"
#include "core/report/sample_model_test.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::report;

namespace {

size_t count_of(const std::string& text, const std::string& wanted) {
  size_t count = 0;
  for (size_t at = text.find(wanted); at != std::string::npos; at = text.find(wanted, at + 1)) ++count;
  return count;
}

struct Tag {
  bool closes = false, is_empty = false;  // </name>, <name/>
  std::string name;
  std::vector<std::string> attributes;
  size_t length = 0;  // 0: what stands there is no tag as we write them
};

/// `<name key="value">`: values in double quotes, without < and >.
Tag tag_at(const std::string& html, size_t at) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  const auto read = [&](size_t& i, const auto& belongs) {
    const size_t begin = i;
    while (i < html.size() && belongs(html[i])) ++i;
    return html.substr(begin, i - begin);
  };
  Tag tag;
  size_t i = at + 1;
  if (html.compare(i, 1, "/") == 0) {
    tag.closes = true;
    ++i;
  }
  tag.name = read(i, is_letter);
  while (i < html.size() && (html[i] == ' ' || html[i] == '\n')) {
    read(i, [](char c) { return c == ' ' || c == '\n'; });
    const std::string key = read(i, [&](char c) { return is_letter(c) || c == '-'; });
    if (key.empty()) break;
    if (html.compare(i, 2, "=\"") != 0) return {};
    i += 2;
    read(i, [](char c) { return c != '"' && c != '<' && c != '>'; });
    if (html.compare(i, 1, "\"") != 0) return {};
    ++i;
    tag.attributes.push_back(key);
  }
  if (html.compare(i, 1, "/") == 0) {
    tag.is_empty = true;
    ++i;
  }
  if (tag.name.empty() || html.compare(i, 1, ">") != 0) return {};
  tag.length = i + 1 - at;
  return tag;
}

/// Every element that is opened is closed, in the reverse order; no attribute begins with "on".
void check_well_formed(const std::string& html) {
  std::vector<std::string> open;
  size_t at = html.find("<body>");
  REQUIRE(at != std::string::npos);
  while ((at = html.find('<', at)) != std::string::npos) {
    const Tag tag = tag_at(html, at);
    INFO(html.substr(at, 200));
    REQUIRE(tag.length > 0);
    for (const std::string& key : tag.attributes) CHECK_FALSE(key.starts_with("on"));
    if (tag.closes) {
      if (open.empty()) {
        CHECK(tag.name == "html");
      } else {
        REQUIRE(open.back() == tag.name);
        open.pop_back();
      }
    } else if (!tag.is_empty && tag.name != "wbr") {
      open.push_back(tag.name);
    }
    at += tag.length;
  }
  CHECK(open.empty());
}

}  // namespace

TEST_CASE("text from outside is never markup") {
  CHECK(escape_html("</script><b a='\"&") == "&lt;/script&gt;&lt;b a=&#39;&quot;&amp;");
  CHECK(escape_html("a\x01\x7f\xff"
                    "b\n") ==
        "a\xef\xbf\xbd"
        "b\n");
  CHECK(html_text("use `a<b` here") == "use <code>a&lt;b</code> here");
  CHECK(html_text("aclnnFoo_BarBaz") == "aclnnFoo_<wbr>BarBaz");
  CHECK(html_text(std::string(40, 'x')) == std::string(32, 'x') + "<wbr>" + std::string(8, 'x'));
  CHECK(html_text("a_b") == "a_b");
}

TEST_CASE("only web addresses become links") {
  CHECK(html_link("https://a.b/?x=\"1\"&y") == "<a href=\"https://a.b/?x=&quot;1&quot;&amp;y\" rel=\"noreferrer\">" +
                                                   html_text("https://a.b/?x=\"1\"&y") + "</a>");
  CHECK(html_link("javascript:alert(1)").find("<a") == std::string::npos);
}

TEST_CASE("the page is whole, quotes nothing from elsewhere and runs nothing") {
  Json model = testing::sample_model();
  testing::add_advice_chapter(model, testing::sample_advice());
  for (const Lang lang : {Lang::en, Lang::zh}) {
    const std::string html = to_html(model, lang);
    check_well_formed(html);
    CHECK(html == to_html(model, lang));
    for (const char* outside : {"<script", " src=", "<link", "@import", "url(", "<iframe", "<img"}) {
      INFO(outside);
      CHECK(html.find(outside) == std::string::npos);
    }
    CHECK(count_of(html, "<h1>") == 1);
    CHECK(count_of(html, "<caption") == count_of(html, "<table>"));
    CHECK(count_of(html, "<h2 id=\"c") == count_of(html, "<li><a href=\"#c"));
    CHECK(html.find("default-src 'none'") != std::string::npos);
  }
  CHECK(to_html(model, Lang::zh).find("<html lang=\"zh-CN\">") != std::string::npos);
}

TEST_CASE("hostile names stay text, in cells, charts and the title, and long ones are cut") {
  const std::string hostile = "\"><script>alert('x')</script><svg onload=\"y\">\n|`";
  Json model = testing::sample_model();
  model["profile"]["name"] = hostile;
  Json& answer = model["chapters"][2]["results"][0]["answer"];
  answer["rows"][0]["op_type"] = hostile;
  answer["rows"][1]["op_type"] = std::string(5'000'000, 'x');
  model["chapters"][0]["results"][0]["answer"]["files"][0]["path"] = hostile;
  const std::string html = to_html(model, Lang::en);
  check_well_formed(html);
  CHECK(html.find("<script") == std::string::npos);
  CHECK(html.find("<svg onload") == std::string::npos);
  CHECK(html.size() < 100'000);
  CHECK(html.find("(5000000 bytes)") != std::string::npos);
}

TEST_CASE("charts carry the exact figures of the tables") {
  const std::string html = to_html(testing::sample_model(), Lang::en);
  // 101963.203 of 136581.009, the parts that are drawn
  CHECK(html.find(
            "<title>communication not hidden: 101,963.203 us (74.65 %)</title><rect x=\"0.000%\" width=\"74.654%\"") !=
        std::string::npos);
  CHECK(html.find("<td class=\"n\">101,963.203</td>") != std::string::npos);
  CHECK(html.find("<span class=\"label\">ForeachAddList</span>") != std::string::npos);
  // 8883.084 - 1959.079 - 1423.208
  CHECK(html.find("other: 5,500.797 us (61.92 %)") != std::string::npos);
}
