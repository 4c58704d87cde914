// fx graphs and inductor's code, by hand.
#include "core/ingest/graph/graph_torch.h"
#include "core/ingest/graph/graph_test_rows.h"
#include "tests/catch.h"

namespace stepwise::ingest {

TEST_CASE("torch names: overloads, numbers and hashes go") {
  CHECK(torch_op_type("torch.ops.aten.add.Tensor") == "aten.add");
  CHECK(torch_op_type("torch.ops.higher_order.flex_attention") == "higher_order.flex_attention");
  CHECK(torch_op_type("aten.randint.low_out") == "aten.randint");
  CHECK(torch_op_type("inductor_ops.x.default") == "inductor.x");
  CHECK(torch_op_type("torch.nn.functional.relu").empty());
  CHECK(torch_op_type("torch.ops.x").empty());
  CHECK(kernel_type("triton_poi_fused_add_3") == "triton_poi_fused_add");
  CHECK(kernel_type("autofused_mul_da488cd9dfe43526f023de214ab2ff6a") == "autofused_mul");
  CHECK(kernel_type("plain") == "plain");
  CHECK(kernel_type("_7") == "_7");
}

TEST_CASE("fx: typed values, aliases, sources, a graph inside") {
  Tables tables = read_text(read_fx_graph, R"py(class <lambda>(torch.nn.Module):
    def forward(
        self,
        a: "f16[8, 4][4, 1]cuda:0",  # PlainAOTInput(idx=0)
        s: "Sym(s0)",
    ):
         # File: /m/my model.py:43 in forward, code: h = self.lin1(x)
        mm: "f16[8, 8][8, 1]cuda:0" = torch.ops.aten.mm.default(a, a);  a = None
         # File: /m/b.py:7, code: v = var(h)
        var_mean = torch.ops.aten.var_mean.correction(mm, [1], correction = 0, mm = True)
        getitem: "f32[8, 1][1, 1]cuda:0" = var_mean[0]
        getitem_1: "f32[][]cuda:0" = var_mean[1];  var_mean = None
        # No stacktrace found for following nodes
        sub: "f32[8, 8][8, 1]cuda:0" = torch.ops.aten.sub.Tensor(mm, getitem_1, w = [getitem])
        twice = s * 2
        torch.ops.aten._assert_async.msg(sub, 'bad (mm)')
        return (sub,)

    class inner(torch.nn.Module):
        def forward(self, x: "i32[][]cuda:0"):
            ge: "b8[][]cuda:0" = torch.ops.aten.ge.Tensor(x, x)
            return ge
)py");
  CHECK(node_rows(tables, {"graph", "name", "op_type", "raw_op_type", "role", "line"}) ==
        Lines{"file:<lambda>|mm|aten.mm|torch.ops.aten.mm.default|operator|8",
              "file:<lambda>|var_mean|aten.var_mean|torch.ops.aten.var_mean.correction|operator|10",
              "file:<lambda>|sub|aten.sub|torch.ops.aten.sub.Tensor|operator|14",
              "file:<lambda>|aten._assert_async_at_16|aten._assert_async|torch.ops.aten._assert_async.msg|operator|16",
              "file:inner|ge|aten.ge|torch.ops.aten.ge.Tensor|operator|21"});
  CHECK(node_rows(tables, {"input_shapes", "input_dtypes", "output_shapes", "output_dtypes"}) ==
        Lines{"8,4;8,4|f16;f16|8,8|f16", "8,8|f16|8,1;|f32;f32", "8,8;;8,1|f16;f32;f32|8,8|f32", "8,8|f32|null|null",
              ";|i32;i32||b8"});
  CHECK(node_rows(tables, {"source_file", "source_line", "code"}) == Lines{"/m/my model.py|43|h = self.lin1(x)",
                                                                           "/m/b.py|7|v = var(h)", "null|null|null",
                                                                           "null|null|null", "null|null|null"});
  CHECK(edge_rows(tables) == Lines{"0:0>1:0 data", "0:0>2:0 data", "1:1>2:1 data", "1:0>2:2 data", "2:0>3:0 data"});
  CHECK(tables.losses().empty());
}

TEST_CASE("fx: a runnable file gives its arguments' shapes; other functions are no graphs") {
  Tables tables = read_text(read_fx_graph, R"py(import torch
class Repro(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.score = <lambda>()

    def forward(self, arg0_1, arg1_1):
        score = self.score
        add = torch.ops.aten.add.Tensor(arg0_1, arg1_1);  arg0_1 = arg1_1 = None
        relu = torch.ops.aten.relu.default(add);  add = None
        return (relu,)

def load_args(reader):
    buf0 = reader.storage(None, 64)
    reader.tensor(buf0, (8, 2), dtype=torch.int32, is_leaf=True)  # arg0_1
    reader.tensor(buf0, (), is_leaf=True)  # arg1_1
mod = Repro()
)py");
  CHECK(node_rows(tables, {"graph", "name", "input_shapes", "input_dtypes", "output_shapes"}) ==
        Lines{"file|add|8,2;|i32;f32|null", "file|relu|null|null|null"});
  CHECK(edge_rows(tables) == Lines{"0:0>1:0 data"});
  CHECK(tables.losses().empty());
}

TEST_CASE("fx: code before export, where methods and operators are calls too") {
  Tables tables = read_text(read_fx_graph, R"py(class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[4]cpu", n: "Sym(s0)"):
        l_x_ = L_x_
        torch._C._set_grad_enabled(False)
        y: "f32[4]cpu" = l_x_ + 1
        z: "f32[2, 2]cpu" = y.view(2, n)
        w: "f32[4]cpu" = torch._C._nn.gelu(z)
        first: "f32[]cpu" = w[(0, n)]
        odd: "f32[]cpu" = yes
        return (first,)
)py");
  CHECK(node_rows(tables, {"op_type", "role"}) == Lines{"torch._C._set_grad_enabled|control", "operator.add|operator",
                                                        "Tensor.view|operator", "torch._C._nn.gelu|operator",
                                                        "operator.getitem|operator"});
  CHECK(edge_rows(tables) == Lines{"1:0>2:0 data", "2:0>3:0 data", "3:0>4:0 data"});
  CHECK(tables.losses() == Lines{"graph.line_unread 1 @9"});
}

TEST_CASE("fx: cut, and without a graph") {
  Tables cut =
      read_text(read_fx_graph, "def forward(self, a):\n  b = torch.ops.aten.abs.default(a)\n  c = torch.ops.at");
  CHECK(node_rows(cut, {"name"}) == Lines{"b"});
  CHECK(cut.losses() == Lines{"file.cut 1 @3"});
  Tables in_bracket = read_text(read_fx_graph, "def forward(self, a):\n  b = torch.ops.aten.abs.default(a)\n  c = f(b");
  CHECK(node_rows(in_bracket, {"name"}) == Lines{"b"});
  CHECK(in_bracket.losses() == Lines{"graph.syntax 1 @3"});
  Tables unbalanced = read_text(read_fx_graph,
                                "def forward(self, a):\n  b = torch.ops.aten.abs.default(a)\n  c = f((b)\n  d = g(c)\n"
                                "  return (d,)\n");
  CHECK(node_rows(unbalanced, {"name"}) == Lines{"b"});
  CHECK(unbalanced.losses() == Lines{"graph.syntax 1 @3"});
  CHECK(unbalanced.row(table::diagnostic::kTable, 0, {"text"}).find("everything after it was not read") !=
        std::string::npos);
  CHECK(read_text(read_fx_graph, "print(1)\n").losses() == Lines{"graph.none 1"});
}

TEST_CASE("inductor: the calls in order, what kernels were fused from, partitions in their places") {
  Tables tables = read_text(read_inductor_code, R"py(
# Topologically Sorted Source Nodes: [relu], Original ATen: [aten.addmm, aten.relu]
# Source node to ATen node mapping:
triton_poi_fused_relu_0 = async_compile.triton('triton_poi_fused_relu_0', '''
def call(fake):
    extern_kernels.mm(a)
''', device_str='cuda')
# Topologically Sorted Source Nodes: [], Original ATen: []
triton_tem_fused_1 = async_compile.triton('x', ''' ''')
async_compile.wait(globals())
@dvm.kernel(ktype='vector', dyn_shape=True)
def dvm_fused_add_2_build(k):
    a = k.load(1)
def partition_0(args):
    # Topologically Sorted Source Nodes: [h], Original ATen: [aten.t, aten.mm]
    extern_kernels.mm(a, reinterpret_tensor(b, (1, 2), (1, 1), 0), out=buf0)
    return (buf0, )
class Runner:
    def __init__(self, partitions):
        self.partitions = partitions

    def call(self, args):
        arg0_1, = args
        args.clear()
        assert_size_stride(arg0_1, (1, ), (1, ))
        with torch.cuda._DeviceGuard(0):
            torch.cuda.set_device(0)
            buf9 = empty_strided_cuda((8, ), (1, ), torch.float16)
            (buf0, ) = self.partitions[0](partition0_args)
            buf4 = buf0; del buf0  # reuse
            stream0 = get_raw_stream(0)
            triton_poi_fused_relu_0.run(buf4, 8, stream=stream0)
            # Topologically Sorted Source Nodes: [x], Original ATen: [aten.sigmoid]
            triton_tem_fused_1.run(buf4, stream=stream0)
            dvm_fused_add_2.run(buf4)
            dvm_graph_fused_0(arg0_1)
            catlass_fused_silu_0.catlass_fused_silu_0(c_void_p(buf4.data_ptr()))
            main_event.record(main_stream)
            aten.randint.low_out(0, 1, [1], out=buf1)
            buf3 = torch.ops._c10d_functional.all_reduce_.default(buf4, 'sum', '0')
            mystery(buf3)
            del buf3
        return (buf4, )
runner = Runner(partitions=[])
)py");
  CHECK(node_rows(tables, {"name", "op_type", "raw_op_type", "fused", "line"}) ==
        Lines{"buf0|aten.mm|extern_kernels.mm|null|16",
              "triton_poi_fused_relu_0|triton_poi_fused_relu|triton_poi_fused_relu_0|aten.addmm;aten.relu|32",
              "triton_tem_fused_1|triton_tem_fused|triton_tem_fused_1|aten.sigmoid|34",
              "dvm_fused_add_2|dvm_fused_add|dvm_fused_add_2|null|35",
              "dvm_graph_fused_0|dvm_graph_fused|dvm_graph_fused_0|null|36",
              "catlass_fused_silu_0|catlass_fused_silu|catlass_fused_silu_0|null|37",
              "buf1|aten.randint|aten.randint.low_out|null|39",
              "buf3|_c10d_functional.all_reduce_|torch.ops._c10d_functional.all_reduce_.default|null|40"});
  CHECK(tables.row(table::graph_node::kTable, 1, {"graph", "format", "role", "code"}) ==
        "file|inductor|operator|triton_poi_fused_relu_0.run(buf4, 8, stream=stream0)");
  CHECK(tables.rows(table::graph_edge::kTable) == 0);
  CHECK(tables.has(table::graph_edge::kTable));
  CHECK(tables.losses() == Lines{"graph.line_unread 1 @41"});
}

TEST_CASE("inductor: source comments of kernels and calls, grids as keywords, streams, combo kernels") {
  Tables tables = read_text(read_inductor_code, R"py(
# kernel path: /tmp/a.py
# Topologically Sorted Source Nodes: [h], Original ATen: [aten.add]
#  File: /m/my model.py:43 in forward, code: h = x + 1
# SchedulerNodes: [SchedulerNode(name='op0')]
triton_poi_fused_add_0 = async_compile.triton('triton_poi_fused_add_0', '''x''', device_str='npu')
# Topologically Sorted Source Nodes: [], Original ATen: []
triton_for_fused_1 = async_compile.triton('triton_for_fused_1', '''x''')
mlir_fused_mul_2 = async_compile.mlir_auto_fallback('mlir_fused_mul_2', '''module { func.func }''', kernel_meta={'a': [1]})
def call(args):
    with torch.npu.utils.device(0):
        triton_poi_fused_add_0.run(buf0, 8, grid=grid(8), stream=stream0)
        with torch_npu.npu.stream(stream_group_cube):
            # Topologically Sorted Source Nodes: [y], Original ATen: [aten.mul, aten.neg]
            # File: b.py:7, code: y = f(h)
            triton_for_fused_1.run(buf0, grid=SequentialComboKernelGrid(1, 2), stream=stream_group_cube.npu_stream)
            # File: c.py:9, code: z = y @ w
            extern_kernels.mm(buf0, arg0_1, out=buf1)
        mlir_fused_mul_2.run(buf1, stream=stream0)
    return (buf1, )
)py");
  CHECK(node_rows(tables, {"name", "fused", "source_file", "source_line", "code"}) ==
        Lines{"triton_poi_fused_add_0|aten.add|/m/my model.py|43|h = x + 1",
              "triton_for_fused_1|aten.mul;aten.neg|b.py|7|y = f(h)", "buf1|null|c.py|9|z = y @ w",
              "mlir_fused_mul_2|null|null|null|mlir_fused_mul_2.run(buf1, stream=stream0)"});
  CHECK(tables.losses().empty());
}

TEST_CASE("inductor: cut, and without a call") {
  Tables cut = read_text(read_inductor_code, "def call(args):\n    triton_poi_fused_a_0.run(b)\n    trit");
  CHECK(node_rows(cut, {"name"}) == Lines{"triton_poi_fused_a_0"});
  CHECK(cut.losses() == Lines{"file.cut 1 @3"});
  Tables unclosed =
      read_text(read_inductor_code, "def call(args):\n    k_0.run(b)\n    k_1.run('c)\n    return (b,)\n");
  CHECK(node_rows(unclosed, {"name"}) == Lines{"k_0"});
  CHECK(unclosed.losses() == Lines{"graph.syntax 1 @3"});
  CHECK(read_text(read_inductor_code, "import torch\n").losses() == Lines{"graph.none 1"});
}

}  // namespace stepwise::ingest
