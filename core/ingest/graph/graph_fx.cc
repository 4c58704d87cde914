// fx graphs as code: fx_graph_runnable.py, fx_graph_readable.py, fx_graph_transformed.py and the graphs before and
// after the post-grad passes. One `forward` is one graph; a node is a call in it. Placeholders, getitem and the output
// are no nodes: they only say where values come from.
#include <unordered_map>

#include "core/base/text.h"
#include "core/ingest/base/cut_json.h"
#include "core/ingest/base/read_file.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/graph/graph_python.h"
#include "core/ingest/graph/graph_records.h"
#include "core/ingest/graph/graph_torch.h"

namespace stepwise::ingest {
namespace {

struct Tensor {
  std::string dtype, shape;
};
using Tensors = std::unordered_map<std::string, Tensor>;

/// What a name of the code stands for.
struct Value {
  std::string producer;  // node; "": none of this graph's
  int64_t output = 0;
  std::optional<Tensor> tensor;
};

/// f16[1024, 1024][1024, 1]cuda:0
std::optional<Tensor> tensor_of(std::string_view annotation) {
  const size_t open = annotation.find('['), close = annotation.find(']');
  if (open == 0 || open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  Tensor tensor{std::string(annotation.substr(0, open)), ""};
  if (!is_identifier(tensor.dtype)) return {};
  for (const char c : annotation.substr(open + 1, close - open - 1)) {
    if (c != ' ') tensor.shape += c;
  }
  return tensor;
}

/// `reader.tensor(buf0, (1, 320), dtype=torch.int32, is_leaf=True)  # arg0_1`: what the graph is run on.
Tensors runnable_arguments(std::string_view text) {
  Tensors tensors;
  PythonStatements statements(text);
  PythonStatement one;
  while (statements.next(one)) {
    PythonCall call;
    if (!as_call(one.text, call) || call.callee != "reader.tensor" || one.comment.empty()) continue;
    const auto arguments = split_arguments(call.arguments);
    if (arguments.size() < 2 || arguments[1].size() < 2 || arguments[1].front() != '(') continue;
    Tensor tensor{"f32", ""};  // what a reader makes without a word on it
    for (const std::string_view dimension : split_arguments(arguments[1].substr(1, arguments[1].size() - 2))) {
      tensor.shape += (tensor.shape.empty() ? "" : ",") + std::string(dimension);
    }
    constexpr std::string_view kDtype = "dtype=torch.";
    for (const std::string_view argument : arguments) {
      if (argument.starts_with(kDtype)) tensor.dtype = short_dtype(argument.substr(kDtype.size()));
    }
    tensors[one.comment] = tensor;
  }
  return tensors;
}

class FxReader {
 public:
  FxReader(const std::string& file, IngestContext& context, Tensors arguments)
      : file_(file), context_(context), arguments_(std::move(arguments)) {}

  /// False: cancelled.
  bool run(std::string_view text, bool is_whole) {
    PythonStatements statements(text);
    PythonStatement one;
    while (statements.next(one)) {
      if (context_.cancel.is_set()) return false;
      take(one);
    }
    if (is_whole) count_unfinished(statements, is_inside_, file_, context_.diagnostics);
    context_.diagnostics.count(Diag::graph_too_large, file_, std::nullopt, left_out_);
    return true;
  }
  const std::vector<ReadGraph>& graphs() const { return graphs_; }

 private:
  void take(const PythonStatement& one) {
    if (one.text.empty()) {
      if (is_inside_) take_comment(one.comment);
      return;
    }
    if (is_inside_ && one.indent <= indent_) is_inside_ = false;
    constexpr std::string_view kClass = "class ", kForward = "def forward(";
    if (one.text.starts_with(kClass)) {
      class_name_ = trim(std::string_view(one.text).substr(kClass.size(), one.text.find('(') - kClass.size()));
    } else if (one.text.starts_with(kForward)) {
      open_graph(one);
    } else if (is_inside_ && (one.text == "return" || one.text.starts_with("return "))) {
      is_inside_ = false;
    } else if (is_inside_) {
      take_statement(one);
    }
  }

  void take_comment(std::string_view comment) {
    if (comment.starts_with("No stacktrace found")) source_ = {};
    if (auto place = source_of_comment(comment)) source_ = *std::move(place);
  }

  void open_graph(const PythonStatement& one) {
    graphs_.emplace_back().name = class_name_;
    is_inside_ = true;
    indent_ = one.indent;
    values_.clear();
    node_at_.clear();
    source_ = {};
    PythonCall call;
    std::string_view text = one.text;
    text.remove_prefix(std::string_view("def ").size());
    text = text.substr(0, text.rfind(')') + 1);
    if (!as_call(text, call)) return;
    for (const std::string_view parameter : split_arguments(call.arguments)) {
      const Target target = target_of(parameter);
      Value value;
      value.tensor = target.tensor;
      if (const auto known = arguments_.find(target.name); !value.tensor && known != arguments_.end()) {
        value.tensor = known->second;
      }
      values_[target.name] = value;
    }
  }

  struct Target {
    std::string name;
    std::optional<Tensor> tensor;
  };
  static Target target_of(std::string_view text) {
    const size_t colon = find_outside(text, ':');
    Target target{std::string(trim(text.substr(0, colon))), {}};
    if (colon == std::string_view::npos) return target;
    std::string_view annotation = trim(text.substr(colon + 1));
    if (annotation.size() >= 2 && annotation.front() == '"') annotation = annotation.substr(1, annotation.size() - 2);
    target.tensor = tensor_of(annotation);
    return target;
  }

  void take_statement(const PythonStatement& one) {
    const PythonAssignment assignment = split_assignment(one.text);
    const Target target = target_of(assignment.targets);
    PythonCall call;
    if (as_call(assignment.value, call)) return add_call(one, target, call);
    if (take_alias(target, assignment.value)) return;
    const char* const type = target.tensor ? operator_type(assignment.value) : nullptr;
    if (type != nullptr) return add_node(one, target, type, type, assignment.value, NodeRole::op);
    // Sizes and the like are computed on the host: a value that no node makes.
    if (is_identifier(target.name)) {
      values_[target.name] = {};
      if (!target.tensor) return;
    }
    context_.diagnostics.count(Diag::graph_line_unread, file_, one.line, 1, "First: " + shorten(one.text, 80));
  }

  void add_call(const PythonStatement& one, const Target& target, const PythonCall& call) {
    const std::string_view head = call.callee.substr(0, call.callee.find('.'));
    const std::string type = torch_op_type(call.callee);
    if (!type.empty()) return add_node(one, target, type, call.callee, call.arguments, NodeRole::op);
    // A method of a value: the value is its first input.
    if (head != call.callee && values_.count(std::string(head)) != 0 && head != "self") {
      const std::string inputs = std::string(head) + ", " + std::string(call.arguments);
      return add_node(one, target, "Tensor" + std::string(call.callee.substr(head.size())), call.callee, inputs,
                      NodeRole::op);
    }
    const bool is_setting = call.callee.find("autocast") != std::string_view::npos ||
                            call.callee.find("_set_grad_enabled") != std::string_view::npos;
    add_node(one, target, call.callee, call.callee, call.arguments, is_setting ? NodeRole::control : NodeRole::op);
  }

  /// `b = a`, `b = a[1]`, `b = self.weight`: no node. False: it is something else.
  bool take_alias(const Target& target, std::string_view value) {
    if (!is_identifier(target.name)) return false;
    if (const auto same = values_.find(std::string(value)); same != values_.end()) {
      const Value copy = same->second;
      values_[target.name] = copy;
      return true;
    }
    const size_t bracket = value.find('[');
    const std::string head(value.substr(0, std::min(bracket, value.find('.'))));
    const auto found = values_.find(head);
    if (head == "self") {
      values_[target.name] = {"", 0, target.tensor};
      return true;
    }
    if (found == values_.end() || bracket == std::string_view::npos || bracket != head.size()) return false;
    const std::string_view index = value.substr(bracket + 1, value.size() - bracket - 2);
    const auto output = to_integer(index);
    if (value.back() != ']' || !output || *output < 0) return false;
    const Value from = found->second;
    values_[target.name] = {from.producer, *output, target.tensor};
    if (target.tensor && !from.producer.empty()) set_output(from.producer, *output, *target.tensor);
    return true;
  }

  void set_output(const std::string& producer, int64_t output, const Tensor& tensor) {
    constexpr int64_t kMaxOutputs = 4096;
    const auto at = node_at_.find(producer);
    if (at == node_at_.end() || output >= kMaxOutputs) return;
    GraphNode& node = graphs_.back().nodes[at->second];
    const auto index = static_cast<size_t>(output);
    if (node.output_shapes.size() <= index) {
      node.output_shapes.resize(index + 1);
      node.output_dtypes.resize(index + 1);
    }
    node.output_shapes[index] = tensor.shape;
    node.output_dtypes[index] = tensor.dtype;
  }

  void add_node(const PythonStatement& one, const Target& target, std::string_view type, std::string_view raw_type,
                std::string_view inputs, NodeRole role) {
    if (node_count_++ >= kMaxGraphNodes) {
      ++left_out_;
      return;
    }
    GraphNode node;
    node.name = target.name.empty() ? std::string(type) + "_at_" + std::to_string(one.line) : target.name;
    node.op_type = type;
    node.raw_op_type = raw_type;
    node.role = role;
    node.line = one.line;
    node.source_file = source_.file;
    node.source_line = source_.line;
    node.code = source_.code;
    bool all_known = true;
    for (const std::string_view name : names_in(inputs)) {
      const auto found = values_.find(std::string(name));
      if (found == values_.end()) continue;
      const Value& value = found->second;
      node.inputs.push_back({value.producer, value.output});
      all_known = all_known && value.tensor;
      node.input_shapes.push_back(value.tensor ? value.tensor->shape : "");
      node.input_dtypes.push_back(value.tensor ? value.tensor->dtype : "");
    }
    if (!all_known) {  // an empty shape would say "scalar"
      node.input_shapes.clear();
      node.input_dtypes.clear();
    }
    if (target.tensor) {
      node.output_shapes = {target.tensor->shape};
      node.output_dtypes = {target.tensor->dtype};
    }
    values_[node.name] = {node.name, 0, target.tensor};
    node_at_.emplace(node.name, graphs_.back().nodes.size());
    graphs_.back().nodes.push_back(std::move(node));
  }

  const std::string& file_;
  IngestContext& context_;
  const Tensors arguments_;
  std::vector<ReadGraph> graphs_;
  std::unordered_map<std::string, Value> values_;
  std::unordered_map<std::string, size_t> node_at_;  // in the graph under construction
  std::string class_name_;
  SourcePlace source_;
  size_t indent_ = 0, node_count_ = 0;
  uint64_t left_out_ = 0;
  bool is_inside_ = false;
};

}  // namespace

Result<void> read_fx_graph(const std::filesystem::path& file, const std::string& relative_path, IngestContext& context,
                           store::SegmentBuilder& out) {
  std::string text;
  SW_ASSIGN_OR_RETURN(const ReadEnd end, read_whole_file(file, relative_path, context, kMaxCodeBytes, text));
  if (text.empty()) return {};
  make_valid_utf8(text, relative_path, context.diagnostics);
  FxReader reader(relative_path, context, runnable_arguments(text));
  if (!reader.run(text, end == ReadEnd::whole)) {  // a damaged .gz was counted already, and is the reason
    return Error{ErrorKind::cancelled, "ingest.cancelled", "Reading was cancelled.", "", relative_path};
  }
  append_graphs(reader.graphs(), "fx", relative_path, context, out);
  return {};
}

}  // namespace stepwise::ingest
