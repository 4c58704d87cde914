#include "core/ingest/timeline/kineto_trace.h"

#include <algorithm>
#include <optional>

#include "core/base/json.h"
#include "core/ingest/base/cut_json.h"
#include "core/ingest/exports/metadata.h"
#include "core/ingest/timeline/kineto_interpret.h"
#include "core/ingest/timeline/kineto_memory.h"
#include "core/ingest/timeline/kineto_merge.h"
#include "core/ingest/timeline/trace_read.h"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

void read_frame(const TraceFrame& frame, const std::string& file, Diagnostics& diagnostics,
                store::SegmentBuilder& out) {
  for (const auto& [key, raw] : frame.values) {
    std::string path = key, text = raw;
    make_valid_utf8(path, file, diagnostics);
    make_valid_utf8(text, file, diagnostics);
    const Result<Json> value = parse_json(text);
    if (!value.ok()) {
      diagnostics.count(Diag::json_syntax, file, std::nullopt, 1, "The value of " + path + " does not parse.");
      continue;
    }
    flatten_metadata(path, value.value(), file, out.table(table::meta::kTable));
  }
  diagnostics.count(Diag::json_too_long, file, std::nullopt, frame.values_left_out,
                    "It stands beside the events, under a key of the trace itself.");
}

/// Where the trace has no numbers of calls. What reading an execution trace loses is told with its graph.
Result<void> number_calls(KinetoMerger& merger, IngestContext& timeline) {
  ProgressGauge progress;
  Diagnostics diagnostics;
  IngestContext context{timeline.cancel, progress, diagnostics, timeline.options};
  if (merger.has_call_numbers()) return {};
  for (const InputFile& file : timeline.execution_traces) {
    SW_ASSIGN_OR_RETURN(const auto traced, read_traced_nodes(file.path, file.relative_path, context));
    if (traced) merger.link_calls(*traced, file.relative_path);
  }
  return {};
}

}  // namespace

Result<void> read_kineto_trace(const std::filesystem::path& file, const std::string& relative_path,
                               IngestContext& context, store::SegmentBuilder& out) {
  KinetoMerger merger(out, context.diagnostics, relative_path);
  SW_ASSIGN_OR_RETURN(const TraceFrame frame,
                      read_trace(file, relative_path, context, make_kineto_interpreter, merger));
  if (!frame.is_trace) return {};
  const bool has_base = std::any_of(frame.values.begin(), frame.values.end(),
                                    [](const auto& value) { return value.first == "baseTimeNanoseconds"; });
  const Diagnostics& lost = context.diagnostics;
  const bool is_cut = lost.total(Diag::file_cut) + lost.total(Diag::gzip_damaged) != 0;
  if (is_cut && !has_base && merger.needs_base()) context.diagnostics.count(Diag::trace_base_unknown, relative_path);
  if (!context.execution_traces.empty()) merger.keep_call_ids();
  merger.finish(base_of(frame, context.diagnostics, relative_path), context.options.threads);
  SW_RETURN_IF_ERROR(number_calls(merger, context));
  fill_allocator_memory(out);
  read_frame(frame, relative_path, context.diagnostics, out);
  return {};
}

}  // namespace stepwise::ingest
