#include "core/ingest/timeline/trace_view.h"

#include "core/ingest/base/export_name.h"
#include "core/ingest/timeline/ascend_interpret.h"
#include "core/ingest/timeline/ascend_merge.h"
#include "core/ingest/timeline/trace_read.h"

namespace stepwise::ingest {

Result<void> read_trace_view(const std::filesystem::path& file, const std::string& relative_path,
                             IngestContext& context, store::SegmentBuilder& out) {
  const std::string whole = context.more_slices.empty() ? relative_path : export_name(relative_path).key;
  AscendMerger merger(out, context.diagnostics, whole, context.kernels);
  SW_ASSIGN_OR_RETURN(const TraceFrame frame,
                      read_trace(file, relative_path, context, make_ascend_interpreter, merger));
  if (frame.is_trace) {
    merger.finish(base_of(frame, context.diagnostics, whole), context.options.threads);
  }
  return {};
}

}  // namespace stepwise::ingest
