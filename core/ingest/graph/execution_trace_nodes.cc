#include "core/ingest/graph/execution_trace_nodes.h"

#include <simdjson.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/base/text.h"
#include "core/ingest/base/line_counter.h"
#include "core/ingest/base/read_file.h"
#include "core/ingest/base/splitter.h"
#include "core/ingest/graph/graph_python.h"
#include "core/ingest/graph/graph_torch.h"

namespace stepwise::ingest {
namespace {

namespace dom = simdjson::dom;

constexpr WantedList kNodes{"nodes", "`nodes` is no list.", "It has no list of nodes."};
constexpr size_t kMaxTensors = 4096;  // on one side of a call
constexpr size_t kMaxTensorsInAll = 20'000'000;
constexpr size_t kMaxParents = 64;  // of one call; PyTorch writes one
constexpr int kMaxListDepth = 4;    // lists of tensors within lists

/// A node's fields, wherever its format has them.
class Fields {
 public:
  explicit Fields(const dom::object& node) : node_(node) {}

  /// False: absent.
  bool find(std::string_view key, dom::element& out) const { return node_.at_key(key).get(out) == simdjson::SUCCESS; }

  /// An own field, else the attribute of that name.
  bool attribute(std::string_view name, dom::element& out) const {
    if (find(name, out)) return true;
    dom::array attributes;
    if (node_.at_key("attrs").get(attributes) != simdjson::SUCCESS) return false;
    for (const dom::element one : attributes) {
      std::string_view found;
      if (one.at_key("name").get(found) == simdjson::SUCCESS && found == name) {
        return one.at_key("value").get(out) == simdjson::SUCCESS;
      }
    }
    return false;
  }

 private:
  const dom::object& node_;
};

/// "GenericList[Tensor(float),Int]" -> what stands between the brackets; "": no list.
std::string_view inside_list(std::string_view type) {
  const size_t open = type.find('[');
  if (open == type.npos || !type.ends_with(']')) return "";
  return type.substr(open + 1, type.size() - open - 2);
}

/// Takes the next type off a list of them.
std::string_view next_type(std::string_view& types) {
  int depth = 0;
  size_t end = 0;
  for (; end < types.size() && (types[end] != ',' || depth > 0); ++end) {
    if (types[end] == '(' || types[end] == '[') ++depth;
    if (types[end] == ')' || types[end] == ']') --depth;
  }
  const std::string_view type = types.substr(0, end);
  types.remove_prefix(std::min(end + 1, types.size()));
  return type;
}

class NodeReader {
 public:
  NodeReader(const std::string& file, IngestContext& context) : file_(file), context_(context) {}

  void take(std::string_view json, int64_t line) {
    if (found_.nodes.size() >= kMaxGraphNodes) {
      ++found_.left_out;
      return;
    }
    std::string sound;
    if (!is_valid_utf8(json)) {
      context_.diagnostics.count(Diag::text_not_utf8, file_, line);
      sound = to_valid_utf8(json);
      json = sound;
    }
    line_ = line;
    dom::element root;
    dom::object node;
    // The bytes behind a window's may be read; those behind a string's may not.
    const bool is_copied = !sound.empty();
    if (parser_.parse(json.data(), json.size(), is_copied).get(root) != simdjson::SUCCESS ||
        root.get(node) != simdjson::SUCCESS || !take_node(Fields(node))) {
      context_.diagnostics.count(Diag::graph_node_unread, file_, line_);
    }
  }
  /// What the splitter says of events it says of nodes here.
  void lose(const Loss& loss, int64_t line) {
    const bool is_node = loss.diag == Diag::event_bad || loss.diag == Diag::event_too_long;
    context_.diagnostics.count(is_node ? Diag::graph_node_unread : loss.diag, file_, line, 1,
                               is_node ? "" : loss.detail);
  }

  TracedNodes finish(const TopLevelObject& top_level) {
    found_.process = process_of(top_level);
    return std::move(found_);
  }

 private:
  void count_type(const char* what) {
    context_.diagnostics.count(Diag::graph_field_type, file_, line_, 1, std::string("First: ") + what + ".");
  }

  /// nullopt: absent, or (which is counted) no integer.
  std::optional<int64_t> integer(bool is_there, const dom::element& value, const char* what) {
    int64_t number = 0;
    if (!is_there || value.is_null()) return std::nullopt;
    if (value.get(number) == simdjson::SUCCESS) return number;
    count_type(what);
    return std::nullopt;
  }

  /// What stands beside the nodes; an own field of the trace only.
  static std::optional<int64_t> process_of(const TopLevelObject& top_level) {
    for (const auto& [key, text] : top_level.values()) {
      if (key == "pid") return to_integer(text);
    }
    return std::nullopt;
  }

  /// False: it has no id or name.
  bool take_node(const Fields& fields) {
    dom::element value;
    std::string_view name;
    TracedCall call;
    const auto id = integer(fields.find("id", value), value, "an id is no integer");
    if (!id || !fields.find("name", value) || value.get(name) != simdjson::SUCCESS || name.empty()) return false;
    call.id = *id;
    for (const char* key : {"parent", "ctrl_deps"}) {
      if (fields.find(key, value)) take_parents(value, call.parents);
    }
    call.thread = integer(fields.attribute("tid", value), value, "a thread is no integer");
    take_tensors(fields, "inputs", "input_shapes", "input_types", call.inputs, call.has_arguments);
    take_tensors(fields, "outputs", "output_shapes", "output_types", call.outputs, call.has_arguments);

    GraphNode node;
    node.name = name.substr(0, kMaxGraphTextBytes);
    if (node.name.size() < name.size()) {
      context_.diagnostics.count(Diag::graph_node_incomplete, file_, line_, 1, "First: a name that is too long.");
    }
    node.op_type = node.name;
    node.line = line_;
    // "aten::add_" is called aten.add_ in all other graphs of PyTorch.
    const size_t colons = name.find("::");
    if (colons != name.npos && is_identifier(name.substr(0, colons)) && is_identifier(name.substr(colons + 2))) {
      node.op_type.replace(colons, 2, ".");
    }
    node.raw_op_type = text(fields, "op_schema");
    node.raw_op_type.resize(std::min(node.raw_op_type.find('('), node.raw_op_type.size()));
    if (node.raw_op_type.empty()) node.raw_op_type = node.name;
    if (text(fields, "kernel_backend") == "triton") node.op_type = kernel_type(node.name);
    node.external_id = integer(fields.attribute("rf_id", value), value, "an rf_id is no integer");
    if (node.external_id == 0) node.external_id.reset();  // of the trace's own frames, which are no calls
    for (const TensorUse& one : call.inputs) {
      node.input_shapes.push_back(one.shape);
      node.input_dtypes.push_back(one.dtype);
    }
    for (const TensorUse& one : call.outputs) {
      node.output_shapes.push_back(one.shape);
      node.output_dtypes.push_back(one.dtype);
    }
    found_.nodes.push_back(std::move(node));
    found_.calls.push_back(std::move(call));
    return true;
  }

  std::string text(const Fields& fields, const char* key) {
    dom::element value;
    std::string_view text;
    if (!fields.attribute(key, value)) return "";
    if (value.get(text) != simdjson::SUCCESS) count_type("an attribute is no text");
    return std::string(text.substr(0, kMaxGraphTextBytes));
  }

  /// One id, or a list of them.
  void take_parents(const dom::element& value, std::vector<int64_t>& parents) {
    dom::array list;
    if (value.get(list) != simdjson::SUCCESS) {
      if (const auto parent = integer(true, value, "a parent is no integer")) parents.push_back(*parent);
      return;
    }
    for (const dom::element one : list) {
      if (parents.size() >= kMaxParents) return count_type("a call has more parents than any real one");
      if (const auto parent = integer(true, one, "a parent is no integer")) parents.push_back(*parent);
    }
  }

  /// Three lists of one length, beside one another or in an object.
  void take_tensors(const Fields& fields, const char* key, const char* shapes_key, const char* types_key,
                    std::vector<TensorUse>& out, bool& has_any) {
    dom::element side, shapes_value, types_value;
    if (!fields.find(key, side)) return;
    dom::object object;
    dom::array values, shapes, types;
    bool is_whole = true;
    if (side.get(object) == simdjson::SUCCESS) {
      is_whole = object.at_key("values").get(values) == simdjson::SUCCESS &&
                 object.at_key("shapes").get(shapes) == simdjson::SUCCESS &&
                 object.at_key("types").get(types) == simdjson::SUCCESS;
    } else {
      is_whole = side.get(values) == simdjson::SUCCESS && fields.find(shapes_key, shapes_value) &&
                 shapes_value.get(shapes) == simdjson::SUCCESS && fields.find(types_key, types_value) &&
                 types_value.get(types) == simdjson::SUCCESS;
    }
    if (!is_whole || values.size() != shapes.size() || values.size() != types.size()) {
      return count_type("what goes in or out is not told by lists of values, shapes and types of one length");
    }
    has_any = has_any || values.size() > 0;
    auto shape = shapes.begin();
    auto type = types.begin();
    for (const dom::element value : values) {
      std::string_view name;
      if ((*type).get(name) != simdjson::SUCCESS) {
        count_type("a value's type is no text");
      } else {
        take_value(value, *shape, name, 0, out);
      }
      ++shape;
      ++type;
    }
  }

  /// [id, storage, offset, elements, bytes of one, device] of the type "Tensor(float)"; lists hold several.
  void take_value(const dom::element& value, const dom::element& shape, std::string_view type, int depth,
                  std::vector<TensorUse>& out) {
    constexpr std::string_view kTensor = "Tensor(";
    if (type.starts_with(kTensor) && type.ends_with(')')) {
      TensorUse tensor;
      tensor.dtype = type.substr(kTensor.size(), type.size() - kTensor.size() - 1);
      if (tensor.dtype.starts_with("nullptr")) return;  // an argument that may be left out, and was
      if (out.size() >= kMaxTensors || tensor_count_++ >= kMaxTensorsInAll) {
        return count_type("there are more tensors than any real call, or trace, has");
      }
      if (!take_tensor(value, shape, tensor)) return count_type("a tensor has no id, or no list of sizes");
      out.push_back(std::move(tensor));
      return;
    }
    std::string_view types = inside_list(type);
    if (types.find(kTensor) == types.npos) return;
    dom::array values, shapes;
    if (depth >= kMaxListDepth || value.get(values) != simdjson::SUCCESS || shape.get(shapes) != simdjson::SUCCESS ||
        values.size() != shapes.size()) {
      return count_type("a list of tensors is no list, or has another length than their shapes");
    }
    auto its_shape = shapes.begin();
    std::string_view its_type;
    for (const dom::element one : values) {
      if (!types.empty()) its_type = next_type(types);  // else one type for all
      take_value(one, *its_shape, its_type, depth + 1, out);
      ++its_shape;
    }
  }

  static bool take_tensor(const dom::element& value, const dom::element& shape, TensorUse& tensor) {
    dom::array parts, sizes;
    if (value.get(parts) != simdjson::SUCCESS || parts.at(0).get(tensor.id) != simdjson::SUCCESS) return false;
    if (shape.get(sizes) != simdjson::SUCCESS) return false;
    for (const dom::element size : sizes) {
      int64_t number = 0;
      if (size.get(number) != simdjson::SUCCESS || tensor.shape.size() >= kMaxGraphTextBytes) return false;
      tensor.shape += (tensor.shape.empty() ? "" : ",") + std::to_string(number);
    }
    return true;
  }

  const std::string& file_;
  IngestContext& context_;
  dom::parser parser_;
  TracedNodes found_;
  int64_t line_ = 0;
  size_t tensor_count_ = 0;
};

}  // namespace

Result<std::optional<TracedNodes>> read_traced_nodes(const std::filesystem::path& file,
                                                     const std::string& relative_path, IngestContext& context) {
  EventSplitter splitter(context.options.window_bytes, limits::kMaxTraceEventBytes, kNodes);
  NodeReader reader(relative_path, context);
  LineCounter lines;
  TraceWindow window;
  const auto take_windows = [&] {
    while (splitter.window_ready()) {
      window = splitter.take(std::move(window));
      size_t told = 0;
      const auto tell_losses = [&](uint64_t before) {
        for (; told < window.losses.size() && window.losses[told].offset < before; ++told) {
          reader.lose(window.losses[told], lines.line_of(window.losses[told].offset));
        }
      };
      for (size_t i = 0; i < window.events.size(); ++i) {
        const uint64_t begin = window.file_offset + window.events[i].begin;
        tell_losses(begin);
        reader.take(window.event(i), lines.line_of(begin));
      }
      tell_losses(UINT64_MAX);
    }
  };
  const ByteSink sink{
      [&] { return splitter.room(); },
      [&](size_t count) {
        lines.pass({splitter.room().data(), count});
        splitter.commit(count);
        take_windows();
        return !splitter.gave_up();
      },
  };
  SW_ASSIGN_OR_RETURN(const ReadEnd end, read_file(file, relative_path, context, sink));
  if (end == ReadEnd::nothing) return std::optional<TracedNodes>();
  splitter.finish();
  take_windows();
  return std::optional(reader.finish(splitter.top_level()));
}

}  // namespace stepwise::ingest
