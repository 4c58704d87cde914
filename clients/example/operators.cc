#include "clients/example/operators.h"

#include <algorithm>
#include <utility>

namespace stepwise::example {
namespace {

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

size_t tensor_count(const std::string& shapes) {
  return static_cast<size_t>(std::count(shapes.begin(), shapes.end(), ';')) + 1;
}

KernelSpec kernel(std::string name, std::string type, Core core, std::string in, std::string out, int64_t base_ns,
                  int block_dim, std::string_view dtype = "FLOAT") {
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

Launch launch(std::string call, std::vector<KernelSpec> kernels, bool workspace = false) {
  Launch result;
  result.call = std::move(call);
  result.workspace = workspace;
  result.kernels = std::move(kernels);
  return result;
}

/// aten::name [empty_tensor, aclnnCall]: the commonest form.
OpSpec simple(std::string name, std::string shapes, std::string types, Launch work) {
  OpSpec op;
  op.nodes = {{0, std::move(name), std::move(shapes), std::move(types), -1},
              {1, "empty_tensor", "", "", -1},
              {1, work.call, "", "", 0}};
  op.launches.push_back(std::move(work));
  return op;
}

/// The autograd engine's wrapping of a backward operator.
OpSpec backward(const std::string& name, const std::string& shape, std::vector<CallNode> inner,
                std::vector<Launch> launches) {
  OpSpec op;
  op.nodes = {{0, "autograd::engine::evaluate_function: " + name, "", "", -1}, {1, name, shape, "float", -1}};
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

}  // namespace

const char* csv_core(Core core) {
  switch (core) {
    case Core::ai_core:
      return "AI_CORE";
    case Core::vector:
      return "AI_VECTOR_CORE";
    case Core::mix_aiv:
      return "MIX_AIV";
    case Core::ai_cpu:
      return "AI_CPU";
  }
  return "N/A";
}

const char* trace_task(Core core) { return core == Core::vector ? "AI_CORE" : csv_core(core); }

Catalog::Catalog(const Facts& facts) {
  const int64_t batch = facts.batch_size, wide = facts.dense_dim, narrow = facts.embedding_dim;
  const int64_t ids = batch * facts.tables, world = facts.world_size;
  const std::string b_wide = dims({batch, wide}), w_wide = dims({wide, wide}), b_narrow = dims({batch, narrow});
  const std::string row = dims({wide}), id_list = dims({ids}), table = dims({100'000, narrow});
  const int64_t elements = batch * wide;
  const int64_t vector_ns = 2'000 + elements / 40, cube_ns = 6'000 + elements * wide / 4'000;

  copy_labels = host_to_device(dims({batch, 1}), "float", 3'000 + batch * 4, false);
  copy_ids = host_to_device(id_list, "long int", 9'000 + ids * 40, true);
  unique_ids = simple(
      "aten::_unique2", id_list + ";;;", "long int;Scalar;Scalar;Scalar",
      launch("aclnnUnique2",
             {kernel("aclnnUnique2_UniqueWithCountsAndSorting_UniqueWithCountsAndSorting", "UniqueWithCountsAndSorting",
                     Core::ai_cpu, id_list, id_list + ";" + id_list + ";" + id_list, 80'000 + ids * 60, 1, "INT64")},
             true));
  sort_ids = simple("aten::sort", id_list + ";;", "long int;Scalar;Scalar",
                    launch("aclnnSort", {kernel("aclnnSort_SortAiCore_Sort", "Sort", Core::mix_aiv, id_list,
                                                id_list + ";" + id_list, 9'000 + ids * 2, 8, "INT64")}));
  log_dense =
      simple("aten::log1p", b_wide, "float",
             launch("aclnnLog1p",
                    {kernel("aclnnLog1p_Log1pAiCore_Log1p", "Log1p", Core::vector, b_wide, b_wide, vector_ns, 40)}));
  cast_dense = simple("aten::to", b_wide + ";;;;", "double;Scalar;Scalar;Scalar;None",
                      launch("aclnnCast", {kernel("aclnnCast_CastAiCore_Cast", "Cast", Core::vector, b_wide, b_wide,
                                                  vector_ns / 2 + 800, 40)}));

  lookup = simple("aten::index_select", table + ";;" + id_list, "float;Scalar;long int",
                  launch("aclnnIndexSelect",
                         {kernel("aclnnIndexSelect_GatherV2AiCore_GatherV2", "GatherV2", Core::vector,
                                 table + ";" + id_list + ";", dims({ids, narrow}), 6'000 + ids * narrow / 60, 48)}));
  if (facts.shapes_vary) {
    // The ids that remain after deduplication differ from batch to batch.
    std::vector<std::string>& shapes = lookup.launches[0].kernels[0].input_shapes;
    shapes.clear();
    for (int64_t share : {16, 13, 15}) shapes.push_back(table + ";" + dims({ids * share / 16}) + ";");
  }
  concat_embeddings = simple("aten::cat", ";", "TensorList;Scalar",
                             launch("aclnnCat", {kernel("aclnnCat_ConcatD_ConcatD", "ConcatD", Core::vector,
                                                        repeated(b_narrow, static_cast<size_t>(facts.tables)),
                                                        dims({batch, narrow * facts.tables}), vector_ns, 32)}));
  embedding_grad =
      simple("aten::embedding_dense_backward", b_narrow + ";" + id_list + ";;;", "float;long int;Scalar;Scalar;Scalar",
             launch("aclnnEmbeddingDenseBackward",
                    {kernel("aclnnEmbeddingDenseBackward_EmbeddingDenseGrad_EmbeddingDenseGrad", "EmbeddingDenseGrad",
                            Core::mix_aiv, b_narrow + ";" + id_list, table, 30'000 + ids * narrow / 20, 48)},
                    true));
  embedding_update = simple(
      "aten::index_add_", table + ";;" + id_list + ";" + b_narrow + ";", "float;Scalar;long int;float;Scalar",
      launch("aclnnIndexAdd", {kernel("aclnnIndexAdd_InplaceIndexAdd_InplaceIndexAdd", "InplaceIndexAdd", Core::vector,
                                      table + ";" + id_list, table, 12'000 + ids * narrow / 40, 48)}));

  interaction = simple(
      "aten::bmm", dims({batch, 8, narrow}) + ";" + dims({batch, narrow, 8}), "float;float",
      launch("aclnnBatchMatMul", {kernel("trans_TransData_0", "TransData", Core::vector, dims({batch, 8, narrow}),
                                         dims({batch, narrow / 16, 1, 16, 16}), vector_ns, 32),
                                  kernel("aclnnBatchMatMul_BatchMatMulV2_BatchMatMulV2", "BatchMatMulV2", Core::ai_core,
                                         tensors({dims({batch, 8, narrow}), dims({batch, narrow, 8})}),
                                         dims({batch, 8, 8}), cube_ns / 2, 20)}));
  interaction.autograd_node = 0;
  linear.nodes = {{0, "aten::linear", tensors({b_wide, w_wide, row}), "float;float;float", -1},
                  {1, "aten::t", w_wide, "float", -1},
                  {2, "aten::transpose", w_wide + ";;", "float;Scalar;Scalar", -1},
                  {3, "aten::as_strided", w_wide + ";;;", "float;ScalarList;ScalarList;Scalar", -1},
                  {1, "aten::addmm", tensors({row, b_wide, w_wide}) + ";;", "float;float;float;Scalar;Scalar", -1},
                  {2, "empty_tensor", "", "", -1},
                  {2, "aclnnAddmm", "", "", 0}};
  linear.launches = {launch("aclnnAddmm", {kernel("aclnnAddmm_MatMulV2_MatMulV2", "MatMulV2", Core::ai_core,
                                                  tensors({b_wide, w_wide, row}), b_wide, cube_ns, 20)})};
  linear.autograd_node = 4;
  relu = simple(
      "aten::relu", b_wide, "float",
      launch("aclnnRelu", {kernel("aclnnRelu_ReluAiCore_Relu", "Relu", Core::vector, b_wide, b_wide, vector_ns, 40)}));
  relu.autograd_node = 0;
  layer_norm = simple(
      "aten::native_layer_norm", tensors({b_wide, "", row, row, ""}), "float;ScalarList;float;float;Scalar",
      launch(
          "aclnnLayerNorm",
          {kernel("aclnnLayerNorm_LayerNormV3_LayerNormV3", "LayerNormV3", Core::mix_aiv, tensors({b_wide, row, row}),
                  tensors({b_wide, dims({batch, 1}), dims({batch, 1})}), vector_ns * 2, 40)},
          true));
  layer_norm.autograd_node = 0;
  loss = simple("aten::binary_cross_entropy_with_logits", tensors({dims({batch, 1}), dims({batch, 1}), "", "", ""}),
                "float;float;None;None;Scalar",
                launch("aclnnBinaryCrossEntropyWithLogits",
                       {kernel("aclnnBinaryCrossEntropyWithLogits_SigmoidCrossEntropyWithLogitsV2_"
                               "SigmoidCrossEntropyWithLogitsV2",
                               "SigmoidCrossEntropyWithLogitsV2", Core::vector,
                               tensors({dims({batch, 1}), dims({batch, 1})}), dims({batch, 1}), 4'000, 16),
                        kernel("aclnnBinaryCrossEntropyWithLogits_ReduceMean_ReduceMean", "ReduceMean", Core::mix_aiv,
                               dims({batch, 1}), "", 5'000, 16)}));
  loss.autograd_node = 0;

  interaction_grad =
      backward("BmmBackward0", dims({batch, 8, 8}),
               {{0, "aten::bmm", tensors({dims({batch, 8, narrow}), dims({batch, 8, 8})}), "float;float", -1},
                {1, "empty_tensor", "", "", -1},
                {1, "aclnnBatchMatMul", "", "", 0}},
               {interaction.launches[0]});
  linear_grad = backward("AddmmBackward0", b_wide,
                         {{0, "aten::mm", tensors({b_wide, w_wide}), "float;float", -1},
                          {1, "empty_tensor", "", "", -1},
                          {1, "aclnnMm", "", "", 0},
                          {0, "aten::mm", tensors({dims({wide, batch}), b_wide}), "float;float", -1},
                          {1, "empty_tensor", "", "", -1},
                          {1, "aclnnMm", "", "", 1},
                          {0, "aten::sum", b_wide + ";;;", "float;ScalarList;Scalar;None", -1},
                          {1, "aclnnReduceSum", "", "", 2}},
                         {launch("aclnnMm", {kernel("aclnnMm_MatMulV2_MatMulV2", "MatMulV2", Core::ai_core,
                                                    tensors({b_wide, w_wide}), b_wide, cube_ns, 20)}),
                          launch("aclnnMm", {kernel("aclnnMm_MatMulV2_MatMulV2", "MatMulV2", Core::ai_core,
                                                    tensors({dims({wide, batch}), b_wide}), w_wide, cube_ns, 20)}),
                          launch("aclnnReduceSum", {kernel("aclnnReduceSum_ReduceSumOpAiCore_ReduceSum", "ReduceSum",
                                                           Core::mix_aiv, b_wide, row, vector_ns, 40)})});
  relu_grad = backward(
      "ReluBackward0", b_wide,
      {{0, "aten::threshold_backward", b_wide + ";" + b_wide + ";", "float;float;Scalar", -1},
       {1, "empty_tensor", "", "", -1},
       {1, "aclnnThresholdBackward", "", "", 0}},
      {launch("aclnnThresholdBackward", {kernel("aclnnThresholdBackward_ReluGrad_ReluGrad", "ReluGrad", Core::vector,
                                                tensors({b_wide, b_wide}), b_wide, vector_ns, 40)})});
  layer_norm_grad = backward(
      "NativeLayerNormBackward0", b_wide,
      {{0, "aten::native_layer_norm_backward", tensors({b_wide, b_wide, "", row}), "float;float;ScalarList;float", -1},
       {1, "empty_tensor", "", "", -1},
       {1, "aclnnLayerNormBackward", "", "", 0}},
      {launch("aclnnLayerNormBackward",
              {kernel("aclnnLayerNormBackward_LayerNormGradV3_LayerNormGradV3", "LayerNormGradV3", Core::mix_aiv,
                      tensors({b_wide, b_wide, row}), tensors({b_wide, row, row}), vector_ns * 3, 40)},
              true)});
  loss_grad = backward("BinaryCrossEntropyWithLogitsBackward0", "",
                       {{0, "aclnnBinaryCrossEntropyWithLogitsBackward", "", "", 0}},
                       {launch("aclnnBinaryCrossEntropyWithLogitsBackward",
                               {kernel("aclnnBinaryCrossEntropyWithLogitsBackward_SigmoidCrossEntropyWithLogitsGradV2_"
                                       "SigmoidCrossEntropyWithLogitsGradV2",
                                       "SigmoidCrossEntropyWithLogitsGradV2", Core::vector,
                                       tensors({dims({batch, 1}), dims({batch, 1})}), dims({batch, 1}), 4'500, 16)})});

  const int64_t update_ns = 8'000 + facts.blocks * (wide * wide / 300);
  foreach_mul = foreach_op("aten::_foreach_mul_", "aclnnForeachMulScalarV2", "ForeachMulScalar", update_ns);
  foreach_addcmul =
      foreach_op("aten::_foreach_addcmul_", "aclnnForeachAddcmulScalarV2", "ForeachAddcmulScalar", update_ns * 2);
  foreach_sqrt = foreach_op("aten::_foreach_sqrt", "aclnnForeachSqrt", "ForeachSqrt", update_ns);
  foreach_addcdiv =
      foreach_op("aten::_foreach_addcdiv_", "aclnnForeachAddcdivScalarV2", "ForeachAddcdivScalar", update_ns * 2);
  foreach_zero = foreach_op("aten::_foreach_zero_", "aclnnForeachZeroInplace", "ForeachZeroInplace", update_ns / 2);
  item.nodes = {{0, "aten::item", "", "float", -1},
                {1, "aten::_local_scalar_dense", "", "float", -1},
                {2, "acl_memcpy_device_to_host", "", "", 0}};
  item.launches.resize(1);
  item.launches[0].call = "acl_memcpy_device_to_host";
  item.launches[0].copy = Copy::to_host;
  item.launches[0].copy_ns = 1'800;
  item.waits_for_stream = true;

  const int64_t gradient = wide * wide * std::max(facts.blocks / facts.buckets, 1);
  exchange_ids = {"c10d::alltoall_base_",
                  "HcclAlltoAllV",
                  "hcom_alltoallv_",
                  "PAIRWISE",
                  "INT64",
                  "Memcpy",
                  id_list + ";" + id_list + ";;;;",
                  "long int;long int;None;ScalarList;ScalarList;Scalar",
                  ids,
                  ids * 8 / world};
  exchange_embeddings = {"c10d::alltoall_base_",
                         "HcclAlltoAllV",
                         "hcom_alltoallv_",
                         "PAIRWISE",
                         "FP32",
                         "Memcpy",
                         dims({ids, narrow}) + ";" + dims({ids, narrow}) + ";;;;",
                         "float;float;None;ScalarList;ScalarList;Scalar",
                         ids * narrow,
                         ids * narrow * 4 / world};
  reduce_gradients = {"c10d::allreduce_",
                      "HcclAllreduce",
                      "hcom_allReduce_",
                      "MESH-RING",
                      "FP32",
                      "Reduce_Inline",
                      ";;;;",
                      "TensorList;None;None;None;Scalar",
                      gradient,
                      gradient * 4 / world};
  exchange_gradients = exchange_embeddings;
}

}  // namespace stepwise::example
