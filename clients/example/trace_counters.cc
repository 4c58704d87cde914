#include "clients/example/random.h"
#include "clients/example/trace_sections.h"

namespace stepwise::example {
namespace {

struct Counter {
  std::string_view name, series;
  int sort_index;  // of its process
  int64_t low, high;
  int digits;  // decimals of the value; 0: an integer
};

// Quality-of-service samples are the most frequent, as in real traces.
constexpr Counter kCounters[] = {
    {"QoS OTHERS", "value", 22, 0, 24'000, 0},
    {"QoS OTHERS", "value", 22, 0, 24'000, 0},
    {"HBM 0/Read", "Read(MB/s)", 17, 0, 900'000'000, 3},
    {"HBM 0/Write", "Write(MB/s)", 17, 0, 700'000'000, 3},
    {"QoS OTHERS", "value", 22, 0, 24'000, 0},
    {"LLC 0 Read/Throughput", "Throughput(MB/s)", 18, 0, 9'000'000, 3},
    {"LLC 0 Read/Hit Rate", "Hit Rate(%)", 18, 300, 990, 3},
    {"QoS OTHERS", "value", 22, 0, 24'000, 0},
    {"APP/DDR", "KB", 19, 20'000'000, 40'000'000, 1},
    {"QoS OTHERS", "value", 22, 0, 24'000, 0},
    {"AI Core Freq", "MHz", 14, 1'800, 1'800, 0},
};

}  // namespace

void CounterSource::write_until(int64_t ns, TraceArray& out) {
  // Spacing first, remainder second: (end - start) * next would not fit.
  const int64_t spacing = count_ > 0 ? (end_ns_ - start_ns_) / count_ : 0;
  for (; next_ < count_; ++next_) {
    const int64_t at = start_ns_ + next_ * spacing;
    if (at > ns) return;
    write_one(at, out);
  }
}

void CounterSource::write_one(int64_t ns, TraceArray& out) {
  const Counter& counter = kCounters[static_cast<size_t>(next_) % std::size(kCounters)];
  Random random(static_cast<uint64_t>(ns));
  TextFile& file = out.next();
  file.text("{\"name\": \"").text(counter.name).text("\", \"ts\": \"").us3(ns).text("\", \"pid\": ");
  file.integer(pids_.process(counter.sort_index)).text(", \"tid\": 0, \"args\": {\"").text(counter.series).text("\": ");
  const int64_t value = random.between(counter.low, counter.high);
  if (counter.digits == 0) {
    file.integer(value);
  } else {
    file.decimal(value, counter.digits);
  }
  file.text("}, \"ph\": \"C\"}");
}

}  // namespace stepwise::example
