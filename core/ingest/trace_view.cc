#include "core/ingest/trace_view.h"

#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "core/base/decimal.h"
#include "core/ingest/read_file.h"
#include "core/ingest/splitter.h"
#include "core/ingest/trace_merge.h"
#include "core/ingest/trace_pipeline.h"

namespace stepwise::ingest {
namespace {

/// Newer exporters write times from an origin of their own, which may stand behind the events.
int64_t base_of(const TopLevelObject& top_level, Diagnostics& diagnostics, const std::string& file) {
  int64_t base_ns = 0;
  for (const auto& [key, value] : top_level.values()) {
    if (key != "baseTimeNanoseconds") continue;
    const std::optional<int64_t> base = scaled_integer(value, 0);
    const bool holds = base && *base >= 0 && *base <= kMaxTraceNs;
    if (!holds) diagnostics.count(Diag::json_shape, file, std::nullopt, 1, "baseTimeNanoseconds is no time.");
    base_ns = holds ? *base : 0;
  }
  return base_ns;
}

}  // namespace

Result<void> read_trace_view(const std::filesystem::path& file, const std::string& relative_path,
                             IngestContext& context, store::SegmentBuilder& out) {
  EventSplitter splitter(context.options.window_bytes);
  TraceMerger merger(out, context.diagnostics, relative_path);
  TracePipeline pipeline(context.options.threads, merger);
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
  if (end == ReadEnd::nothing) return {};
  splitter.finish();
  pass_on_windows();
  pipeline.drain();
  if (context.cancel.is_set()) {
    return Error{ErrorKind::cancelled, "ingest.cancelled", "Reading was cancelled.", "", relative_path};
  }
  if (splitter.is_trace()) {
    merger.finish(base_of(splitter.top_level(), context.diagnostics, relative_path), context.options.threads);
  }
  return {};
}

}  // namespace stepwise::ingest
