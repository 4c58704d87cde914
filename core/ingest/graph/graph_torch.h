// What operators and types are called in code that torch.compile left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/ingest/base/diagnostics.h"
#include "core/ingest/graph/graph_python.h"

namespace stepwise::ingest {

inline constexpr size_t kMaxCodeBytes = 64u << 20;  // generated code, read whole

/// "torch.ops.aten.add.Tensor" -> "aten.add"; also by the names that generated code gives to torch.ops.aten and the
/// like. "": no operator of torch.ops.
std::string torch_op_type(std::string_view callee);
/// "float16" -> "f16", as fx writes types; others as they are.
std::string short_dtype(std::string_view dtype);
/// "a + b" -> "operator.add"; nullptr: not one operator between two operands.
const char* operator_type(std::string_view expression);
/// A kernel's name without what only tells it from others of its kind: "triton_poi_fused_add_3" ->
/// "triton_poi_fused_add", "autofused_mul_<32 hex digits>" -> "autofused_mul".
std::string_view kernel_type(std::string_view name);

/// Where the model's code made a node.
struct SourcePlace {
  std::string file, code;  // "": not told
  std::optional<int64_t> line;
};
/// "File: model.py:43 in forward, code: h = self.lin1(x)"; nullopt: the comment says no such thing.
std::optional<SourcePlace> source_of_comment(std::string_view comment);

/// Counts what the end of generated code left open: a bracket or text, or else a function without its return.
void count_unfinished(const PythonStatements& statements, bool is_inside, const std::string& file,
                      Diagnostics& diagnostics);

}  // namespace stepwise::ingest
