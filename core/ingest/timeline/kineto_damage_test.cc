// Hostile and damaged Kineto traces; and the same bytes out however they come in.
#include <random>
#include <string>

#include "core/ingest/timeline/kineto_test_events.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

namespace host_op = table::host_op;
namespace kernel = table::kernel;
namespace step = table::step;

using Numbers = std::vector<int64_t>;
using Texts = std::vector<std::string>;

std::string kernel_of(const std::string& args) { return slice("kernel", "k", "0", "7", "5", "2", args); }

TEST_CASE("an argument of a wrong type costs itself only") {
  const auto read = read_kineto_text(trace_of({
      kernel_of(R"("correlation": "x", "device": [0], "stream": 1.5, "External id": {})"),
      slice("gpu_memcpy", "c", "0", "7", "6", "1", R"("bytes": -1, "correlation": "12")"),
      slice("gpu_memcpy", "c", "0", "7", "7", "1", R"("bytes": 1000000000001, "correlation": 99999999999999999999)"),
      slice("gpu_memcpy", "c", "0", "7", "8", "1", R"("bytes": 1000000000000, "correlation": null)"),
      slice("cpu_op", "o", "1", "1", "8", "1", R"("Input Dims": 5, "Call stack": [1], "Sequence number": "y")"),
      slice("cpu_op", "o", "1", "1", "9", "1", R"("Input Dims": [[8, "x"]])"),
      slice("cpu_op", "o", "1", "1", "10", "1", R"("Input Dims": "8,16;;")"),
  }));
  CHECK(read->nullable(kernel::kTable, kernel::correlation_id) == Numbers{-999, 12, -999, -999});
  CHECK(read->nullable(kernel::kTable, kernel::bytes) == Numbers{-999, -999, -999, 1'000'000'000'000});
  CHECK(read->nullable(kernel::kTable, kernel::device) == Numbers{0, 0, 0, 0});
  CHECK(read->texts(host_op::kTable, host_op::shapes) == Texts{"-", "-", "8,16;;"});
  CHECK(read->lost(Diag::json_shape) == 4 + 1 + 2 + 3 + 1);
  CHECK(read->losses() == read->lost(Diag::json_shape));
}

TEST_CASE("a bad event is lost alone") {
  const std::string good = kernel_of(""), other = kernel_of(R"("correlation": 2)");
  for (const std::string& bad :
       {slice("kernel", "k", "0", "7", "5", "-1"), slice("kernel", "k", "0", "7", "5", "86400000000.001"),
        slice("kernel", "k", "[0]", "7", "5", "1"), slice("kernel", "k", "0", "null", "5", "1"),
        slice("kernel", "k", "0", "7", "true", "1"), slice("kernel", "bad \\q", "0", "7", "5", "1"),
        slice("ker\\qnel", "k", "0", "7", "5", "1"), std::string(R"({"ph": "X", "name": "k"})"),
        slice("cpu_op", "o", "1", "1", "5", "1", R"("Call stack": "\q")"), std::string(R"({"ph": "X",, "a": 1})"),
        kernel_of(R"("grid": [1, 2)"), std::string(R"({"ph": "s", "id": 3, "pid": 0, "tid": {}, "ts": 1})")}) {
    INFO(bad);
    const auto read = read_kineto_text(list_of({good, bad, other}));
    CHECK(read->rows(kernel::kTable) == 2);
    CHECK(read->lost(Diag::event_bad) == 1);
    CHECK(read->losses() == 1);
  }
}

TEST_CASE("what no table has is counted") {
  const auto read = read_kineto_text(trace_of({
      slice("mtia_ccp_events", "x", "0", "7", "5", "1"),
      slice("mtia_ccp_events", "x", "0", "7", "6", "1"),
      R"({"ph": "X", "name": "no category", "pid": 0, "tid": 7, "ts": 5, "dur": 1})",
      R"({"ph": "i", "name": "Record Window End", "pid": "Traces", "tid": "x", "ts": 1})",
  }));
  CHECK(read->lost(Diag::event_other_phase) == 4);
  CHECK(read->text(Diag::event_other_phase).find("2 of category mtia_ccp_events") != std::string::npos);
  CHECK(read->losses() == 4);
}

TEST_CASE("device slices that no table has are warned of") {
  const std::string nameless =
      R"({"ph": "X", "name": "k", "pid": 0, "tid": 7, "ts": 5, "dur": 1, "args": {"stream": 7, "correlation": 3}})";
  const std::vector<std::string> events{
      slice("cpu_op", "o", "1", "1", "5", "1"),
      slice("odd", "x", "0", "7", "5", "1", R"("device": 0, "correlation": 4)"),
      nameless,
      slice("odd", "y", "0", "7", "5", "1", R"("correlation": 4)"),
      slice("odd", "y", "0", "7", "5", "1", R"("stream": 4, "device": 1)"),
      kernel_of(R"("device": 0, "stream": 7, "correlation": 4)"),
  };
  const std::string text = trace_of(events);
  for (const size_t window : {size_t{64}, size_t{1} << 20}) {
    const auto read = read_kineto_text(text, {.threads = 2, .window_bytes = window});
    CHECK(read->rows(kernel::kTable) == 1);
    CHECK(read->lost(Diag::event_device_unread) == 2);
    CHECK(read->place(Diag::event_device_unread) == static_cast<int64_t>(text.find(events[1])));
    CHECK(read->text(Diag::event_device_unread).ends_with("First: category odd."));
    CHECK(read->lost(Diag::event_other_phase) == 4);
  }
  CHECK(info(Diag::event_device_unread).severity == Severity::warning);
}

TEST_CASE("slices written as a begin and an end are warned of") {
  const std::string begin = R"({"ph": "B", "name": "k", "pid": 0, "tid": 7, "ts": 5})";
  const std::string end = R"({"ph": "E", "name": "k", "pid": 0, "tid": 7, "ts": 6})";
  const std::string text = list_of({R"({"ph": "i", "name": "x", "pid": 0, "tid": 7, "ts": 1})", begin, end, begin});
  for (const size_t window : {size_t{64}, size_t{1} << 20}) {
    const auto read = read_kineto_text(text, {.threads = 2, .window_bytes = window});
    CHECK(read->lost(Diag::event_begin_end) == 3);
    CHECK(read->place(Diag::event_begin_end) == static_cast<int64_t>(text.find(begin)));
    CHECK(read->lost(Diag::event_other_phase) == 4);
  }
  CHECK(info(Diag::event_begin_end).severity == Severity::warning);
}

TEST_CASE("kernels at times far from the others are kept and warned of") {
  const auto at = [](const char* ts) { return slice("kernel", "k", "0", "7", ts, "2"); };
  const std::string text = trace_of({at("1700000000000000"), at("1700000000000005"), at("-1000000000000"),
                                     at("1702591999999990"), at("1702592000000006"), at("1700000000000007")});
  const auto read = read_kineto_text(text);
  CHECK(read->rows(kernel::kTable) == 6);
  // The middle start is the fourth, ...07 us; 30 days are 2592000000000 us: ...06 us lies one within them.
  CHECK(read->lost(Diag::time_implausible_span) == 1);
  CHECK(read->place(Diag::time_implausible_span) == static_cast<int64_t>(text.find(at("-1000000000000"))));
  CHECK(read_kineto_text(trace_of({at("0"), at("2591999999998")}))->losses() == 0);
  const auto spread = read_kineto_text(trace_of({at("0"), at("2000000000000"), at("4000000000000")}));
  CHECK(spread->lost(Diag::time_implausible_span) == 1);
}

TEST_CASE("times stay within bounds, whatever the base is") {
  const std::vector<std::string> events{kernel_of(R"("correlation": 1)")};
  for (const char* base : {"-1", "\"x\"", "4000000000000000001", "1e400", "[]", "null"}) {
    INFO(base);
    const auto read = read_kineto_text(trace_of(events, "", std::string("\"baseTimeNanoseconds\": ") + base));
    CHECK(read->values(kernel::kTable, kernel::start_ns) == Numbers{5000});
    CHECK(read->lost(Diag::json_shape) == 1);
  }
  const auto beyond = read_kineto_text(trace_of(events, "", "\"baseTimeNanoseconds\": 3999999999999995001"));
  CHECK(beyond->values(kernel::kTable, kernel::start_ns) == Numbers{5000});
  CHECK(beyond->lost(Diag::json_shape) == 1);
}

TEST_CASE("slices that overlap without nesting are kept and counted") {
  const auto read = read_kineto_text(
      trace_of({slice("cpu_op", "a", "1", "1", "10", "10"), slice("cpu_op", "b", "1", "1", "15", "10"),
                slice("kernel", "k", "0", "7", "10", "10"), slice("kernel", "l", "0", "7", "15", "10")}));
  CHECK(read->rows(host_op::kTable) == 2);
  CHECK(read->rows(kernel::kTable) == 2);
  CHECK(read->lost(Diag::event_overlapping) == 1);
}

TEST_CASE("a trace cut anywhere keeps the events before the cut") {
  const std::string text =
      trace_of({kernel_of("\"grid\": [1, [2]], \"correlation\": 3"),
                slice("cpu_op", "o", "1", "1", "5", "1", "\"Input Dims\": [[8, 16]]"), kernel_of("")},
               "\"a\": {\"b\": [1]}", "\"baseTimeNanoseconds\": 1000");
  const std::string packed = gzip(text);
  for (size_t kept = 1; kept < text.size(); ++kept) {
    INFO("kept " << kept);
    const auto read = read_kineto_text(text.substr(0, kept), {.threads = 1, .window_bytes = 64});
    CHECK(read->rows(kernel::kTable) + read->rows(host_op::kTable) <= 3);
    CHECK(read->lost(Diag::file_cut) == 1);
    const bool has_events = read->rows(kernel::kTable) != 0;
    const bool has_base = kept >= text.rfind("000") + 4;
    if (has_events) CHECK(read->lost(Diag::trace_base_unknown) == (has_base ? 0 : 1));
  }
  for (size_t kept = 0; kept < packed.size(); ++kept) {
    CHECK(read_kineto_text(packed.substr(0, kept), {.threads = 1, .window_bytes = 64})->losses() >= 1);
  }
}

TEST_CASE("random bytes crash nothing") {
  std::mt19937 random(5);
  const std::string event = kernel_of("\"correlation\": 3, \"grid\": [1, 2], \"External id\": 4");
  for (int round = 0; round < 300; ++round) {
    std::string text = trace_of({event, event, slice("cpu_op", "o", "1", "\"x\"", "5", "1", "\"Input Dims\": [[8]]")},
                                "\"schemaVersion\": 1", "\"baseTimeNanoseconds\": 1000");
    for (int i = 0; i < 4; ++i) text[random() % text.size()] = static_cast<char>(random());
    const auto read = read_kineto_text(text, {.threads = 1, .window_bytes = 100});
    CHECK(read->rows(kernel::kTable) <= 2);
  }
}

/// Every kind of event, with damage, late names, named threads, and ids that come again.
std::string mixed_trace(uint32_t seed, size_t count) {
  std::mt19937 random(seed);
  const auto pick = [&random](std::initializer_list<const char*> of) {
    return std::string(of.begin()[random() % of.size()]);
  };
  const auto number = [&random](uint32_t below) { return std::to_string(random() % below); };
  std::vector<std::string> events;
  for (size_t i = 0; i < count; ++i) {
    const std::string pid = pick({"0", "1", "70", "\"Spans\"", "\"70\""});
    const std::string tid = pick({"1", "2", "7", "\"stream 7\"", "\"named\""});
    const std::string ts = number(5000) + pick({"", ".5", ".123"}), dur = number(90) + pick({"", ".25"});
    switch (random() % 10) {
      case 0:
      case 1:
      case 2:
        events.push_back(slice(
            pick({"cpu_op", "Operator", "user_annotation", "python_function"}), "op" + number(40), pid, tid, ts, dur,
            "\"External id\": " + number(60) + ", \"Input Dims\": [[" + number(9) + "], []], \"Call stack\": \"f" +
                number(9) + "\", \"Sequence number\": " + number(9)));
        break;
      case 3:
      case 4:
        events.push_back(slice(pick({"cuda_runtime", "Runtime", "cuda_driver"}), "launch", pid, tid, ts, dur,
                               "\"correlation\": " + number(99)));
        break;
      case 5:
      case 6:
        events.push_back(slice(pick({"kernel", "Kernel", "gpu_memcpy", "Memset", "cuda_sync"}),
                               pick({"gemm", "ncclDevKernel_AllReduce", "copy"}), pid, tid, ts, dur,
                               "\"correlation\": " + number(99) + ", \"External id\": " + number(60) +
                                   ", \"bytes\": " + number(1000) + ", \"grid\": [1, 2]"));
        break;
      case 7:
        events.push_back(arrow(pick({"s", "f"}).c_str(), pick({"ac2g", "fwdbwd"}), number(99), pid, tid, ts));
        break;
      case 8:
        events.push_back(
            pick({R"({"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "a"}})",
                  R"({"ph": "M", "name": "process_name", "pid": "Spans", "args": {"name": "b"}})",
                  R"({"ph": "M", "name": "thread_name", "pid": 0, "tid": "stream 7", "args": {"name": "c"}})",
                  R"({"ph": "C", "name": "c", "pid": 0, "ts": 5, "args": {"a": 5, "b": 0.5}})"}));
        break;
      default:
        events.push_back(pick({"{}", "17", R"({"ph": "X"})", R"({"a": nul})", R"({"ph": "X, "b": 1})",
                               R"({"ph": "X", "name": "ProfilerStep#3", "pid": 70, "tid": 1, "ts": 5, "dur": 900,
                                   "cat": "user_annotation", "args": {"External id": 3}})",
                               R"({"ph": "i", "name": "[memory]", "pid": "Traces", "tid": "x", "ts": 1})"}));
    }
  }
  return trace_of(events, R"("schemaVersion": 1)", R"("baseTimeNanoseconds": 1751410836000000000)");
}

TEST_CASE("threads, windows and compression do not show in the segment") {
  const auto bytes_of = [](const std::string& text, unsigned threads, size_t window_bytes) {
    const auto read = read_kineto_text(text, {.threads = threads, .window_bytes = window_bytes});
    CHECK(read->rows(kernel::kTable) > 0);
    CHECK(read->rows(step::kTable) > 0);
    return segment_bytes(*read);
  };
  for (const uint32_t seed : {1u, 2u, 3u}) {
    const std::string text = mixed_trace(seed, 1500);
    const std::string expected = bytes_of(text, 1, 4 << 20);
    CHECK((bytes_of(gzip(text), 1, 4 << 20) == expected));
    for (const unsigned threads : {1u, 2u, 4u}) {
      for (const size_t window : {size_t{64}, size_t{1000}, size_t{10'000}, size_t{1} << 20}) {
        INFO("seed " << seed << " threads " << threads << " window " << window);
        CHECK((bytes_of(text, threads, window) == expected));
      }
    }
  }
}

}  // namespace
}  // namespace stepwise::ingest
