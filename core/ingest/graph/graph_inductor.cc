// inductor's output_code.py: the calls of call() or Runner.call in their order, partitions in their places. A kernel
// is one node; the ATen operators that it was fused from stand in the comment above its source.
#include <algorithm>
#include <map>
#include <utility>

#include "core/base/text.h"
#include "core/ingest/base/cut_json.h"
#include "core/ingest/base/read_file.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/graph/graph_python.h"
#include "core/ingest/graph/graph_records.h"
#include "core/ingest/graph/graph_torch.h"

namespace stepwise::ingest {
namespace {

constexpr size_t kMaxCodeColumns = 400;

/// "..., Original ATen: [aten.add, aten.mul]"
std::vector<std::string> original_aten(std::string_view comment) {
  constexpr std::string_view kList = "Original ATen: [";
  const size_t begin = comment.find(kList);
  if (begin == std::string_view::npos) return {};
  const std::string_view rest = comment.substr(begin + kList.size());
  std::vector<std::string> types;
  for (const std::string_view one : split_arguments(rest.substr(0, rest.find(']')))) types.emplace_back(one);
  return types;
}

/// What a call of generated code does besides computing: memory, checks, streams, settings.
bool is_housekeeping(std::string_view callee) {
  constexpr std::string_view kBeginnings[] = {"empty_strided",
                                              "reinterpret_tensor",
                                              "assert_",
                                              "get_raw_stream",
                                              "torch.cuda.",
                                              "torch.npu.",
                                              "torch_npu.npu.",
                                              "torch._C.",
                                              "start_graph",
                                              "end_graph",
                                              "alloc_from_pool",
                                              "run_intermediate_hooks",
                                              "check_fused_layout",
                                              "os.",
                                              "print",
                                              "rand_strided",
                                              "torch._dynamo."};
  return std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                     [&](std::string_view one) { return callee.starts_with(one); });
}

/// What the comments above a kernel or call say of it.
struct Origin {
  std::vector<std::string> aten;
  SourcePlace source;
};

class InductorReader {
 public:
  InductorReader(const std::string& file, IngestContext& context) : file_(file), context_(context) {}

  /// False: cancelled.
  bool run(std::string_view text, bool is_whole) {
    PythonStatements statements(text);
    PythonStatement one;
    while (statements.next(one)) {
      if (context_.cancel.is_set()) return false;
      take(one);
    }
    const bool ends_inside = !function_.empty() && !has_returned_;
    if (is_whole) count_unfinished(statements, ends_inside, file_, context_.diagnostics);
    context_.diagnostics.count(Diag::graph_too_large, file_, std::nullopt, left_out_);
    return true;
  }
  std::vector<ReadGraph> graphs() {
    std::vector<ReadGraph> out(1);
    out[0].name = "call";
    out[0].nodes = std::move(functions_["call"]);
    return out;
  }

 private:
  void take(const PythonStatement& one) {
    if (one.text.empty()) {
      if (one.comment.find("Original ATen:") != std::string::npos) above_.aten = original_aten(one.comment);
      if (auto source = source_of_comment(one.comment)) above_.source = *std::move(source);
      return;
    }
    if (!function_.empty() && one.indent <= indent_) function_.clear();
    if (one.text.starts_with("def ")) return take_definition(one);
    if (!function_.empty()) return take_in_call(one);
    const PythonAssignment assignment = split_assignment(one.text);
    PythonCall call;
    if (is_identifier(assignment.targets) && as_call(assignment.value, call) &&
        call.callee.starts_with("async_compile.")) {
      kernels_[std::string(assignment.targets)] = above_;
    }
    is_kernel_next_ = one.text.starts_with("@dvm.kernel");
    if (!is_kernel_next_) above_ = {};
  }

  void take_definition(const PythonStatement& one) {
    std::string_view name = std::string_view(one.text).substr(std::string_view("def ").size());
    name = name.substr(0, name.find('('));
    if (is_kernel_next_) {
      constexpr std::string_view kBuild = "_build";
      if (name.ends_with(kBuild)) name.remove_suffix(kBuild.size());
      kernels_[std::string(name)] = above_;
    } else if (name == "call" || name.starts_with("partition_")) {
      function_ = name;
      functions_[function_].clear();
      indent_ = one.indent;
      has_returned_ = false;
    }
    is_kernel_next_ = false;
    above_ = {};
  }

  void take_in_call(const PythonStatement& one) {
    if (one.text == "return" || one.text.starts_with("return ")) {
      has_returned_ = true;
      return;
    }
    const PythonAssignment assignment = split_assignment(one.text);
    constexpr std::string_view kPartition = "self.partitions[";
    if (assignment.value.starts_with(kPartition)) return splice_partition(assignment.value.substr(kPartition.size()));
    PythonCall call;
    if (!as_call(assignment.value, call)) return;  // a name for a buffer, a `with`, a `del`
    add_call(one, assignment.targets, call);
  }

  void splice_partition(std::string_view rest) {
    const auto found = functions_.find("partition_" + std::string(rest.substr(0, rest.find(']'))));
    if (found == functions_.end() || found->first == function_) return;
    std::vector<GraphNode>& nodes = functions_[function_];
    if (nodes.size() + found->second.size() > kMaxGraphNodes) {
      left_out_ += found->second.size();
    } else {
      nodes.insert(nodes.end(), found->second.begin(), found->second.end());
    }
  }

  void add_call(const PythonStatement& one, std::string_view target, const PythonCall& call) {
    constexpr std::string_view kRun = ".run", kExtern = "extern_kernels.";
    const size_t dot = call.callee.find('.');
    const std::string_view head = call.callee.substr(0, dot);
    const bool is_path_of_two = dot != std::string_view::npos && call.callee.rfind('.') == dot;
    if (is_path_of_two && call.callee.ends_with(kRun)) return add_kernel(one, head);
    if (call.callee.starts_with(kExtern)) {
      return add(one, name_of(target, call), "aten." + std::string(call.callee.substr(kExtern.size())), call.callee,
                 take_source());
    }
    if (const std::string type = torch_op_type(call.callee); !type.empty()) {
      return add(one, name_of(target, call), type, call.callee, take_source());
    }
    const bool is_known = kernels_.count(std::string(head)) != 0;
    if (dot == std::string_view::npos && (is_known || head.find("fused") != std::string_view::npos)) {
      if (!is_housekeeping(head)) return add_kernel(one, head);
    }
    // A library of one kernel, called by addresses: catlass_fused_silu_0.catlass_fused_silu_0(c_void_p(...)).
    if (is_path_of_two && (is_known || call.arguments.find("c_void_p(") != std::string_view::npos)) {
      return add_kernel(one, call.callee.substr(dot + 1));
    }
    // Methods of values (events, streams, buffers) are no operators; functions that nobody knows might be.
    if (is_housekeeping(call.callee) || is_path_of_two) return;
    context_.diagnostics.count(Diag::graph_line_unread, file_, one.line, 1, "First: " + shorten(one.text, 80));
  }

  /// Of a call that is one operator itself: what the comment lists it was, not made from.
  Origin take_source() { return {{}, std::exchange(above_, {}).source}; }

  void add_kernel(const PythonStatement& one, std::string_view name) {
    const auto known = kernels_.find(std::string(name));
    Origin origin = std::exchange(above_, {});
    if (known != kernels_.end()) {
      if (!known->second.aten.empty()) origin.aten = known->second.aten;
      if (!known->second.source.file.empty()) origin.source = known->second.source;
    }
    add(one, name, kernel_type(name), name, std::move(origin));
  }

  /// What the result is called: `buf1 = ...`, or `out=buf1`.
  static std::string name_of(std::string_view target, const PythonCall& call) {
    if (!target.empty()) return std::string(target);
    constexpr std::string_view kOut = "out=";
    for (const std::string_view argument : split_arguments(call.arguments)) {
      if (argument.starts_with(kOut)) return std::string(argument.substr(kOut.size()));
    }
    return std::string(call.callee);
  }

  void add(const PythonStatement& one, std::string_view name, std::string_view type, std::string_view raw_type,
           Origin origin) {
    std::vector<GraphNode>& nodes = functions_[function_];
    if (nodes.size() >= kMaxGraphNodes) {
      ++left_out_;
      return;
    }
    GraphNode node;
    node.name = name;
    node.op_type = type;
    node.raw_op_type = raw_type;
    node.fused = std::move(origin.aten);
    node.line = one.line;
    node.source_file = std::move(origin.source.file);
    node.source_line = origin.source.line;
    node.code = std::move(origin.source.code);
    if (node.code.empty()) node.code = shorten(one.text, kMaxCodeColumns);
    nodes.push_back(std::move(node));
  }

  const std::string& file_;
  IngestContext& context_;
  std::map<std::string, Origin> kernels_;                    // by name
  std::map<std::string, std::vector<GraphNode>> functions_;  // call, partition_0...
  Origin above_;                                             // of the comments before, until something follows them
  std::string function_;                                     // which one the statement is in; "": none
  size_t indent_ = 0;
  uint64_t left_out_ = 0;
  bool is_kernel_next_ = false, has_returned_ = true;
};

}  // namespace

Result<void> read_inductor_code(const std::filesystem::path& file, const std::string& relative_path,
                                IngestContext& context, store::SegmentBuilder& out) {
  std::string text;
  SW_ASSIGN_OR_RETURN(const ReadEnd end, read_whole_file(file, relative_path, context, kMaxCodeBytes, text));
  if (text.empty()) return {};
  make_valid_utf8(text, relative_path, context.diagnostics);
  InductorReader reader(relative_path, context);
  if (!reader.run(text, end == ReadEnd::whole)) {  // a damaged .gz was counted already, and is the reason
    return Error{ErrorKind::cancelled, "ingest.cancelled", "Reading was cancelled.", "", relative_path};
  }
  append_calls(reader.graphs(), "inductor", relative_path, context, out);
  return {};
}

}  // namespace stepwise::ingest
