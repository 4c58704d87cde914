// ge_proto_*.txt: the text of ge.proto, either a GraphDef's `graph { op {...} }` or a ModelDef around it.
#include "core/base/text.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/graph/graph_ge.h"

namespace stepwise::ingest {
namespace {

class GeProto final : public GeGraphs {
 public:
  void begin(std::string_view field, int64_t line) override {
    const Inside now = inside_.empty() ? Inside::file : inside_.back();
    const Inside next = inside(now, field);
    lose_message(holds(now, field), field, line);
    if (next == Inside::graph) open_graph();
    if (next == Inside::op) open_node(line);
    if (next == Inside::attribute) key_.clear();
    if (next == Inside::description) {
      dtype_.clear();
      shape_.clear();
      is_input_ = field == "input_desc";
    }
    inside_.push_back(next);
  }

  void end() override {
    const Inside left = inside_.back();
    inside_.pop_back();
    if (left == Inside::graph) {
      close_graph();
      key_.clear();  // of the inner graph's last attribute
    }
    if (left == Inside::op) close_node();
    if (left == Inside::description) {
      TensorTexts& shapes = is_input_ ? node().input_shapes : node().output_shapes;
      set_tensor(is_input_ ? node().input_dtypes : node().output_dtypes, shapes.size(), dtype_);
      set_tensor(shapes, shapes.size(), shape_);
    }
  }

  void scalar(std::string_view field, const ProtoScalar& scalar) override {
    const Inside now = inside_.empty() ? Inside::file : inside_.back();
    if (now == Inside::graph && field == "op") return lose_node(scalar.line);
    if (!is_a(holds(now, field), field, scalar)) return;
    const std::string_view value = scalar.value;
    switch (now) {
      case Inside::graph:
        graph().name = value;
        return;
      case Inside::op:
        if (field == "name") node().name = value;
        if (field == "type") node().raw_op_type = value;
        if (field == "input") node().inputs.push_back(ge_input(value));
        if (field == "stream_id") node().stream = to_integer(value);
        return;
      case Inside::attribute:
        key_ = value;
        return;
      case Inside::list:
        if (key_ == "_datadump_original_op_names") node().fused.emplace_back(value);
        return;
      case Inside::description:
        dtype_ = value;
        return;
      case Inside::shape:
        add_dimension(shape_, value);
        return;
      case Inside::file:
      case Inside::value:
      case Inside::other:
        return;
    }
  }

 private:
  enum class Inside : uint8_t { file, graph, op, attribute, value, list, description, shape, other };

  static Inside inside(Inside now, std::string_view field) {
    switch (now) {
      case Inside::file:
        return field == "graph" ? Inside::graph : Inside::other;
      case Inside::graph:
        return field == "op" ? Inside::op : Inside::other;
      case Inside::op:
        if (field == "input_desc" || field == "output_desc") return Inside::description;
        return field == "attr" ? Inside::attribute : Inside::other;
      case Inside::attribute:
        return field == "value" ? Inside::value : Inside::other;
      case Inside::value:
        if (field == "g") return Inside::graph;
        return field == "list" ? Inside::list : Inside::other;
      case Inside::list:
        return field == "g" ? Inside::graph : Inside::other;
      case Inside::description:
        return field == "shape" ? Inside::shape : Inside::other;
      case Inside::shape:
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
      case Inside::op:
        if (field == "stream_id") return Holds::integer;
        return field == "name" || field == "type" || field == "input" ? Holds::text : Holds::unread;
      case Inside::attribute:
        return field == "key" ? Holds::text : Holds::unread;
      case Inside::list:
        return field == "s" ? Holds::text : Holds::unread;
      case Inside::description:
        return field == "dtype" ? Holds::word : Holds::unread;
      case Inside::shape:
        return field == "dim" ? Holds::integer : Holds::unread;
      case Inside::file:
      case Inside::value:
      case Inside::other:
        break;
    }
    return Holds::unread;
  }

  std::vector<Inside> inside_;
  std::string key_, dtype_, shape_;
  bool is_input_ = false;
};

}  // namespace

Result<void> read_ge_proto(const std::filesystem::path& file, const std::string& relative_path, IngestContext& context,
                           store::SegmentBuilder& out) {
  GeProto graphs;
  return read_ge_file(graphs, "ge_proto", file, relative_path, context, out);
}

}  // namespace stepwise::ingest
