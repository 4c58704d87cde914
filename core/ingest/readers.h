// One reader a file format. Each fills the tables that its file can fill; a file that is cut or broken is counted in
// the context's diagnostics. Errors: cancelled.
#pragma once

#include <filesystem>
#include <string>

#include "core/ingest/ingest.h"

namespace stepwise::ingest {

using Reader = Result<void>(const std::filesystem::path& file, const std::string& relative_path, IngestContext& context,
                            store::SegmentBuilder& out);

Reader read_kernel_details;        // kernel
Reader read_op_summary;            // kernel; in slices
Reader read_step_trace_time;       // step
Reader read_step_trace;            // step
Reader read_op_statistic;          // op_stat
Reader read_api_statistic;         // api_stat
Reader read_operator_details;      // op_detail
Reader read_communication;         // comm_op, comm_link, comm_packet
Reader read_communication_matrix;  // comm_matrix
Reader read_analysis_db;           // step, comm_op, comm_link, comm_packet, comm_matrix; as far as no text file did
Reader read_profiler_db;           // kernel, op_stat, api_stat, as far as no text file did; meta
Reader read_profiler_db_timeline;  // the timeline's tables, if no trace did
Reader read_metadata;  // meta: profiler_info*.json, profiler_metadata.json, msprof's info.json and sample.json

// graph_node and graph_edge. A rank may have many such files.
Reader read_ge_proto;       // ge_proto_*.txt
Reader read_ge_onnx;        // ge_onnx_*.pbtxt
Reader read_fx_graph;       // fx_graph_*.py and the graphs before and after the post-grad passes
Reader read_inductor_code;  // output_code.py; no edges

}  // namespace stepwise::ingest
