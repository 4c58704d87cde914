#include "core/ingest/trace_read.h"

#include <optional>
#include <string_view>

#include "core/base/decimal.h"
#include "core/ingest/read_file.h"
#include "core/ingest/splitter.h"
#include "core/ingest/trace_pipeline.h"

namespace stepwise::ingest {

Result<TraceFrame> read_trace(const std::filesystem::path& file, const std::string& relative_path,
                              IngestContext& context, MakeInterpreter* make, TraceMerger& merger) {
  EventSplitter splitter(context.options.window_bytes);
  TracePipeline pipeline(context.options.threads, merger, make);
  TraceWindow spare;
  const auto pass_on_windows = [&] {
    while (splitter.window_ready()) spare = pipeline.submit(splitter.take(std::move(spare)));
  };
  const ByteSink sink{
      [&] { return splitter.room(); },
      [&](size_t count) {
        splitter.commit(count);
        pass_on_windows();
        return !splitter.gave_up();
      },
  };
  SW_ASSIGN_OR_RETURN(const ReadEnd end, read_file(file, relative_path, context, sink));
  if (end == ReadEnd::nothing) return TraceFrame{};
  splitter.finish();
  pass_on_windows();
  pipeline.drain();
  if (context.cancel.is_set()) {
    return Error{ErrorKind::cancelled, "ingest.cancelled", "Reading was cancelled.", "", relative_path};
  }
  return TraceFrame{splitter.is_trace(), splitter.top_level().values(), splitter.top_level().left_out()};
}

int64_t base_of(const TraceFrame& frame, Diagnostics& diagnostics, const std::string& file) {
  int64_t base_ns = 0;
  for (const auto& [key, value] : frame.values) {
    if (key != "baseTimeNanoseconds") continue;
    const std::optional<int64_t> base = scaled_integer(value, 0);
    const bool holds = base && *base >= 0 && *base <= kMaxTraceNs;
    if (!holds) diagnostics.count(Diag::json_shape, file, std::nullopt, 1, "baseTimeNanoseconds is no time.");
    base_ns = holds ? *base : 0;
  }
  return base_ns;
}

}  // namespace stepwise::ingest
