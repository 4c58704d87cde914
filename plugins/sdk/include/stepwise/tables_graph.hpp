// Tables of dumped graphs: GE dumps, fx graphs, inductor's generated code.
#pragma once

#include "stepwise/table.hpp"

namespace stepwise::table {

// clang-format off: one column a line
namespace graph_node {
inline constexpr ColumnDecl kColumns[] = {
    required_code("graph",
                  "file relative to the profile, and the graph's own name after a colon where it holds several"),
    required_code("format", "ge_proto, ge_onnx, ge_readable, fx, inductor, execution_trace"),
    required_code("name", "as the file has it"),
    required_code("op_type", "operator type without overload suffix and ge: prefix, e.g. MatMulV2, aten.mm"),
    optional_code("raw_op_type", "as the file has it"),
    required_code("role", "operator; input, constant, output, control: not executed as operators"),
    optional_code("input_shapes", "tensors by ';', dimensions by ','"),
    optional_code("input_dtypes", "by ';'"),
    optional_code("output_shapes", "tensors by ';', dimensions by ','"),
    optional_code("output_dtypes", "by ';'"),
    optional_code("fused", "operators that it was fused from, by ';'"),
    optional_i64("stream", Unit::none, "stream id"),
    optional_i64("external_id", Unit::none,
                 "the profiler's own id of the call (execution traces): host_op.external_id"),
    required_i64("line", Unit::none, "line of the graph's file, from 1"),
    optional_code("source_file", "file of the model's code"),
    optional_i64("source_line", Unit::none, "line in it, from 1"),
    optional_code("code", "the model's code at that line, or the call in generated code"),
};
inline constexpr TableDecl kTable{"graph_node", "", kColumns,
                                  "one node of a graph, in file order; generated code: one call; id = row number"};
SW_COLUMN(graph);
SW_COLUMN(format);
SW_COLUMN(name);
SW_COLUMN(op_type);
SW_COLUMN(raw_op_type);
SW_COLUMN(role);
SW_COLUMN(input_shapes);
SW_COLUMN(input_dtypes);
SW_COLUMN(output_shapes);
SW_COLUMN(output_dtypes);
SW_COLUMN(fused);
SW_COLUMN(stream);
SW_COLUMN(external_id);
SW_COLUMN(line);
SW_COLUMN(source_file);
SW_COLUMN(source_line);
SW_COLUMN(code);
}  // namespace graph_node

namespace graph_edge {
inline constexpr ColumnDecl kColumns[] = {
    required_i64("src_id", Unit::none, "row in graph_node"),
    required_i64("dst_id", Unit::none, "row in graph_node"),
    optional_i64("src_index", Unit::none, "output of the source; null: a control edge"),
    optional_i64("dst_index", Unit::none, "input of the target; null: a control edge"),
    required_code("kind", "data, control"),
};
inline constexpr TableDecl kTable{"graph_edge", "", kColumns, "one edge between two nodes of one graph, by target"};
SW_COLUMN(src_id);
SW_COLUMN(dst_id);
SW_COLUMN(src_index);
SW_COLUMN(dst_index);
SW_COLUMN(kind);
}  // namespace graph_edge

// clang-format on

}  // namespace stepwise::table
