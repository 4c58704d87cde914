#include "clients/example/recsys_catalog.h"

#include <algorithm>

namespace stepwise::example {

RecsysCatalog::RecsysCatalog(const Facts& facts) {
  const int64_t batch = facts.recsys.batch_size, wide = facts.recsys.dense_dim, narrow = facts.recsys.embedding_dim;
  const int64_t ids = batch * facts.recsys.tables, world = facts.world_size;
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
                                                        repeated(b_narrow, static_cast<size_t>(facts.recsys.tables)),
                                                        dims({batch, narrow * facts.recsys.tables}), vector_ns, 32)}));
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
  item = read_back();

  const int64_t gradient = wide * wide * std::max(facts.blocks / facts.buckets, 1);
  exchange_ids = {"c10d::alltoall_base_",
                  "HcclAlltoAllV",
                  "hcom_alltoallv_",
                  "alltoall",
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
                         "alltoall",
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
                      "allreduce",
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
