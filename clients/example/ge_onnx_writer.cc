// ge_onnx_*_Build.pbtxt: the text of an ONNX-like model, fields equal to the default left out. What a tensor is stands
// in the attributes of its node.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clients/example/infer_writers.h"
#include "clients/example/text_file.h"

namespace stepwise::example {
namespace {

constexpr size_t kTensorsAsAttributes = 20;  // as many, or more, are written as one JSON text each

std::string output_of(const GraphNode& node) { return node.name + ":0"; }

class NodeWriter {
 public:
  NodeWriter(TextFile& file, const InferGraph& graph) : file_(file), graph_(graph) {
    for (const GraphNode& node : graph.nodes) consumed_.insert(node.inputs.begin(), node.inputs.end());
  }

  void write(int index) {
    const GraphNode& node = graph_.nodes[static_cast<size_t>(index)];
    file_.text("  node {\n");
    for (int input : node.inputs) field("    ", "input", output_of(graph_.nodes[static_cast<size_t>(input)]));
    if (consumed_.count(index) == 1) field("    ", "output", output_of(node));
    field("    ", "name", node.name);
    field("    ", "op_type", "ge:" + node.type);
    integer("id", index);
    tensors("input_desc_", inputs_of(node));
    if (node.type != "NetOutput") tensors("output_desc_", {&node});
    integer("stream_id", node.kernel < 0 ? -1 : 0);
    file_.text("  }\n");
  }

 private:
  using Tensors = std::vector<const GraphNode*>;

  Tensors inputs_of(const GraphNode& node) const {
    Tensors all;
    for (int input : node.inputs) all.push_back(&graph_.nodes[static_cast<size_t>(input)]);
    return all;
  }
  void field(std::string_view indent, std::string_view name, std::string_view text) {
    file_.text(indent).text(name).text(": \"").text(text).text("\"\n");
  }
  void open_attribute(const std::string& name) {
    file_.text("    attribute {\n");
    field("      ", "name", name);
  }
  void close_attribute(std::string_view type) { file_.text("      type: ").text(type).text("\n    }\n"); }
  void integer(const std::string& name, int64_t value) {
    open_attribute(name);
    if (value != 0) file_.text("      i: ").integer(value).text("\n");
    close_attribute("INT");
  }
  void text(const std::string& name, std::string_view value) {
    open_attribute(name);
    field("      ", "s", value);
    close_attribute("STRING");
  }
  void numbers(const std::string& name, std::string_view commas) {
    open_attribute(name);
    for (size_t from = 0; from < commas.size();) {
      const size_t end = std::min(commas.find(',', from), commas.size());
      file_.text("      ints: ").text(commas.substr(from, end - from)).text("\n");
      from = end + 1;
    }
    close_attribute("INTS");
  }

  void tensors(const std::string& prefix, const Tensors& all) {
    if (all.size() >= kTensorsAsAttributes) {
      for (size_t i = 0; i < all.size(); ++i) {
        // Quotes of the inner text are escaped.
        text(prefix + std::to_string(i),
             R"({\"dtype\":\")" + all[i]->dtype + R"(\",\"layout\":\"ND\",\"shape\":[)" + all[i]->shape + "]}");
      }
    } else {
      for (const char* what : {"dtype", "layout"}) {
        for (size_t i = 0; i < all.size(); ++i) {
          text(prefix + what + ":" + std::to_string(i), *what == 'd' ? std::string_view(all[i]->dtype) : "ND");
        }
      }
    }
    if (!all.empty()) integer(prefix + "nums", static_cast<int64_t>(all.size()));
    if (all.size() >= kTensorsAsAttributes) return;
    for (size_t i = 0; i < all.size(); ++i) numbers(prefix + "shape:" + std::to_string(i), all[i]->shape);
  }

  TextFile& file_;
  const InferGraph& graph_;
  std::set<int> consumed_;
};

}  // namespace

Result<int64_t> write_ge_onnx(const std::filesystem::path& path, const InferGraph& graph) {
  SW_ASSIGN_OR_RETURN(TextFile file, TextFile::create(path));
  file.text("ir_version: 6\nproducer_name: \"GE\"\ngraph {\n");
  NodeWriter nodes(file, graph);
  for (size_t i = 0; i < graph.nodes.size(); ++i) nodes.write(static_cast<int>(i));
  file.text("  name: \"").text(kInferModelName).text("\"\n}\n");
  SW_RETURN_IF_ERROR(file.close());
  return file.bytes();
}

}  // namespace stepwise::example
