// ge_onnx_*.pbtxt: the text of an ONNX-like model. What a tensor is stands in attributes of its node:
// `input_desc_shape:0` and the like, or, for 20 and more tensors on a side, one JSON object `input_desc_0`.
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/graph/graph_ge.h"

namespace stepwise::ingest {
namespace {

class GeOnnx final : public GeGraphs {
 public:
  void begin(std::string_view field, int64_t line) override {
    const Inside now = inside_.empty() ? Inside::file : inside_.back();
    const Inside next = inside(now, field);
    lose_message(holds(now, field), field, line);
    if (next == Inside::graph) open_graph();
    if (next == Inside::node) open_node(line);
    if (next == Inside::attribute) attribute_ = {};
    inside_.push_back(next);
  }

  void end() override {
    const Inside left = inside_.back();
    inside_.pop_back();
    if (left == Inside::graph) {
      close_graph();
      attribute_ = {};  // of the inner graph: the one that holds it says nothing else
    }
    if (left == Inside::node) close_node();
    if (left == Inside::attribute) apply();
  }

  void scalar(std::string_view field, const ProtoScalar& scalar) override {
    const Inside now = inside_.empty() ? Inside::file : inside_.back();
    if (now == Inside::graph && field == "node") return lose_node(scalar.line);
    if (!is_a(holds(now, field), field, scalar)) return;
    const std::string_view value = scalar.value;
    if (now == Inside::graph) graph().name = value;
    if (now == Inside::node) {
      if (field == "name") node().name = value;
      if (field == "op_type") node().raw_op_type = value;
      if (field == "input") node().inputs.push_back(ge_input(value));
    }
    if (now == Inside::attribute) {
      attribute_.line = scalar.line;
      if (field == "name") attribute_.name = value;
      if (field == "s") attribute_.text = value;
      if (field == "i") attribute_.number = value;
      if (field == "ints") add_dimension(attribute_.numbers, value);
      if (field == "strings" && attribute_.texts.size() < kMaxTensors) attribute_.texts.emplace_back(value);
    }
  }

 private:
  enum class Inside : uint8_t { file, graph, node, attribute, other };
  struct Attribute {
    std::string name, text, number, numbers;
    std::vector<std::string> texts;
    int64_t line = 0;
  };

  static Inside inside(Inside now, std::string_view field) {
    switch (now) {
      case Inside::file:
        return field == "graph" ? Inside::graph : Inside::other;
      case Inside::graph:
        return field == "node" ? Inside::node : Inside::other;
      case Inside::node:
        return field == "attribute" ? Inside::attribute : Inside::other;
      case Inside::attribute:
        return field == "g" || field == "graphs" ? Inside::graph : Inside::other;
      case Inside::other:
        break;
    }
    return Inside::other;
  }

  static Holds holds(Inside now, std::string_view field) {
    if (inside(now, field) != Inside::other) return Holds::message;
    switch (now) {
      case Inside::graph:
        return field == "name" ? Holds::text : Holds::unread;
      case Inside::node:
        return field == "name" || field == "op_type" || field == "input" ? Holds::text : Holds::unread;
      case Inside::attribute:
        if (field == "i" || field == "ints") return Holds::integer;
        return field == "name" || field == "s" || field == "strings" ? Holds::text : Holds::unread;
      case Inside::file:
      case Inside::other:
        break;
    }
    return Holds::unread;
  }

  void apply() {
    const std::string_view name = attribute_.name;
    constexpr std::string_view kInput = "input_desc_", kOutput = "output_desc_";
    if (name.starts_with(kInput)) {
      describe(name.substr(kInput.size()), node().input_shapes, node().input_dtypes);
    } else if (name.starts_with(kOutput)) {
      describe(name.substr(kOutput.size()), node().output_shapes, node().output_dtypes);
    } else if (name == "stream_id") {
      node().stream = attribute_.number.empty() ? 0 : to_integer(attribute_.number);
    } else if (name == "_datadump_original_op_names") {
      node().fused = std::move(attribute_.texts);
    }
  }

  void describe(std::string_view what, TensorTexts& shapes, TensorTexts& dtypes) {
    if (const auto index = tensor_index(what)) return describe_by_json(*index, shapes, dtypes);
    const size_t colon = what.find(':');
    if (colon == std::string_view::npos) return;
    const auto index = tensor_index(what.substr(colon + 1));
    if (!index) return;
    const std::string_view key = what.substr(0, colon);
    if (key == "shape") set_tensor(shapes, *index, attribute_.numbers);
    if (key == "dtype") set_tensor(dtypes, *index, attribute_.text);
  }

  void describe_by_json(size_t index, TensorTexts& shapes, TensorTexts& dtypes) {
    std::string shape, dtype;
    // Dumps without data leave texts out.
    if (attribute_.text.empty()) return set_tensor(shapes, index, "");
    const Result<Json> parsed = parse_json(attribute_.text);
    bool fits = parsed.ok() && parsed.value().is_object();
    if (fits) {
      const Json& tensor = parsed.value();
      if (const auto it = tensor.find("shape"); it != tensor.end()) {
        fits = it->is_array();
        for (size_t i = 0; fits && i < it->size(); ++i) {
          fits = (*it)[i].is_number_integer();
          if (fits) add_dimension(shape, std::to_string((*it)[i].get<int64_t>()));
        }
        if (!fits) shape.clear();
      }
      if (const auto it = tensor.find("dtype"); it != tensor.end()) {
        fits = fits && it->is_string();
        if (it->is_string()) dtype = it->get<std::string>();
      }
    }
    if (!fits) lose_value(attribute_.name, attribute_.line);
    set_tensor(shapes, index, shape);
    set_tensor(dtypes, index, dtype);
  }

  static std::optional<size_t> tensor_index(std::string_view digits) {
    if (digits.empty() || digits.size() > 6 || digits.find_first_not_of("0123456789") != std::string_view::npos) {
      return std::nullopt;
    }
    return static_cast<size_t>(to_integer(digits).value_or(0));
  }

  std::vector<Inside> inside_;
  Attribute attribute_;
};

}  // namespace

Result<void> read_ge_onnx(const std::filesystem::path& file, const std::string& relative_path, IngestContext& context,
                          store::SegmentBuilder& out) {
  GeOnnx graphs;
  return read_ge_file(graphs, "ge_onnx", file, relative_path, context, out);
}

}  // namespace stepwise::ingest
