// ge_readable_*.txt: a graph of GE as fx prints graphs. No shapes, no control edges; the output is no node.
//   graph("g"):
//     %a : [#users=2] = Node[type=TopKV2] (inputs = (x=%b, k=%c), attrs = {sorted: true})
//     %ret : [#users=1] = get_element[node=%a](0)
//     return (output_0=%ret)
// Older versions do not name inputs: (inputs = (%b, %c)).
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/base/text.h"
#include "core/ingest/base/cut_json.h"
#include "core/ingest/base/read_file.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/graph/graph_ge.h"
#include "core/ingest/graph/graph_torch.h"

namespace stepwise::ingest {
namespace {

/// What stands in front of the first `end`, which is taken off, too; nullopt: there is none.
std::optional<std::string_view> take_until(std::string_view& text, std::string_view end) {
  const size_t at = text.find(end);
  if (at == text.npos) return std::nullopt;
  const std::string_view before = text.substr(0, at);
  text.remove_prefix(at + end.size());
  return before;
}

/// Of a list: the next one, or all that is left.
std::string_view take_item(std::string_view& text, std::string_view separator) {
  if (const auto item = take_until(text, separator)) return *item;
  return std::exchange(text, {});
}

bool take_start(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  return true;
}

class GeReadable {
 public:
  GeReadable(const std::string& file, IngestContext& context) : file_(file), context_(context) {}

  /// False: cancelled.
  bool run(std::string_view text, bool is_whole) {
    while (!text.empty()) {
      if (context_.cancel.is_set()) return false;
      ++line_;
      const std::string_view line = trim(take_item(text, "\n"));
      if (!line.empty() && !take(line)) {
        context_.diagnostics.count(Diag::graph_line_unread, file_, line_, 1, "First: " + shorten(line, 80));
      }
    }
    if (is_whole && is_open_) context_.diagnostics.count(Diag::file_cut, file_, line_);
    context_.diagnostics.count(Diag::graph_too_large, file_, std::nullopt, left_out_);
    return true;
  }
  const std::vector<ReadGraph>& graphs() const { return graphs_; }

 private:
  /// False: it is not understood, or not to its end.
  bool take(std::string_view line) {
    if (take_start(line, "graph(\"")) return open_graph(line);
    if (graphs_.empty()) return false;
    if (take_start(line, "return")) {
      is_open_ = false;
      return line.ends_with(')');
    }
    if (!take_start(line, "%")) return false;
    const auto name = take_until(line, " : [");
    if (!name || name->empty() || !take_until(line, "] = ")) return false;
    if (take_start(line, "get_element[node=%")) return add_element(*name, line);
    if (!take_start(line, "Node[type=")) return false;
    const auto type = take_until(line, "]");
    return type && !type->empty() && add_node(*name, *type, trim(line));
  }

  bool open_graph(std::string_view rest) {
    const auto name = take_until(rest, "\"):");
    if (!name) return false;
    graphs_.emplace_back().name = *name;
    elements_.clear();
    is_open_ = true;
    return true;
  }

  /// `a](0)`: another name of one output.
  bool add_element(std::string_view name, std::string_view rest) {
    const auto producer = take_until(rest, "](");
    const auto index = take_until(rest, ")");
    const auto output = index ? to_integer(*index) : std::nullopt;
    if (!producer || !output || *output < 0) return false;
    elements_[std::string(name)] = {std::string(*producer), *output};
    return true;
  }

  bool add_node(std::string_view name, std::string_view type, std::string_view rest) {
    if (node_count_++ >= kMaxGraphNodes) {
      ++left_out_;
      return true;
    }
    GraphNode node;
    node.name = name;
    node.op_type = node.raw_op_type = type;
    node.role = ge_role(type);
    node.line = line_;
    bool is_whole = rest.empty() || rest.ends_with(')');
    if (take_start(rest, "(inputs = (")) {
      const auto inputs = take_until(rest, ")");
      is_whole = is_whole && inputs && !rest.empty();
      add_inputs(inputs.value_or(""), node);
    }
    graphs_.back().nodes.push_back(std::move(node));
    return is_whole;
  }

  void add_inputs(std::string_view inputs, GraphNode& node) {
    while (!inputs.empty()) {
      std::string_view input = trim(take_item(inputs, ","));
      input.remove_prefix(std::min(input.find('%'), input.size()));
      if (!take_start(input, "%")) continue;
      const auto element = elements_.find(std::string(input));
      node.inputs.push_back(element == elements_.end() ? GraphInput{std::string(input), 0} : element->second);
    }
  }

  const std::string& file_;
  IngestContext& context_;
  std::vector<ReadGraph> graphs_;
  std::unordered_map<std::string, GraphInput> elements_;  // of the graph under construction
  int64_t line_ = 0;
  size_t node_count_ = 0;
  uint64_t left_out_ = 0;
  bool is_open_ = false;  // the last graph has not returned
};

}  // namespace

Result<void> read_ge_readable(const std::filesystem::path& file, const std::string& relative_path,
                              IngestContext& context, store::SegmentBuilder& out) {
  std::string text;
  SW_ASSIGN_OR_RETURN(const ReadEnd end, read_whole_file(file, relative_path, context, kMaxCodeBytes, text));
  if (text.empty()) return {};
  make_valid_utf8(text, relative_path, context.diagnostics);
  GeReadable reader(relative_path, context);
  if (!reader.run(text, end == ReadEnd::whole)) {  // a damaged .gz was counted already, and is the reason
    return Error{ErrorKind::cancelled, "ingest.cancelled", "Reading was cancelled.", "", relative_path};
  }
  append_graphs(reader.graphs(), "ge_readable", relative_path, context, out);
  return {};
}

}  // namespace stepwise::ingest
