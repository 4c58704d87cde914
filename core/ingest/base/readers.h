// One reader a file format. Each fills the tables that its file can fill; a file that is cut or broken is counted in
// the context's diagnostics. Errors: cancelled.
#pragma once

#include <filesystem>
#include <string>

#include "core/ingest/base/context.h"

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
Reader read_memory_record;         // memory
Reader read_npu_mem;               // memory; adds to what is there
Reader read_operator_memory;       // memory_block
Reader read_npu_module_mem;        // module_memory
Reader read_static_op_mem;         // static_memory
Reader read_l2_cache;              // l2_cache
Reader read_data_preprocess;       // aicpu_task; msprof calls the file aicpu_*.csv
Reader read_fusion_op;             // fusion_op
Reader read_task_time;             // kernel; in slices, where nothing else tells of kernels
Reader read_core_utilization;      // meta
Reader read_communication;         // comm_op, comm_link, comm_packet
Reader read_communication_matrix;  // comm_matrix
Reader read_analysis_db;           // step, comm_op, comm_link, comm_packet, comm_matrix; as far as no text file did
Reader read_profiler_db;           // kernel, op_stat, api_stat, memory..., as far as no text file did; meta
Reader read_profiler_db_timeline;  // the timeline's tables, if no trace did
Reader read_ms_operator_types;     // op_stat; this and the next eight: MindSpore before 2.4
Reader read_ms_operator_names;     // op_name_stat
Reader read_ms_aicpu;              // aicpu_task
Reader read_ms_timeline;           // kernel
Reader read_ms_display;            // kernel, aicpu_task; what no other file has filled
Reader read_ms_steps;              // step
Reader read_ms_framework;          // completes op_name_stat and kernel, if they are there
Reader read_ms_cluster_steps;      // completes step, if it is there
Reader read_ms_hccl;               // comm_matrix
Reader read_metadata;  // meta: profiler_info*.json, profiler_metadata.json, msprof's info.json and sample.json

// What a cluster analysis says about all ranks.
Reader read_cluster_step_trace;     // cluster_step
Reader read_cluster_communication;  // cluster_comm_op, cluster_comm_link
Reader read_cluster_matrix;         // cluster_comm_matrix
Reader read_cluster_groups;         // comm_group
Reader read_cluster_db;             // all of these, as far as no text file did

// graph_node and graph_edge. A rank may have many such files.
Reader read_ge_proto;         // ge_proto_*.txt
Reader read_ge_onnx;          // ge_onnx_*.pbtxt
Reader read_ge_readable;      // ge_readable_*.txt
Reader read_fx_graph;         // fx_graph_*.py and the graphs before and after the post-grad passes
Reader read_inductor_code;    // output_code.py; no edges
Reader read_execution_trace;  // of PyTorch: what was called, with the tensors that went from call to call

}  // namespace stepwise::ingest
