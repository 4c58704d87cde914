// What the two dumps of GE graphs have in common: graphs that lie in operators' attributes, what a type is for, how
// inputs are written, and how the file is read.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/ingest/graph/graph_proto_text.h"
#include "core/ingest/graph/graph_records.h"

namespace stepwise::ingest {

/// Graphs under construction. A node may hold whole graphs, so both are kept on a stack.
class GeGraphs : public ProtoTextListener {
 public:
  std::vector<ReadGraph> take();
  uint64_t nodes_left_out() const { return left_out_; }

  struct Odd {
    uint64_t count = 0;
    int64_t first_line = 0;
    std::string first;  // what it is
  };
  const Odd& incomplete_nodes() const { return incomplete_; }
  const Odd& wrong_types() const { return wrong_types_; }

 protected:
  static constexpr size_t kMaxTensors = 1 << 16;  // of one node

  /// What a field holds, as far as anything here reads it.
  enum class Holds : uint8_t { unread, text, integer, word, message };
  /// False: the value is of another type; it is counted.
  bool is_a(Holds wanted, std::string_view field, const ProtoScalar& value);
  /// A message stands where another value should.
  void lose_message(Holds wanted, std::string_view field, int64_t line) {
    if (wanted != Holds::unread && wanted != Holds::message) lose_value(field, line);
  }
  void lose_value(std::string_view field, int64_t line) { note(wrong_types_, line, std::string(field)); }

  struct Level {
    size_t graph;
    GraphNode node;
  };
  void open_graph();
  void close_graph() { levels_.pop_back(); }
  void open_node(int64_t line);
  void close_node();
  /// A node's field that is no message.
  void lose_node(int64_t line) { note(incomplete_, line, "a node that is no message, and was left out"); }
  ReadGraph& graph() { return graphs_[levels_.back().graph]; }
  GraphNode& node() { return levels_.back().node; }
  static void set_tensor(TensorTexts& tensors, size_t index, std::string text);

 private:
  static void note(Odd& odd, int64_t line, std::string what);

  Odd incomplete_, wrong_types_;
  std::vector<ReadGraph> graphs_;
  std::vector<Level> levels_;
  size_t node_count_ = 0;
  uint64_t left_out_ = 0;
};

/// What a type is for, as far as GE knows it; what it does not is an operator.
NodeRole ge_role(std::string_view type);
/// "conv_1:0", "barrier:-1" (control), "".
GraphInput ge_input(std::string_view text);
void add_dimension(std::string& shape, std::string_view dimension);

/// Reads the file into `graphs` and its nodes into the tables. Errors: cancelled.
Result<void> read_ge_file(GeGraphs& graphs, const char* format, const std::filesystem::path& file,
                          const std::string& relative_path, IngestContext& context, store::SegmentBuilder& out);

}  // namespace stepwise::ingest
