// The same events give the same segment, to the byte, however they come: threads, windows, compression.
#include <random>
#include <string>

#include "core/ingest/timeline/trace_test_read.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

/// A trace of every kind of event, with damage, long events, late names, and texts that come again.
std::string mixed_trace(uint32_t seed, size_t events) {
  std::mt19937 random(seed);
  const auto pick = [&random](std::initializer_list<const char*> of) {
    return std::string(of.begin()[random() % of.size()]);
  };
  const auto number = [&random](uint32_t below) { return std::to_string(random() % below); };
  std::string text = "[";
  const auto add = [&](const std::string& event) {
    text += (text.size() == 1 ? "" : pick({", ", ",", ",\n ", " , "})) + event;
  };
  for (size_t i = 0; i < events; ++i) {
    const std::string place = R"(, "pid": )" + pick({"7", "20", "21", "22", "23", "24"}) + R"(, "tid": )" + number(4) +
                              R"(, "ts": ")" + number(5000) + "." + pick({"000", "5", "123"}) + "\"";
    switch (random() % 12) {
      case 0:
      case 1:
      case 2:
        add(R"({"ph": "X", "name": "op)" + number(40) + "\"" + place + R"(, "dur": )" + number(300) +
            R"(.25, "cat": ")" +
            pick({"cpu_op", "python_function", "enqueue", "dequeue", "user_annotation", "kernel"}) +
            R"(", "args": {"Sequence number": )" + number(5) + R"(, "Input Dims": "8,)" + number(30) +
            R"(;\r\n", "Call stack": "f)" + number(9) + R"(;\r\ng", "correlation_id": 5}})");
        break;
      case 3:
      case 4:
      case 5:
        add(R"({"ph": "X", "name": ")" + pick({"Node@launch", "MatMul", "Computing", "Free"}) + "\"" + place +
            R"(, "dur": )" + number(90) + R"(, "args": {"Task Type": "AI_)" + number(3) + R"(", "connection_id": )" +
            number(99) + "}}");
        break;
      case 6:
        add(R"({"ph": "C", "name": "c)" + number(5) + "\"" + place + R"(, "args": {"value": )" + number(100) +
            R"(, "b": 0.5}})");
        break;
      case 7:
      case 8:
        add(R"({"ph": ")" + pick({"s", "f"}) + R"(", "cat": ")" + pick({"async_npu", "fwdbwd"}) +
            R"(", "name": "n", "id": )" + pick({"", "\"99999999999999999999"}).append(number(60)) + place + "}");
        if (text.compare(text.rfind("\"id\": ") + 6, 1, "\"") == 0) text.insert(text.rfind(", \"pid\""), "\"");
        break;
      case 9:
        add(R"({"ph": "M", "name": ")" + pick({"process_name", "thread_name", "process_labels"}) + R"(", "pid": )" +
            pick({"20", "21", "22", "23"}) + R"(, "tid": 1, "args": {"name": ")" +
            pick({"Ascend Hardware", "HCCL", "CANN", "Overlap Analysis", "x"}) + R"(", "labels": "NPU"}})");
        break;
      case 10:
        add(R"({"ph": "X", "name": "long )" + std::string(random() % 3000, 'y') + "\"" + place +
            R"(, "dur": 1, "cat": "cpu_op"})");
        break;
      default:
        add(pick(
            {"{}", "17", "{\"ph\": \"X\"}",
             "{\"ph\": \"X\", \"name\": \"ProfilerStep#3\", \"pid\": 7, \"tid\": 1, \"ts\": 5, \"dur\": 900, \"cat\": "
             "\"cpu_op\"}",
             "{\"ph\": \"X\", \"name\": \"\xff\", \"pid\": 7, \"tid\": 1, \"ts\": 5, \"dur\": 9, \"cat\": \"cpu_op\"}",
             "{\"ph\": \"X\", \"name\": \"\\x\"}", "{\"a\": nul, \"ph\": \"i\"}", "} garbage",
             "{\"ph\": \"X, \"b\": 1}"}));
    }
  }
  return text + "]";
}

std::string bytes_of(const std::string& text, unsigned threads, size_t window_bytes) {
  const auto read = read_trace_text(text, {.threads = threads, .window_bytes = window_bytes});
  CHECK(read->rows(table::host_op::kTable) > 0);
  return segment_bytes(*read);
}

TEST_CASE("threads, windows and compression do not show in the segment") {
  for (const uint32_t seed : {1u, 2u, 3u}) {
    const std::string text = mixed_trace(seed, 1500);
    const std::string expected = bytes_of(text, 1, 4 << 20);
    CHECK(bytes_of(gzip(text), 1, 4 << 20) == expected);
    for (const unsigned threads : {1u, 2u, 4u}) {
      for (const size_t window : {size_t{64}, size_t{1000}, size_t{10'000}, size_t{1} << 20}) {
        INFO("seed " << seed << " threads " << threads << " window " << window);
        CHECK(bytes_of(text, threads, window) == expected);
      }
    }
    CHECK(bytes_of(gzip(text), 2, 777) == expected);
  }
}

TEST_CASE("more texts than a parser remembers do not show either") {
  std::string text = "[";
  for (int i = 0; i < 300; ++i) {
    text += std::string(i == 0 ? "" : ",") + R"({"ph":"X","name":")" + std::to_string(i % 100) +
            std::string(100'000, 'n') + R"(","pid":1,"tid":1,"ts":)" + std::to_string(i) +
            R"(,"dur":1,"cat":"cpu_op"})";
  }
  text += "]";
  const std::string expected = bytes_of(text, 1, text.size());
  CHECK(bytes_of(text, 1, 1 << 20) == expected);
  CHECK(bytes_of(text, 3, 1 << 20) == expected);
}

}  // namespace
}  // namespace stepwise::ingest
