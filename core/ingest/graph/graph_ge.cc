#include "core/ingest/graph/graph_ge.h"

#include <algorithm>
#include <array>
#include <span>

#include "core/base/text.h"
#include "core/ingest/base/read_file.h"

namespace stepwise::ingest {
namespace {

struct TypeRole {
  std::string_view type;
  NodeRole role;
};
// Types that no device executes as an operator. What is not listed is an operator.
constexpr TypeRole kRoles[] = {
    {"Data", NodeRole::input},
    {"RefData", NodeRole::input},
    {"AippData", NodeRole::input},
    {"AnnData", NodeRole::input},
    {"QueueData", NodeRole::input},
    {"PlaceHolder", NodeRole::input},
    {"Const", NodeRole::constant},
    {"Constant", NodeRole::constant},
    {"ConstPlaceHolder", NodeRole::constant},
    {"FileConstant", NodeRole::constant},
    {"Variable", NodeRole::constant},
    {"VariableV2", NodeRole::constant},
    {"VarHandleOp", NodeRole::constant},
    {"NetOutput", NodeRole::output},
    {"End", NodeRole::output},
    {"NoOp", NodeRole::control},
    {"ControlTrigger", NodeRole::control},
    {"subgraph", NodeRole::control},  // a pseudo node of ge_onnx that holds a graph
    {"Send", NodeRole::control},
    {"Recv", NodeRole::control},
    {"SendNotify", NodeRole::control},
    {"RecvNotify", NodeRole::control},
    {"StreamActive", NodeRole::control},
    {"StreamSwitch", NodeRole::control},
    {"StreamSwitchN", NodeRole::control},
    {"StreamMerge", NodeRole::control},
    {"LabelSet", NodeRole::control},
    {"LabelGoto", NodeRole::control},
    {"LabelGotoEx", NodeRole::control},
    {"LabelSwitch", NodeRole::control},
    {"LabelSwitchByIndex", NodeRole::control},
};

/// What a node should have; nullptr: it has that.
const char* lack_of(const GraphNode& node) {
  if (node.name.empty()) return "a node without a name that is a text";
  if (node.op_type.empty()) return "a node without a type that is a text";
  if (node.name.size() >= ProtoTextParser::kMaxValueBytes) return "a node of whose name only the beginning was kept";
  if (node.raw_op_type.size() >= ProtoTextParser::kMaxValueBytes) {
    return "a node of whose type only the beginning was kept";
  }
  return nullptr;
}

/// Nothing in it: the file did not tell.
void drop_if_blank(TensorTexts& texts) {
  if (std::all_of(texts.begin(), texts.end(), [](const std::string& one) { return one.empty(); })) texts.clear();
}

}  // namespace

NodeRole ge_role(std::string_view type) {
  const auto* const found =
      std::find_if(std::begin(kRoles), std::end(kRoles), [&](const TypeRole& one) { return one.type == type; });
  return found == std::end(kRoles) ? NodeRole::op : found->role;
}

std::vector<ReadGraph> GeGraphs::take() {
  for (ReadGraph& graph : graphs_) {
    // The text leaves out zeros: a node without a stream is on stream 0 if any node has one.
    const bool has_streams = std::any_of(graph.nodes.begin(), graph.nodes.end(),
                                         [](const GraphNode& one) { return one.stream.has_value(); });
    for (GraphNode& one : graph.nodes) {
      if (has_streams && !one.stream) one.stream = 0;
      if (one.stream && *one.stream < 0) one.stream.reset();  // not assigned
    }
  }
  return std::move(graphs_);
}

void GeGraphs::open_graph() {
  levels_.push_back({graphs_.size(), {}});
  graphs_.emplace_back();
}

void GeGraphs::open_node(int64_t line) {
  node() = {};
  node().line = line;
}

void GeGraphs::close_node() {
  if (++node_count_ > kMaxGraphNodes) {
    ++left_out_;
    return;
  }
  constexpr std::string_view kPrefix = "ge:";
  GraphNode& one = node();
  one.op_type = one.raw_op_type.starts_with(kPrefix) ? one.raw_op_type.substr(kPrefix.size()) : one.raw_op_type;
  one.role = ge_role(one.op_type);
  if (const char* const what = lack_of(one)) note(incomplete_, one.line, what);
  // A side's shapes and types are lists of one length.
  for (auto [shapes, dtypes] :
       {std::pair(&one.input_shapes, &one.input_dtypes), std::pair(&one.output_shapes, &one.output_dtypes)}) {
    const size_t tensors = std::max(shapes->size(), dtypes->size());
    shapes->resize(tensors);
    dtypes->resize(tensors);
    drop_if_blank(*dtypes);
  }
  graph().nodes.push_back(std::move(one));
}

void GeGraphs::note(Odd& odd, int64_t line, std::string what) {
  // Nodes within nodes end first: the lines come in any order.
  if (odd.count++ > 0 && line >= odd.first_line) return;
  odd.first_line = line;
  odd.first = std::move(what);
}

bool GeGraphs::is_a(Holds wanted, std::string_view field, const ProtoScalar& value) {
  bool fits = false;
  switch (wanted) {
    case Holds::unread:
      return false;
    case Holds::text:
      fits = value.is_text;
      break;
    case Holds::integer:
      fits = !value.is_text && to_integer(value.value).has_value();
      break;
    case Holds::word:  // an enumeration's, or its number
      fits = !value.is_text;
      break;
    case Holds::message:
      break;
  }
  if (!fits) lose_value(field, value.line);
  return fits;
}

void GeGraphs::set_tensor(TensorTexts& tensors, size_t index, std::string text) {
  if (index >= kMaxTensors) return;
  if (index >= tensors.size()) tensors.resize(index + 1);
  tensors[index] = std::move(text);
}

GraphInput ge_input(std::string_view text) {
  if (text.empty()) return {"", 0};
  const size_t colon = text.rfind(':');
  const auto index = colon == std::string_view::npos ? std::nullopt : to_integer(text.substr(colon + 1));
  if (!index) return {std::string(text), 0};
  return {std::string(text.substr(0, colon)), *index < 0 ? std::nullopt : index};
}

void add_dimension(std::string& shape, std::string_view dimension) {
  if (shape.size() + dimension.size() >= kMaxGraphTextBytes) return;
  if (!shape.empty()) shape += ',';
  shape += dimension;
}

Result<void> read_ge_file(GeGraphs& graphs, const char* format, const std::filesystem::path& file,
                          const std::string& relative_path, IngestContext& context, store::SegmentBuilder& out) {
  ProtoTextParser parser(graphs);
  std::array<char, 1 << 16> buffer;
  const ByteSink sink{
      [&] { return std::span<char>(buffer); },
      [&](size_t bytes) {
        return parser.feed({buffer.data(), bytes});
      },
  };
  SW_ASSIGN_OR_RETURN(const ReadEnd end, read_file(file, relative_path, context, sink));
  if (end == ReadEnd::nothing) return {};
  if (end == ReadEnd::stopped) {
    context.diagnostics.count(Diag::graph_syntax, relative_path, parser.line(), 1, parser.error());
  } else if (!parser.finish() && end == ReadEnd::whole) {  // a damaged .gz was counted already, and is the reason
    context.diagnostics.count(Diag::file_cut, relative_path, parser.line());
  }
  context.diagnostics.count(Diag::graph_too_large, relative_path, std::nullopt, graphs.nodes_left_out());
  const GeGraphs::Odd &incomplete = graphs.incomplete_nodes(), &wrong = graphs.wrong_types();
  context.diagnostics.count(Diag::graph_node_incomplete, relative_path, incomplete.first_line, incomplete.count,
                            "First: " + incomplete.first + ".");
  context.diagnostics.count(Diag::graph_field_type, relative_path, wrong.first_line, wrong.count,
                            "First: " + shorten(wrong.first, 60) + ".");
  append_graphs(graphs.take(), format, relative_path, context, out);
  return {};
}

}  // namespace stepwise::ingest
