#include "tests/bench/trace_work.h"

#include "core/base/text.h"
#include "core/ingest/timeline/trace_view.h"
#include "tests/bench/trace_generator.h"

namespace stepwise::bench {

void ingest_trace(const std::filesystem::path& trace, const std::filesystem::path& segment, unsigned threads) {
  const CancelFlag cancel;
  ProgressGauge progress;
  ingest::Diagnostics diagnostics;
  ingest::IngestContext context{cancel, progress, diagnostics, {.threads = threads}};
  store::SegmentBuilder out;
  Result<void> result = ingest::read_trace_view(trace, "trace_view.json", context, out);
  if (result.ok()) {
    diagnostics.write_to(out);
    result = out.write_and_forget(segment, store::SegmentKey{});
  }
  if (!result.ok()) fail(to_text(result.error()));
}

const std::filesystem::path& trace_of(const Settings& settings) {
  static const std::filesystem::path trace = [&] {
    if (!settings.trace.empty()) return settings.trace;
    auto path = settings.folder / "trace_view.json";
    generate_trace(path, settings.megabytes << 20);
    return path;
  }();
  return trace;
}

double mib(uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

}  // namespace stepwise::bench
