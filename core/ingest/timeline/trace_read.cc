#include "core/ingest/timeline/trace_read.h"

#include <optional>
#include <string_view>

#include "core/base/decimal.h"
#include "core/ingest/base/read_file.h"
#include "core/ingest/base/splitter.h"
#include "core/ingest/timeline/trace_pipeline.h"

namespace stepwise::ingest {

namespace {

/// Files one after the other into one pipeline.
class TraceFeeder {
 public:
  TraceFeeder(IngestContext& context, MakeInterpreter* make, TraceMerger& merger)
      : context_(context), pipeline_(context.options.threads, merger, make) {}

  Result<void> feed(const std::filesystem::path& file, const std::string& relative_path) {
    EventSplitter splitter(context_.options.window_bytes);
    uint64_t bytes = 0;
    const ByteSink sink{
        [&] { return splitter.room(); },
        [&](size_t count) {
          bytes += count;
          splitter.commit(count);
          pass_on_windows(splitter);
          return !splitter.gave_up();
        },
    };
    SW_ASSIGN_OR_RETURN(const ReadEnd end, read_file(file, relative_path, context_, sink));
    if (end == ReadEnd::nothing) return {};
    splitter.finish();
    pass_on_windows(splitter);
    bytes_before_ += bytes;
    if (splitter.is_trace() && !frame_.is_trace) {
      frame_ = {true, splitter.top_level().values(), splitter.top_level().left_out()};
    }
    return {};
  }

  TraceFrame finish() {
    pipeline_.drain();
    return std::move(frame_);
  }

 private:
  void pass_on_windows(EventSplitter& splitter) {
    while (splitter.window_ready()) {
      TraceWindow window = splitter.take(std::move(spare_));
      window.file_offset += bytes_before_;
      for (Loss& loss : window.losses) loss.offset += bytes_before_;
      spare_ = pipeline_.submit(std::move(window));
    }
  }

  IngestContext& context_;
  TracePipeline pipeline_;
  TraceWindow spare_;
  uint64_t bytes_before_ = 0;  // of the files before, inflated
  TraceFrame frame_;
};

}  // namespace

Result<TraceFrame> read_trace(const std::filesystem::path& file, const std::string& relative_path,
                              IngestContext& context, MakeInterpreter* make, TraceMerger& merger) {
  TraceFeeder feeder(context, make, merger);
  SW_RETURN_IF_ERROR(feeder.feed(file, relative_path));
  for (const InputFile& slice : context.more_slices) {
    SW_RETURN_IF_ERROR(feeder.feed(slice.path, slice.relative_path));
  }
  TraceFrame frame = feeder.finish();
  if (context.cancel.is_set()) {
    return Error{ErrorKind::cancelled, "ingest.cancelled", "Reading was cancelled.", "", relative_path};
  }
  return frame;
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
