#include "clients/example/operators.h"

#include <algorithm>
#include <utility>

namespace stepwise::example {
namespace {

size_t tensor_count(const std::string& shapes) {
  return static_cast<size_t>(std::count(shapes.begin(), shapes.end(), ';')) + 1;
}

}  // namespace

const char* csv_core(Core core) {
  switch (core) {
    case Core::ai_core:
      return "AI_CORE";
    case Core::vector:
      return "AI_VECTOR_CORE";
    case Core::mix_aic:
      return "MIX_AIC";
    case Core::mix_aiv:
      return "MIX_AIV";
    case Core::ai_cpu:
      return "AI_CPU";
  }
  return "N/A";
}

const char* trace_task(Core core) { return core == Core::vector ? "AI_CORE" : csv_core(core); }

std::string dims(std::initializer_list<int64_t> sizes) {
  std::string text;
  for (int64_t size : sizes) text += (text.empty() ? "" : ",") + std::to_string(size);
  return text;
}

std::string tensors(const std::vector<std::string>& shapes) {
  std::string text;
  for (size_t i = 0; i < shapes.size(); ++i) text += (i ? ";" : "") + shapes[i];
  return text;
}

std::string repeated(std::string_view word, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text.append(i ? ";" : "").append(word);
  return text;
}

KernelSpec kernel(std::string name, std::string type, Core core, std::string in, std::string out, int64_t base_ns,
                  int block_dim, std::string_view dtype) {
  KernelSpec spec;
  spec.name = std::move(name);
  spec.type = std::move(type);
  spec.core = core;
  spec.input_types = repeated(dtype, tensor_count(in));
  spec.input_formats = repeated("FORMAT_ND", tensor_count(in));
  spec.output_types = repeated(dtype, tensor_count(out));
  spec.output_formats = repeated("FORMAT_ND", tensor_count(out));
  spec.input_shapes = {std::move(in)};
  spec.output_shapes = std::move(out);
  spec.base_ns = base_ns;
  spec.block_dim = block_dim;
  spec.hf32 = core == Core::ai_core;
  return spec;
}

Launch launch(std::string call, std::vector<KernelSpec> kernels, bool workspace) {
  Launch result;
  result.call = std::move(call);
  result.workspace = workspace;
  result.kernels = std::move(kernels);
  return result;
}

OpSpec simple(std::string name, std::string shapes, std::string types, Launch work) {
  OpSpec op;
  op.nodes = {{0, std::move(name), std::move(shapes), std::move(types), -1},
              {1, "empty_tensor", "", "", -1},
              {1, work.call, "", "", 0}};
  op.launches.push_back(std::move(work));
  return op;
}

OpSpec backward(const std::string& name, const std::string& shape, std::vector<CallNode> inner,
                std::vector<Launch> launches, std::string_view type) {
  OpSpec op;
  op.nodes = {{0, "autograd::engine::evaluate_function: " + name, "", "", -1}, {1, name, shape, std::string(type), -1}};
  for (CallNode& node : inner) {
    node.depth += 2;
    op.nodes.push_back(std::move(node));
  }
  op.launches = std::move(launches);
  op.autograd_node = 1;
  return op;
}

OpSpec host_to_device(const std::string& shape, const std::string& type, int64_t copy_ns, bool waits) {
  OpSpec op;
  op.nodes = {{0, "aten::to", shape + ";;;;;", type + ";Device;Scalar;Scalar;Scalar;None", -1},
              {1, "aten::_to_copy", shape + ";;;;;;", type + ";Scalar;None;Device;Scalar;Scalar;None", -1},
              {2, "aten::empty_strided", ";;;;;", "ScalarList;ScalarList;Scalar;None;Device;Scalar", -1},
              {3, "empty_tensor", "", "", -1},
              {2, "aten::copy_", shape + ";" + shape + ";", type + ";" + type + ";Scalar", -1},
              {3, "acl_memcpy_host_to_device", "", "", 0}};
  Launch copy;
  copy.call = "acl_memcpy_host_to_device";
  copy.copy = Copy::to_device;
  copy.copy_ns = copy_ns;
  op.launches.push_back(std::move(copy));
  op.waits_for_stream = waits;
  return op;
}

OpSpec foreach_op(std::string name, const std::string& call, const std::string& type, int64_t base_ns) {
  return simple(std::move(name), ";", "TensorList;Scalar",
                launch(call, {kernel(call + "_" + type + "_" + type, type, Core::vector, ";;;", ";;", base_ns, 48)}));
}

OpSpec read_back() {
  OpSpec op;
  op.nodes = {{0, "aten::item", "", "float", -1},
              {1, "aten::_local_scalar_dense", "", "float", -1},
              {2, "acl_memcpy_device_to_host", "", "", 0}};
  op.launches.resize(1);
  op.launches[0].call = "acl_memcpy_device_to_host";
  op.launches[0].copy = Copy::to_host;
  op.launches[0].copy_ns = 1'800;
  op.waits_for_stream = true;
  return op;
}

}  // namespace stepwise::example
