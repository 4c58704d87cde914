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
class Recorder final : public CsvHandler {
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
