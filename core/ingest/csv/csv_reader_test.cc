#include "core/ingest/csv/csv_reader.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "core/ingest/csv/csv_mask.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

using namespace std::string_literals;  // for texts with a NUL inside

/// Everything that a reader delivered, as text that can be compared.
class Recorder final : public CsvRecordHandler {
 public:
  bool header(const CsvRecord& record) override {
    add("H", record);
    return accept;
  }
  void row(const CsvRecord& record, int64_t number) override { add(std::to_string(number), record); }
  void lost(CsvLoss loss, int64_t line, size_t cells) override {
    static const char* const kNames[] = {"ragged", "too_long", "cut", "wide", "no_newline"};
    events.push_back(std::string(kNames[static_cast<size_t>(loss)]) + "@" + std::to_string(line) + " " +
                     std::to_string(cells));
  }

  std::vector<std::string> events;
  bool accept = true;

 private:
  void add(const std::string& what, const CsvRecord& record) {
    std::string text = what + "@" + std::to_string(record.line());
    for (size_t i = 0; i < record.size(); ++i) text += "|" + std::string(record[i]);
    events.push_back(text);
  }
};

std::vector<std::string> read(std::string_view text, size_t chunk = 1 << 16, size_t max_record = 1 << 20,
                              bool broken = false) {
  Recorder recorder;
  CsvReader reader(recorder, max_record);
  for (size_t at = 0; at < text.size() && !reader.stopped(); at += chunk) {
    const std::string_view piece = text.substr(at, chunk);
    std::memcpy(reader.room(chunk).data(), piece.data(), piece.size());
    reader.commit(piece.size());
  }
  reader.finish(broken);
  return recorder.events;
}

using Events = std::vector<std::string>;

/// Below a header of three plain cells, byte by byte.
Events read_simply(const std::string& text) {
  Events events{"H@1|a|b|c"};
  std::vector<std::string> cells(1);
  size_t begin = text.find('\n') + 1, cell_begin = begin;
  int64_t line = 2, first_line = 2, number = 0;
  bool inside = false;
  const auto end_row = [&](size_t at, bool is_last) {
    const bool has_return = at > cell_begin && text[at - 1] == '\r';
    if (has_return && !cells.back().empty() && cells.back().back() == '\r') cells.back().pop_back();
    const bool is_blank = cells.size() == 1 && at - has_return == cell_begin;
    if (!is_blank) {
      ++number;
      const std::string where = "@" + std::to_string(first_line), size = " " + std::to_string(cells.size());
      if (cells.size() != 3) {
        events.push_back((is_last ? "cut" : "ragged") + where + size);
      } else {
        events.push_back(std::to_string(number) + where + "|" + cells[0] + "|" + cells[1] + "|" + cells[2]);
        if (is_last) events.push_back("no_newline" + where + size);
      }
    }
    cells.assign(1, "");
    begin = cell_begin = at + 1;
    first_line = line;
  };
  for (size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (inside) {
      if (c != '"') {
        cells.back() += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        cells.back() += text[++i];
      } else {
        inside = false;
      }
    } else if (c == '"' && i == cell_begin) {
      inside = true;
    } else if (c == ',') {
      cells.emplace_back();
      cell_begin = i + 1;
    } else if (c == '\n') {
      end_row(i, false);
    } else {
      cells.back() += c;
    }
  }
  if (inside) {
    events.push_back("cut@" + std::to_string(first_line) + " " + std::to_string(cells.size()));
  } else if (text.find_first_not_of('\r', begin) != std::string::npos || cells.size() > 1) {
    end_row(text.size(), true);
  }
  return events;
}

}  // namespace

TEST_CASE("csv: cells, line ends, BOM, blank lines") {
  CHECK(read("a,b\n1,2\n") == Events{"H@1|a|b", "1@2|1|2"});
  CHECK(read("a,b\r\n1,2\r\n") == Events{"H@1|a|b", "1@2|1|2"});
  CHECK(read("\xEF\xBB\xBF"
             "a,b\n,\n") == Events{"H@1|a|b", "1@2||"});
  CHECK(read("\xEF\xBB\xBF"
             "\"a\",b\n1,2\n") == Events{"H@1|a|b", "1@2|1|2"});
  CHECK(read("\n\r\na,b\n\n1,2\n\r\n\n") == Events{"H@3|a|b", "1@5|1|2"});
  CHECK(read("").empty());
  CHECK(read("\xEF\xBB\xBF").empty());
  CHECK(read("\r\n\n").empty());
}

TEST_CASE("csv: quotes as Python's csv module reads them") {
  // What csv.writer makes of a cell that carries quotes of its own, and of one with line breaks.
  CHECK(read("a,b\n\"\"\"8,16\"\"\",x\n") == Events{"H@1|a|b", "1@2|\"8,16\"|x"});
  CHECK(read("a,b\n\"\"\"8\"\"16\"\"\",\"\"\"\"\"\"\n") == Events{"H@1|a|b", "1@2|\"8\"16\"|\"\""});
  CHECK(read("a,b\n\"\"\"\"\"x\",\"\"\"x\"\"\"y\n") == Events{"H@1|a|b", "1@2|\"\"x|\"x\"y"});
  CHECK(read("a,b\n\"x;\r\ny\",2\n3,4\n") == Events{"H@1|a|b", "1@2|x;\r\ny|2", "2@4|3|4"});
  CHECK(read("a,b\n\"\",\"\"\"\"\n") == Events{"H@1|a|b", "1@2||\""});
  CHECK(read("a,b\n\"x\"\t,\"1\"y\n") == Events{"H@1|a|b", "1@2|x\t|1y"});  // text after the closing quote stays
  CHECK(read("a,b\nx\"y,z\"\n") == Events{"H@1|a|b", "1@2|x\"y|z\""});      // a quote inside a cell opens nothing
  CHECK(read("a,b\n\"x\",\"y\"\r\n") == Events{"H@1|a|b", "1@2|x|y"});
}

TEST_CASE("csv: what cannot be delivered is reported, and conserved") {
  CHECK(read("a,b\n1\n1,2,3\n5,6\n") == Events{"H@1|a|b", "ragged@2 1", "ragged@3 3", "3@4|5|6"});
  CHECK(read("a,b\n1,2") == Events{"H@1|a|b", "1@2|1|2", "no_newline@2 2"});
  CHECK(read("a,b\n1,2\r") == Events{"H@1|a|b", "1@2|1|2", "no_newline@2 2"});
  CHECK(read("a,b\n1") == Events{"H@1|a|b", "cut@2 1"});
  CHECK(read("a,b\n1,\"2\n3,4\n") == Events{"H@1|a|b", "cut@2 2"});
  CHECK(read("a,b") == Events{"H@1|a|b", "cut@1 2"});
  CHECK(read("a,\"b") == Events{"cut@1 2"});
  CHECK(read("a,b\n1,2", 64, 1 << 20, true) == Events{"H@1|a|b", "cut@2 2"});
  CHECK(read("a,b\n1,2\n", 64, 1 << 20, true) == Events{"H@1|a|b", "1@2|1|2"});
}

TEST_CASE("csv: a record over the limit is skipped; reading goes on behind it") {
  const std::string at_limit = std::string(8, 'x') + ",y", beyond = std::string(9, 'x') + ",y";
  CHECK(read("a,b\n" + at_limit + "\n1,2\n", 3, 10) == Events{"H@1|a|b", "1@2|xxxxxxxx|y", "2@3|1|2"});
  for (size_t chunk : {1, 3, 100}) {
    CHECK(read("a,b\n" + beyond + "\n1,2\n", chunk, 10) == Events{"H@1|a|b", "too_long@2 2", "2@3|1|2"});
    CHECK(read("a,b\n\"" + beyond + "\n" + beyond + "\",z\n1,2\n", chunk, 10) ==
          Events{"H@1|a|b", "too_long@2 2", "2@4|1|2"});
    CHECK(read("a,b\n" + beyond, chunk, 10) == Events{"H@1|a|b", "too_long@2 2"});
    CHECK(read(beyond + "\n1,2\n", chunk, 10) == Events{"wide@1 0"});
  }
}

TEST_CASE("csv: a header wider than any table is refused") {
  std::string header(limits::kMaxCsvColumns - 1, ',');
  CHECK(read(header + "\n").size() == 1);
  CHECK(read(header + "\n")[0].starts_with("H@1"));
  CHECK(read(header + ",\n" + header + ",\n") == Events{"wide@1 0"});
}

TEST_CASE("csv: how the bytes are cut changes nothing") {
  const std::string text =
      "\xEF\xBB\xBF"
      "Name,Shape,\"Dur,ation\"\r\n"
      "add,\"\"\"8,16;16\"\"\",4.380\t\r\n"
      "\r\n"
      "mul,\"a;\r\nb;\r\n\",\"\"\n"
      "ragged,1\n"
      "x\"y,\"\"\"\",\"tail\"t\r\n"
      "nul\0byte,\xFF\xFE,3\n"
      "no end,\"1\"\""s;
  const Events whole = read(text);
  REQUIRE(whole.size() == 7);
  for (size_t chunk = 1; chunk <= text.size(); ++chunk) CHECK(read(text, chunk) == whole);
}

TEST_CASE("csv: a cut at any byte leaves whole records and one count") {
  const std::string text = "a,b,c\r\n1,\"2;\r\n2\",3\r\n4,\"\"\"5,6\"\"\",7\n8,9,10\n";
  const Events whole = read(text);
  REQUIRE(whole.size() == 4);
  for (size_t length = 0; length < text.size(); ++length) {
    const Events got = read(text.substr(0, length));
    for (size_t i = 0; i < got.size(); ++i) {
      const bool is_loss = got[i].starts_with("cut") || got[i].starts_with("no_newline");
      CHECK((is_loss ? i + 1 == got.size() : true));
      // What is delivered and not followed by a count is what the whole file holds there.
      if (!is_loss && i + 1 < got.size() && !got[i + 1].starts_with("no_newline") && i > 0) CHECK(got[i] == whole[i]);
    }
    // The text is cut inside a record unless it ends in a line break outside quotes (or before one, after CR).
    const bool at_border = length == 0 || length == 7 || length == 20 || length == 34 || length == 42;
    const bool counted = !got.empty() && (got.back().starts_with("cut") || got.back().starts_with("no_newline"));
    CHECK(counted == !at_border);
  }
}

TEST_CASE("csv: both masks agree") {
  std::mt19937 random(7);
  const std::string alphabet = ",\"\nx\r\0\xAC\x2D"s;
  for (int round = 0; round < 2000; ++round) {
    char block[64];
    for (char& c : block) c = round % 2 ? static_cast<char>(random()) : alphabet[random() % alphabet.size()];
    CHECK(csv_mask(block) == csv_mask_portable(block));
  }
}

TEST_CASE("csv: what is inside of quotes is told by their number") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 2000; ++round) {
    const uint64_t quotes = random() & (round % 2 ? ~uint64_t{0} : random() & random());
    uint64_t inside = 0;
    bool is_inside = false;
    for (int i = 0; i < 64; ++i) {
      if ((quotes >> i & 1) != 0) is_inside = !is_inside;
      inside |= uint64_t{is_inside} << i;
    }
    CHECK(inside_of_quotes(quotes) == inside);
  }
}

TEST_CASE("csv: any text is read as Python's csv module reads it, however it is cut") {
  // Texts of what makes a difference only, against the rules one byte at a time.
  std::mt19937 random(11);
  // Short pieces, of which some come together well and some do not.
  const std::vector<std::string> pieces[] = {
      {"\"", "\"", "\"\"", ",", ",", "x", "\n", "\r\n"},
      {"x", "yy,", ",", ",\"a,\nb\"", ",\"\"\"c\"\"\"", "zzzzzzz,", "\n", "\r\n", ",x\"", ",\"y\"z"}};
  for (int round = 0; round < 6000; ++round) {
    std::string text = "a,b,c\n";
    const size_t size = random() % 600;
    while (text.size() < size) text += pieces[round % 2][random() % pieces[round % 2].size()];
    INFO(text);
    const Events expected = read_simply(text);
    CHECK(read(text) == expected);
    CHECK(read(text, 1 + random() % 100) == expected);
  }
}

TEST_CASE("csv: rows come in blocks, in order with what is lost between them") {
  std::string text = "a,b\n";
  Events expected{"H@1|a|b"};
  for (int i = 1; i <= 300; ++i) {
    const std::string one = std::to_string(i), line = std::to_string(i + 1);
    const bool is_ragged = i % 70 == 0;
    text += is_ragged ? one + "\n" : one + ",\"x,\"\n";
    expected.push_back(is_ragged ? "ragged@" + line + " 1" : one + "@" + line + "|" + one + "|x,");
  }
  for (const size_t chunk : {1u, 7u, 64u, 1000u, 1u << 16}) CHECK(read(text, chunk) == expected);
}

TEST_CASE("csv: a short row's missing cells are empty, and of the last one at the input's end it is not known") {
  Recorder recorder;
  CsvReader reader(recorder);
  reader.accept_short_rows();
  std::string text;
  for (int i = 0; i < 200; ++i) text += "c" + std::to_string(i) + (i < 199 ? "," : "\n");
  for (int i = 0; i < 70; ++i) text += "x,\"y\"\n";
  text += "x,y";
  std::memcpy(reader.room(text.size()).data(), text.data(), text.size());
  reader.commit(text.size());
  reader.finish(false);
  REQUIRE(recorder.events.size() == 72);
  CHECK(recorder.events[70] == "70@71|x|y" + std::string(198, '|'));
  CHECK(recorder.events[71] == "cut@72 2");
}

TEST_CASE("csv: a refused header ends the reading") {
  Recorder recorder;
  recorder.accept = false;
  CsvReader reader(recorder);
  const std::string text = "a,b\n1,2\n";
  std::memcpy(reader.room(text.size()).data(), text.data(), text.size());
  reader.commit(text.size());
  CHECK(reader.stopped());
  reader.finish(false);
  CHECK(recorder.events == Events{"H@1|a|b"});
}

}  // namespace stepwise::ingest
