// GE dumps of both kinds, by hand.
#include "core/ingest/graph/graph_proto_text.h"
#include "core/ingest/graph/graph_test_rows.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

constexpr const char* kProto = R"(graph {
  name: "g"
  op {
    name: "add"
    type: "Add"
    input: "conv:1"
    input: ""
    input: "w:0"
    input: "barrier:-1"
    attr {
      key: "_datadump_original_op_names"
      value { list { s: "a" s: "b" val_type: VT_LIST_STRING } }
    }
    attr { key: "other" value { list { s: "c" } } }
    stream_id: 2
    input_desc { dtype: DT_FLOAT shape { dim: 1 dim: -1 } attr { key: "origin_shape" value { list { i: 9 } } } }
    input_desc { shape { } }
    output_desc { dtype: DT_FLOAT16 shape { dim: 8 } unknown { dim: 3 } }
  }
  op { name: "conv" type: "Conv2D" input: "data:0" input: "nowhere:0" }
  op { name: "data" type: "Data" }
  op { name: "w" type: "Const" }
  op { name: "barrier" type: "NoOp" }
  op { name: "out" type: "NetOutput" input: "add:0" }
}
attr { key: "target_type" value { s: "MINI" } }
)";

}  // namespace

TEST_CASE("ge_proto: nodes with what the file says of them, edges that may point ahead") {
  Tables tables = read_text(read_ge_proto, kProto);
  CHECK(node_rows(tables, {"graph", "format", "name", "op_type", "raw_op_type", "role", "line"}) ==
        Lines{"file|ge_proto|add|Add|Add|operator|3", "file|ge_proto|conv|Conv2D|Conv2D|operator|20",
              "file|ge_proto|data|Data|Data|input|21", "file|ge_proto|w|Const|Const|constant|22",
              "file|ge_proto|barrier|NoOp|NoOp|control|23", "file|ge_proto|out|NetOutput|NetOutput|output|24"});
  CHECK(tables.row(table::graph_node::kTable, 0,
                   {"input_shapes", "input_dtypes", "output_shapes", "output_dtypes", "fused", "stream"}) ==
        "1,-1;|DT_FLOAT;|8|DT_FLOAT16|a;b|2");
  CHECK(tables.row(table::graph_node::kTable, 1, {"input_shapes", "output_dtypes", "fused", "stream"}) ==
        "null|null|null|0");
  CHECK(edge_rows(tables) ==
        Lines{"1:1>0:0 data", "3:0>0:2 data", "4:null>0:null control", "2:0>1:0 data", "0:0>5:0 data"});
  CHECK(tables.losses() == Lines{"graph.input_unknown 1 @20"});
}

TEST_CASE("ge_proto: without any stream in the file no node has one") {
  Tables tables =
      read_text(read_ge_proto, R"(graph { op { name: "a" type: "Add" } op { name: "a" type: "Mul" input: "a:0" } })");
  CHECK(node_rows(tables, {"name", "stream"}) == Lines{"a|null", "a|null"});
  CHECK(edge_rows(tables) == Lines{"0:0>1:0 data"});  // names the first `a`
  CHECK(tables.losses() == Lines{"graph.duplicate_node 1 @1"});
  Tables unassigned = read_text(read_ge_proto, R"(graph { op { name: "a" type: "Add" stream_id: -1 } })");
  CHECK(node_rows(unassigned, {"stream"}) == Lines{"null"});
}

TEST_CASE("ge_proto: several graphs in a file, also inside an operator's attribute") {
  Tables tables = read_text(read_ge_proto, R"(name: "model"
graph {
  name: "main"
  op {
    name: "if" type: "If"
    attr { key: "then" value { g { name: "sub" op { name: "x" type: "Relu" } op { name: "if" type: "Abs" input: "x:0" } } } }
    input: "d:0"
  }
  op { name: "d" type: "Data" }
}
graph { name: "sub" op { name: "y" type: "Neg" } }
graph { name: "empty" }
)");
  CHECK(node_rows(tables, {"graph", "name", "op_type"}) ==
        Lines{"file:main|if|If", "file:main|d|Data", "file:sub|x|Relu", "file:sub|if|Abs", "file:sub#2|y|Neg"});
  CHECK(edge_rows(tables) == Lines{"1:0>0:0 data", "2:0>3:0 data"});
}

TEST_CASE("ge_proto: cut, broken, empty, without a graph") {
  const std::string text = kProto;
  Tables cut = read_text(read_ge_proto, text.substr(0, text.find("data\" type")));
  CHECK(node_rows(cut, {"name"}) == Lines{"add", "conv"});
  CHECK(cut.losses() == Lines{"file.cut 1 @21", "graph.input_unknown 4 @3"});

  Tables broken = read_text(read_ge_proto, "graph {\n op { name: \"a\" type: \"A\" }\n op } }");
  CHECK(node_rows(broken, {"name"}) == Lines{"a"});
  CHECK(broken.losses() == Lines{"graph.syntax 1 @3"});

  Tables none = read_text(read_ge_proto, "a: 1");
  CHECK(none.losses() == Lines{"graph.none 1"});
  CHECK_FALSE(none.has(table::graph_node::kTable));
  CHECK(read_text(read_ge_proto, "").losses() == Lines{"file.empty 1"});
  CHECK(read_text(read_ge_proto, "graph { op { name: \"\xff\" type: \"A\" } }").losses() ==
        Lines{"text.not_utf8 1 @1"});
}

TEST_CASE("ge_onnx: attributes of both encodings, control edges, subgraphs, zeros that are not written") {
  Tables tables = read_text(read_ge_onnx, R"(ir_version: 6
graph {
  node {
    input: "data:0"
    input: ""
    input: "barrier:-1"
    output: "mm:0"
    name: "mm"
    op_type: "ge:MatMulV2"
    attribute { name: "_datadump_original_op_names" strings: "p" strings: "q" type: STRINGS }
    attribute { name: "input_desc_dtype:0" s: "DT_FLOAT16" type: STRING }
    attribute { name: "input_desc_nums" i: 2 type: INT }
    attribute { name: "input_desc_shape:0" ints: 128 ints: 64 type: INTS }
    attribute { name: "input_desc_shape:1" type: INTS }
    attribute { name: "output_desc_0" s: "{\"dtype\":\"DT_INT8\",\"shape\":[4,5],\"size\":20}" type: STRING }
    attribute { name: "output_desc_1" s: "no json" type: STRING }
    attribute { name: "output_desc_attr_x:0" s: "z" }
    attribute { name: "output_desc_shape:99999999999" ints: 1 }
    attribute { name: "stream_id" type: INT }
  }
  node { name: "data" op_type: "ge:Data" attribute { name: "stream_id" i: 3 type: INT } }
  node { name: "barrier" op_type: "ge:NoOp" }
  node {
    name: "sub_holder"
    op_type: "subgraph"
    attribute { name: "body" g { node { name: "in" op_type: "ge:Relu" attribute { name: "stream_id" i: 1 } } name: "body" } type: GRAPH }
  }
  name: "top"
})");
  CHECK(node_rows(tables, {"graph", "name", "op_type", "raw_op_type", "role", "stream"}) ==
        Lines{"file:top|mm|MatMulV2|ge:MatMulV2|operator|0", "file:top|data|Data|ge:Data|input|3",
              "file:top|barrier|NoOp|ge:NoOp|control|0", "file:top|sub_holder|subgraph|subgraph|control|0",
              "file:body|in|Relu|ge:Relu|operator|1"});
  CHECK(tables.row(table::graph_node::kTable, 0,
                   {"input_shapes", "input_dtypes", "output_shapes", "output_dtypes", "fused"}) ==
        "128,64;|DT_FLOAT16;|4,5;|DT_INT8;|p;q");
  CHECK(edge_rows(tables) == Lines{"1:0>0:0 data", "2:null>0:null control"});
  CHECK(tables.losses() == Lines{"graph.field_type 1 @16"});  // "no json"
}

TEST_CASE("ge: a value of another type counts as absent, and is told") {
  for (const char* field :
       {"name: 5", "type: WORD", "type { }", "input: 7", "input { }", "stream_id: \"1\"", "stream_id: 1.5",
        "stream_id { }", "input_desc: 3", "input_desc { dtype: \"DT_FLOAT\" }", "output_desc { shape: 4 }",
        "input_desc { shape { dim: \"1\" } }", "input_desc { shape { dim: 99999999999999999999 } }", "attr: 1",
        "attr { key: 5 }", "attr { key: \"k\" value: 1 }", "attr { value { list { s: 9 } } }"}) {
    INFO(field);
    Tables tables = read_text(read_ge_proto, std::string("graph {\n op { name: \"a\" type: \"A\"\n ") + field + " } }");
    CHECK(node_rows(tables, {"name", "op_type"}) == Lines{"a|A"});
    CHECK(tables.losses() == Lines{"graph.field_type 1 @3"});
    CHECK(tables.row(table::diagnostic::kTable, 0, {"text"}).find("First: ") != std::string::npos);
  }
  for (const char* field :
       {"name: 5", "op_type: WORD", "op_type { }", "input: 7", "attribute: 5", "attribute { name: 5 }",
        "attribute { i: \"1\" }", "attribute { ints: x }", "attribute { s: 1 }", "attribute { strings { } }",
        "attribute { name: \"input_desc_0\" s: \"[]\" }",
        "attribute { name: \"input_desc_0\" s: \"{\\\"shape\\\": [1.5]}\" }",
        "attribute { name: \"output_desc_3\" s: \"{\\\"dtype\\\": 1}\" }"}) {
    INFO(field);
    Tables tables =
        read_text(read_ge_onnx, std::string("graph {\n node { name: \"a\" op_type: \"ge:A\"\n ") + field + " } }");
    CHECK(node_rows(tables, {"name", "op_type"}) == Lines{"a|A"});
    CHECK(tables.losses() == Lines{"graph.field_type 1 @3"});
  }
  // Where it is all there was of a name, the node lacks one, too.
  CHECK(read_text(read_ge_proto, "graph { op { name: 5 type: \"A\" } }").losses() ==
        Lines{"graph.node_incomplete 1 @1", "graph.field_type 1 @1"});
  CHECK(read_text(read_ge_proto, "graph: 5").losses() == Lines{"graph.none 1", "graph.field_type 1 @1"});
}

TEST_CASE("ge_readable: nodes, elements of several outputs, a graph within, roles") {
  constexpr const char* kText = R"(graph("main"):
  %input : [#users=1] = Node[type=Data] (attrs = {index: 1})
  %scope/If_0 : [#users=2] = Node[type=If] (inputs = (cond=%input, input_0=%input), attrs = {then_branch: %then_branch, s: "a)b"})
  %ret : [users=1] = get_element[node=%scope/If_0](0)
  %ret_1 : [#users=1] = get_element[node=%scope/If_0](1)
  %mul : [#users=1] = Node[type=Mul] (inputs = (%ret_1, %ret))
  %lone : [#users=0] = Node[type=NoOp]

  return (output_0=%mul, output_1=%ret)

graph("then_branch"):
  %input : [#users=1] = Node[type=Data] (attrs = {index: 0})
  %relu : [#users=1] = Node[type=Relu] (inputs = (x=%input, y=%gone))

  return (%relu)
)";
  Tables tables = read_text(read_ge_readable, kText);
  CHECK(node_rows(tables, {"graph", "format", "name", "op_type", "role", "line"}) ==
        Lines{"file:main|ge_readable|input|Data|input|2", "file:main|ge_readable|scope/If_0|If|operator|3",
              "file:main|ge_readable|mul|Mul|operator|6", "file:main|ge_readable|lone|NoOp|control|7",
              "file:then_branch|ge_readable|input|Data|input|12",
              "file:then_branch|ge_readable|relu|Relu|operator|13"});
  CHECK(edge_rows(tables) == Lines{"0:0>1:0 data", "0:0>1:1 data", "1:1>2:0 data", "1:0>2:1 data", "4:0>5:0 data"});
  CHECK(tables.losses() == Lines{"graph.input_unknown 1 @13"});
  std::string other = kText;
  for (size_t at = 0; (at = other.find('\n', at)) != std::string::npos; at += 2) other.insert(at, "\r");
  CHECK(read_text(read_ge_readable, "\xEF\xBB\xBF" + other).dump() == tables.dump());
}

TEST_CASE("ge_readable: lines that are no nodes are told") {
  for (const char* line :
       {"%a", "%a : [#users=1] = Node[type=", "%a : [#users=1] = Node[type=] (x)", "%a : [#users=1]", "a = 5",
        "% : [#users=1] = Node[type=A]", "%r : [#users=1] = get_element[node=%a](x)",
        "%r : [#users=1] = get_element[node=%a](-1)", "%r : [#users=1] = get_element[node=%a]", "graph(\"g"}) {
    INFO(line);
    Tables tables = read_text(
        read_ge_readable, std::string("graph(\"g\"):\n%n : [#users=1] = Node[type=N]\n") + line + "\nreturn (%n)\n");
    CHECK(node_rows(tables, {"name"}) == Lines{"n"});
    CHECK(tables.losses() == Lines{"graph.line_unread 1 @3"});
  }
  CHECK(read_text(read_ge_readable, "%a : [#users=1] = Node[type=A]\n").losses() ==
        Lines{"graph.none 1", "graph.line_unread 1 @1"});
  CHECK(read_text(read_ge_readable, "graph(\"g\"):\n  return ()\n").losses() == Lines{"graph.none 1"});
}

TEST_CASE("ge: nodes that lack a name or type, or have one that is cut, are kept and counted") {
  const std::string long_name(ProtoTextParser::kMaxValueBytes + 9, 'x');
  Tables proto = read_text(read_ge_proto,
                           "graph {\n op { name: \"a\" type: \"A\" }\n op { type: \"B\" }\n op { }\n"
                           " op { name { s: \"c\" } type: \"C\" }\n op { name: \"d\" }\n op: 5\n"
                           " op { name: \"" +
                               long_name + "\" type: \"E\" } }");
  CHECK(proto.rows(table::graph_node::kTable) == 6);
  CHECK(proto.losses() == Lines{"graph.node_incomplete 6 @3", "graph.field_type 1 @5"});
  CHECK(proto.row(table::diagnostic::kTable, 0, {"text"}).ends_with("First: a node without a name that is a text."));
  Tables onnx = read_text(read_ge_onnx,
                          "graph {\n node { name: \"a\" op_type: \"ge:A\" }\n node: \"b\" "
                          " node { name: \"c\" op_type: \"ge:\" } }");
  CHECK(node_rows(onnx, {"name"}) == Lines{"a", "c"});
  CHECK(onnx.losses() == Lines{"graph.node_incomplete 2 @3"});
  // A node within a node ends first, and stands behind its beginning.
  Tables nested = read_text(read_ge_proto,
                            "graph {\n op { name: \"a\"\n attr { key: \"g\" value { g { op { name: \"i\" } } } } } }");
  CHECK(nested.losses() == Lines{"graph.node_incomplete 2 @2"});
}

TEST_CASE("graphs of several files stand one after another, with their own edges") {
  const TemporaryFolder folder;
  Tables tables;
  for (const char* name : {"a", "b"}) {
    read_into(tables, read_ge_proto,
              folder.write(name, R"(graph { op { name: "x" type: "A" } op { name: "y" type: "B" input: "x:0" } })"), 1);
  }
  CHECK(node_rows(tables, {"graph", "name"}) == Lines{"a|x", "a|y", "b|x", "b|y"});
  CHECK(edge_rows(tables) == Lines{"0:0>1:0 data", "2:0>3:0 data"});
}

}  // namespace stepwise::ingest
