// Hostile and damaged timelines: never a crash, each loss counted once, the rest read.
#include <random>
#include <string>

#include "core/ingest/timeline/trace_test_read.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

namespace host_op = table::host_op;

using Texts = std::vector<std::string>;

const std::string kGood =
    R"({"ph": "X", "name": "good", "pid": 1, "tid": 2, "ts": "5.000", "dur": 1.5, "cat": "cpu_op"})";
const std::string kLater =
    R"({"ph": "X", "name": "good", "pid": 1, "tid": 2, "ts": "7.000", "dur": 1.5, "cat": "cpu_op"})";

std::string op(const std::string& name, const std::string& more) {
  return R"({"ph": "X", "name": ")" + name + R"(", "pid": 1, "tid": 2, "cat": "cpu_op")" + more + "}";
}

/// Of an event between two good ones: rows read, losses, those of that kind, where the first is.
std::string outcome(const std::string& event, Diag diag = Diag::event_bad) {
  const auto read = read_trace_text("[" + kGood + ", " + event + ", " + kLater + "]");
  const auto place = read->place(diag);
  return std::to_string(read->rows(host_op::kTable)) + " rows, " + std::to_string(read->losses()) + " losses, " +
         std::to_string(read->lost(diag)) + " of the kind" +
         (read->lost(diag) == 0 ? "" : " at " + std::to_string(place.value_or(-1)));
}
/// It alone is lost.
const std::string kLost = "2 rows, 1 losses, 1 of the kind at " + std::to_string(kGood.size() + 3);
const std::string kKept = "3 rows, 0 losses, 0 of the kind";

TEST_CASE("files that are no traces are told from empty ones") {
  const auto empty = read_trace_text("");
  CHECK(empty->lost(Diag::file_empty) == 1);
  CHECK(empty->losses() == 1);
  CHECK_FALSE(empty->segment.has(table::track::kTable));

  for (const char* other : {"{}",
                            "\x7f"
                            "ELF\x02\x01\x01",
                            "PK\x03\x04", "ph,name\n1,2\n", "{\"a\": 1}", "null", "{\"a\" 1}"}) {
    INFO(other);
    const auto read = read_trace_text(other);
    CHECK(read->lost(Diag::file_wrong_format) == 1);
    CHECK(read->losses() == 1);
    CHECK_FALSE(read->segment.has(table::track::kTable));
  }
  const auto no_events = read_trace_text("[]");
  CHECK(no_events->losses() == 0);
  CHECK(no_events->segment.has(table::track::kTable));
}

TEST_CASE("random bytes crash nothing") {
  std::mt19937 random(23);
  for (int round = 0; round < 200; ++round) {
    std::string bytes(random() % 3000, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    if (round % 2 == 0 && !bytes.empty()) bytes.front() = '[';
    if (round % 4 == 1) bytes = "{\"traceEvents\": [" + bytes;
    const auto read = read_trace_text(bytes, {.threads = 1, .window_bytes = 1000});
    CHECK(read->losses() > 0);
  }
}

TEST_CASE("a missing file is counted") {
  const TemporaryFolder folder;
  const auto read = read_trace_file(folder.path() / "absent.json");
  CHECK(read->lost(Diag::file_unreadable) == 1);
}

TEST_CASE("an event that lacks what it needs, or has it in a wrong type, is lost") {
  for (const char* more : {"", R"(, "ts": 1)", R"(, "dur": 1)", R"(, "ts": null, "dur": 1)", R"(, "ts": [1], "dur": 1)",
                           R"(, "ts": {}, "dur": 1)", R"(, "ts": true, "dur": 1)", R"(, "ts": 1, "dur": NaN)",
                           R"(, "ts": 1, "dur": -0.001)", R"(, "ts": 1, "dur": "x")", R"(, "ts": "", "dur": 1)",
                           R"(, "ts": 1e30, "dur": 1)", R"(, "ts": 1, "dur": 99999999999999999999999999)",
                           R"(, "ts": 4000000000000001, "dur": 1)", R"(, "ts": 1, "dur": 86400000000.001)"}) {
    INFO(more);
    CHECK(outcome(op("bad", more)) == kLost);
  }
  CHECK(outcome(R"({})") == kLost);
  CHECK(outcome(R"({"name": "x"})") == kLost);
  CHECK(outcome(R"({"ph": 1})") == kLost);
  CHECK(outcome(R"({"ph": "XX"})") == kLost);
  CHECK(outcome(R"({"ph": "X", "name": 5, "pid": 1, "tid": 1, "ts": 1, "dur": 1})") == kLost);
  CHECK(outcome(R"({"ph": "X", "name": "a", "pid": "Traces", "tid": 1, "ts": 1, "dur": 1})") == kLost);
  CHECK(outcome(R"({"ph": "X", "name": "a", "pid": 1, "tid": 1.5, "ts": 1, "dur": 1})") == kLost);
  CHECK(outcome(R"({"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1, "cat": 5})") == kLost);
  CHECK(outcome(R"({"ph": "X", "name": "bad escape \q", "pid": 1, "tid": 1, "ts": 1, "dur": 1})") == kLost);
  CHECK(outcome(R"({"ph": "s", "cat": "k", "pid": 1, "tid": 1, "ts": 1})") == kLost);
  CHECK(outcome(R"({"ph": "s", "id": 3, "pid": 1, "tid": 1, "ts": 1})") == kLost);
  CHECK(outcome(R"({"ph": "C", "ts": 1, "pid": 1, "args": {"a": 1}})") == kLost);
  CHECK(outcome(R"({"ph": "M", "name": "process_name", "pid": 1, "args": {"name": 7}})") == kLost);
  CHECK(outcome(R"({"ph": "M", "name": "thread_name", "pid": 1, "args": {"name": "x"}})") == kLost);
}

TEST_CASE("an event that is no JSON is lost") {
  for (const char* bad : {R"({"ph": "X" "name": "a"})", R"({"ph": })", R"({ph: "X"})", R"({"ph": "X",, "name": "a"})",
                          R"({"ph": "X", "args": {"a": 1])", "{\"ph\": \"X\", \"name\": \"line\nbreak\"}", "{\x01}",
                          R"({"a": {"b"}, "args": {"c"}})"}) {
    INFO(bad);
    CHECK(outcome(bad) == kLost);
  }
}

TEST_CASE("a destroyed timestamp is told apart") {
  CHECK(outcome(op("bad", R"(, "ts": "1.69512E+15", "dur": 1)"), Diag::timestamp_destroyed) == kLost);
  CHECK(outcome(op("bad", R"(, "ts": 1.69512e+15, "dur": 1)"), Diag::timestamp_destroyed) == kLost);
}

TEST_CASE("an argument of a wrong type costs itself only") {
  const auto read = read_trace_text(
      "[" +
      op("a", R"(, "ts": 1, "dur": 1, "args": {"Sequence number": "x", "Input Dims": [[8, 3]], "Call stack": "s"})") +
      "]");
  CHECK(read->texts(host_op::kTable, host_op::stack) == Texts{"s"});
  CHECK(read->texts(host_op::kTable, host_op::shapes) == Texts{"-"});
  CHECK(read->lost(Diag::json_shape) == 2);
  CHECK(read->losses() == 2);
}

TEST_CASE("odd but readable events are read") {
  CHECK(outcome(op("deep", R"(, "ts": 1, "dur": 1, "args": {"a": )" + std::string(5000, '[') + std::string(5000, ']') +
                               "}")) == kKept);
  CHECK(outcome(op("long", R"(, "ts": 1, "dur": 1, "args": {"a": ")" + std::string(1 << 20, 'x') + "\"}")) == kKept);
  CHECK(outcome(op(std::string(1 << 20, 'n'), R"(, "ts": 1, "dur": 1)")) == kKept);
  CHECK(outcome(op("huge number", R"(, "ts": 1, "dur": 1, "args": {"a": 1)" + std::string(5000, '0') + "}")) == kKept);
  CHECK(outcome(op("no arguments", R"(, "ts": 1, "dur": 1, "args": null)")) == kKept);
  CHECK(outcome(op("list of arguments", R"(, "ts": 1, "dur": 1, "args": [1, {"b": 2}])")) == kKept);
  CHECK(outcome(op("negative", R"(, "ts": "-1.5", "dur": 0)")) == kKept);
  CHECK(outcome(op("a day", R"(, "ts": 1, "dur": 86400000000)")) == kKept);
  CHECK(outcome(op("escapes \\u00e9 \\n \\ud800", R"(, "ts": 1, "dur": 1)")) == kKept);
  CHECK(outcome(op("unknown keys",
                   R"(, "ts": 1, "dur": 1, "tts": 5, "sf": 7, "n": 1, "": {}, "x": [[]], "argss": {})")) == kKept);
}

TEST_CASE("of keys that come twice the last one counts") {
  const auto read = read_trace_text(
      "[" + op("first", R"(, "ts": 1, "dur": 1, "ts": 2, "name": "second", "cat": "user_annotation")") + "]");
  CHECK(read->texts(host_op::kTable, host_op::name) == Texts{"second"});
  CHECK(read->values(host_op::kTable, host_op::start_ns) == std::vector<int64_t>{2000});
  CHECK(read->texts(host_op::kTable, host_op::category) == Texts{"user_annotation"});
}

TEST_CASE("a base that leads beyond any time is not added") {
  const std::string events = "{\"traceEvents\": [" + op("a", R"(, "ts": 3000000000000000, "dur": 1)") + "], ";
  const auto fits = read_trace_text(events + "\"baseTimeNanoseconds\": 1000000000000000000}");
  CHECK(fits->values(host_op::kTable, host_op::start_ns) == std::vector<int64_t>{4'000'000'000'000'000'000});
  CHECK(fits->losses() == 0);
  const auto beyond = read_trace_text(events + "\"baseTimeNanoseconds\": 1000000000000000001}");
  CHECK(beyond->values(host_op::kTable, host_op::start_ns) == std::vector<int64_t>{3'000'000'000'000'000'000});
  CHECK(beyond->lost(Diag::json_shape) == 1);
}

TEST_CASE("bytes that are no UTF-8 are replaced, and counted") {
  const auto read =
      read_trace_text("[" + kGood + ", " + op("a\xff\xc3(", R"(, "ts": 1, "dur": 1)") + ", " + kLater + "]");
  CHECK(read->texts(host_op::kTable, host_op::name) == Texts{"a\xef\xbf\xbd\xef\xbf\xbd(", "good", "good"});
  CHECK(read->lost(Diag::text_not_utf8) == 1);
  CHECK(read->losses() == 1);
}

TEST_CASE("slices that cannot nest are kept and counted") {
  const auto read =
      read_trace_text("[" + op("a", R"(, "ts": 10, "dur": 10)") + ", " + op("b", R"(, "ts": 15, "dur": 10)") + "]");
  CHECK(read->rows(host_op::kTable) == 2);
  CHECK(read->values(host_op::kTable, host_op::depth) == std::vector<int64_t>{0, 0});
  CHECK(read->lost(Diag::event_overlapping) == 1);
}

TEST_CASE("an event over 16 MiB is skipped and counted") {
  const std::string large =
      op("large", R"(, "ts": 1, "dur": 1, "args": {"a": ")" + std::string(limits::kMaxTraceEventBytes, 'x') + "\"}");
  CHECK(outcome(large, Diag::event_too_long) == kLost);
}

TEST_CASE("a trace cut anywhere keeps the events before the cut") {
  const std::string event =
      R"({"ph": "X", "name": "a\"}{", "pid": 1, "tid": 2, "ts": "5.000", "dur": 1, "cat": "cpu_op", "args": {"x": [{}]}})";
  const bool is_object = GENERATE(false, true);
  const std::string head = is_object ? "{\"a\": {\"b\": [1]}, \"traceEvents\": [" : "[";
  // As long, and not the same twice.
  const auto at = [&event](char second) {
    std::string moved = event;
    moved[moved.find("5.000")] = second;
    return moved;
  };
  const std::string text =
      head + at('5') + ", " + at('7') + ",\n" + at('9') + "]" + (is_object ? ", \"c\": \"]\"}" : "");
  const std::string packed = gzip(text);
  for (size_t kept = 0; kept < text.size(); ++kept) {
    INFO("kept " << kept);
    const auto read = read_trace_text(text.substr(0, kept), {.threads = 1, .window_bytes = 64});
    const bool begins_events = kept >= head.size();
    const size_t events = !begins_events                              ? 0
                          : kept < head.size() + event.size()         ? 0
                          : kept < head.size() + 2 * event.size() + 2 ? 1
                          : kept < head.size() + 3 * event.size() + 4 ? 2
                                                                      : 3;
    CHECK(read->rows(host_op::kTable) == events);
    CHECK(read->lost(kept == 0 ? Diag::file_empty : Diag::file_cut) == 1);
    CHECK(read->losses() == 1);
  }
  for (size_t kept = 0; kept < packed.size(); ++kept) {
    const auto read = read_trace_text(std::string_view(packed).substr(0, kept), {.threads = 1, .window_bytes = 64});
    CHECK(read->losses() >= 1);
    CHECK(read->rows(host_op::kTable) <= 3);
  }
}

TEST_CASE("any byte of a trace may be wrong") {
  const std::string event = R"({"ph": "X", "name": "a", "pid": 1, "tid": 2, "ts": "5.000", "dur": 1, "cat": "cpu_op"})";
  std::string text = "[";
  for (int i = 0; i < 3; ++i) text += (i == 0 ? "" : ", ") + event;
  text += "]";
  for (size_t at = 1; at + 1 < text.size(); ++at) {
    for (const char wrong : {'"', '{', '}', '[', '\\', '\0'}) {
      std::string damaged = text;
      damaged[at] = wrong;
      INFO("at " << at << " " << damaged);
      const auto read = read_trace_text(damaged, {.threads = 1, .window_bytes = 128});
      // The event that it hits, and at most its neighbour.
      CHECK(read->rows(host_op::kTable) + read->lost(Diag::event_other_phase) >= 1);
      if (read->rows(host_op::kTable) < 3) CHECK(read->losses() >= 1);
      CHECK(read->losses() <= 3);
    }
  }
}

}  // namespace
}  // namespace stepwise::ingest
