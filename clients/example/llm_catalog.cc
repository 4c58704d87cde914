#include "clients/example/llm_catalog.h"

#include <algorithm>
#include <utility>

#include "clients/example/program.h"

namespace stepwise::example {
namespace {

constexpr std::string_view kHostType = "c10::BFloat16", kType = "DT_BF16";

/// A rank's share of the model's sizes.
struct Share {
  explicit Share(const Facts& facts)
      : sequence(facts.llm.sequence),
        hidden(facts.llm.hidden),
        heads(facts.llm.heads / facts.llm.tensor),
        wide(hidden * 8 / 3 / 128 * 128 / facts.llm.tensor),
        vocabulary(facts.llm.vocabulary / facts.llm.tensor),
        tokens(dims({sequence, 1, hidden})),
        elements(sequence * hidden) {}

  int64_t inner() const { return heads * 128; }
  /// A layer's parameters.
  int64_t parameters() const { return hidden * inner() * 4 + hidden * wide * 3 + hidden * 2; }

  int64_t sequence, hidden, heads, wide, vocabulary;
  std::string tokens;
  int64_t elements;
};

int64_t matmul_ns(int64_t m, int64_t n, int64_t k) { return 5'000 + m * n * k / 100'000; }  // 200 TFLOPS
int64_t vector_ns(int64_t elements) { return 2'000 + elements / 300; }

std::string host_types(size_t count) { return repeated(kHostType, count); }

Launch one(const std::string& call, const std::string& type, Core core, const std::string& in, const std::string& out,
           int64_t ns, int block_dim) {
  return launch(call, {kernel(call + "_" + type + "_" + type, type, core, in, out, ns, block_dim, kType)});
}

OpSpec differentiable(std::string name, std::string shapes, std::string types, Launch work) {
  OpSpec op = simple(std::move(name), std::move(shapes), std::move(types), std::move(work));
  op.autograd_node = 0;
  return op;
}

OpSpec linear(int64_t rows, int64_t in, int64_t out) {
  const std::string x = dims({rows, in}), w = dims({out, in});
  OpSpec op;
  op.nodes = {
      {0, "LinearWithGradAccumulationAndAsyncCommunication", tensors({x, w, ""}), host_types(2) + ";Scalar", -1},
      {1, "aten::matmul", tensors({x, dims({in, out})}), host_types(2), -1},
      {2, "aten::mm", tensors({x, dims({in, out})}), host_types(2), -1},
      {3, "empty_tensor", "", "", -1},
      {3, "aclnnMatmul", "", "", 0}};
  op.launches = {
      one("aclnnMatmul", "MatMulV3", Core::ai_core, tensors({x, w}), dims({rows, out}), matmul_ns(rows, in, out), 24)};
  op.autograd_node = 0;
  return op;
}

/// Of the input, then of the weight, added to what earlier micro batches gave.
OpSpec linear_grad(int64_t rows, int64_t in, int64_t out) {
  const std::string dy = dims({rows, out}), w = dims({out, in}), x = dims({rows, in});
  return backward(
      "LinearWithGradAccumulationAndAsyncCommunicationBackward", dy,
      {{0, "aten::mm", tensors({dy, w}), host_types(2), -1},
       {1, "empty_tensor", "", "", -1},
       {1, "aclnnMatmul", "", "", 0},
       {0, "aten::mm", tensors({dims({out, rows}), x}), host_types(2), -1},
       {1, "empty_tensor", "", "", -1},
       {1, "aclnnMatmul", "", "", 1},
       {0, "aten::add_", tensors({w, w, ""}), host_types(2) + ";Scalar", -1},
       {1, "aclnnInplaceAdd", "", "", 2}},
      {one("aclnnMatmul", "MatMulV3", Core::ai_core, tensors({dy, w}), x, matmul_ns(rows, in, out), 24),
       one("aclnnMatmul", "MatMulV3", Core::ai_core, tensors({dims({out, rows}), x}), w, matmul_ns(rows, in, out), 24),
       one("aclnnInplaceAdd", "Add", Core::vector, tensors({w, w}), w, vector_ns(in * out), 48)},
      kHostType);
}

/// A backward operator with one framework call and one kernel.
OpSpec gradient(const std::string& node, const std::string& call, const std::string& shape, Launch work) {
  return backward(
      node, shape,
      {{0, call, shape, std::string(kHostType), -1}, {1, "empty_tensor", "", "", -1}, {1, work.call, "", "", 0}},
      {std::move(work)}, kHostType);
}

CollectiveSpec collective(std::string outer, std::string inner, std::string type, std::string kind, std::string task,
                          int64_t elements, int ranks) {
  CollectiveSpec spec;
  spec.outer = std::move(outer);
  spec.inner = std::move(inner);
  spec.type = std::move(type);
  spec.kind = std::move(kind);
  spec.algorithm = "MESH-RING";
  spec.data_type = "BFP16";
  spec.task = std::move(task);
  spec.dims = ";;;;";
  spec.types = "TensorList;None;None;None;Scalar";
  spec.elements = elements;
  spec.bytes_per_link = elements * 2 / ranks;
  return spec;
}

}  // namespace

LlmCatalog::LlmCatalog(const Facts& facts) {
  build_layer(facts);
  build_ends(facts);
  build_optimizer(facts);
  build_collectives(facts);
}

void LlmCatalog::build_layer(const Facts& facts) {
  const Share size(facts);
  const std::string& tokens = size.tokens;
  const std::string weight = dims({size.hidden});
  const std::string query = dims({size.sequence, 1, size.heads, 128}), flat = dims({size.sequence, 1, size.inner()});
  const std::string angle = dims({size.sequence, 1, 1, 128});
  const int64_t element_ns = vector_ns(size.elements), query_ns = vector_ns(size.sequence * size.inner());
  const int64_t attention_ns = 12'000 + size.sequence * size.sequence * size.inner() / 60'000;
  const std::string wide2 = dims({size.sequence, 1, size.wide * 2}), wide1 = dims({size.sequence, 1, size.wide});

  norm = differentiable("npu::npu_rms_norm", tensors({tokens, weight, ""}), host_types(2) + ";Scalar",
                        one("aclnnRmsNorm", "RmsNorm", Core::vector, tensors({tokens, weight}),
                            tensors({tokens, dims({size.sequence, 1, 1})}), element_ns * 2, 48));
  query_key_value = linear(size.sequence, size.hidden, size.inner() * 3);
  rotary = differentiable("npu::npu_rotary_mul", tensors({query, angle, angle}), host_types(3),
                          one("aclnnRotaryPositionEmbedding", "RotaryPositionEmbedding", Core::vector,
                              tensors({query, angle, angle}), query, query_ns * 2, 48));
  attention = differentiable(
      "npu::npu_fusion_attention", tensors({flat, flat, flat, "", ""}), host_types(3) + ";Scalar;Scalar",
      launch("aclnnFlashAttentionScore",
             {kernel("aclnnFlashAttentionScore_FlashAttentionScore_FlashAttentionScore", "FlashAttentionScore",
                     Core::mix_aic, tensors({flat, flat, flat}), flat, attention_ns, 24, kType)},
             true));
  project = linear(size.sequence, size.inner(), size.hidden);
  residual = differentiable("aten::add", tensors({tokens, tokens, ""}), host_types(2) + ";Scalar",
                            one("aclnnAdd", "Add", Core::vector, tensors({tokens, tokens}), tokens, element_ns, 48));
  widen = linear(size.sequence, size.hidden, size.wide * 2);
  gate = differentiable(
      "npu::npu_swiglu", tensors({wide2, ""}), host_types(1) + ";Scalar",
      one("aclnnSwiGlu", "SwiGlu", Core::vector, wide2, wide1, vector_ns(size.sequence * size.wide), 48));
  narrow = linear(size.sequence, size.wide, size.hidden);

  norm_grad = gradient("NpuRmsNormBackward0", "npu::npu_rms_norm_backward", tokens,
                       one("aclnnRmsNormGrad", "RmsNormGrad", Core::mix_aiv, tensors({tokens, tokens, weight}),
                           tensors({tokens, weight}), element_ns * 3, 48));
  query_key_value_grad = linear_grad(size.sequence, size.hidden, size.inner() * 3);
  rotary_grad = gradient("NpuRotaryMulBackward0", "npu::npu_rotary_mul_backward", query,
                         one("aclnnRotaryPositionEmbeddingGrad", "RotaryPositionEmbeddingGrad", Core::vector,
                             tensors({query, angle, angle}), query, query_ns * 3, 48));
  attention_grad =
      gradient("NpuFusionAttentionBackward0", "npu::npu_fusion_attention_grad", flat,
               one("aclnnFlashAttentionScoreGrad", "FlashAttentionScoreGrad", Core::mix_aic,
                   tensors({flat, flat, flat, flat}), tensors({flat, flat, flat}), attention_ns * 5 / 2, 24));
  project_grad = linear_grad(size.sequence, size.inner(), size.hidden);
  widen_grad = linear_grad(size.sequence, size.hidden, size.wide * 2);
  gate_grad = gradient("NpuSwigluBackward0", "npu::npu_swiglu_backward", wide1,
                       one("aclnnSwiGluGrad", "SwiGluGrad", Core::vector, tensors({wide1, wide2}), wide2,
                           vector_ns(size.sequence * size.wide) * 2, 48));
  narrow_grad = linear_grad(size.sequence, size.wide, size.hidden);
}

void LlmCatalog::build_ends(const Facts& facts) {
  const Share size(facts);
  const std::string ids = dims({1, size.sequence}), table = dims({size.vocabulary, size.hidden});
  const std::string scores = dims({size.sequence, 1, size.vocabulary});
  const int64_t scores_ns = vector_ns(size.sequence * size.vocabulary);

  copy_tokens = host_to_device(ids, "long int", 4'000 + size.sequence * 4, false);
  embedding = differentiable("aten::embedding", tensors({table, ids, "", "", ""}),
                             std::string(kHostType) + ";long int;Scalar;Scalar;Scalar",
                             one("aclnnEmbedding", "GatherV2", Core::vector, tensors({table, ids, ""}), size.tokens,
                                 vector_ns(size.elements), 48));
  embedding_grad = gradient("EmbeddingBackward0", "aten::embedding_dense_backward", size.tokens,
                            one("aclnnEmbeddingDenseBackward", "EmbeddingDenseGrad", Core::mix_aiv,
                                tensors({size.tokens, ids}), table, vector_ns(size.elements) * 4, 48));
  // Backward of an embedding is its update's first half, wherever it is called (docs/metrics.md).
  embedding_grad.stage = static_cast<int>(Stage::update_embedding);
  final_norm = norm;
  final_norm_grad = norm_grad;
  logits = linear(size.sequence, size.hidden, size.vocabulary);
  logits_grad = linear_grad(size.sequence, size.hidden, size.vocabulary);
  loss.nodes = {
      {0, "_VocabParallelCrossEntropy", tensors({scores, ids, ""}), std::string(kHostType) + ";long int;Scalar", -1},
      {1, "aten::exp", scores, std::string(kHostType), -1},
      {2, "aclnnExp", "", "", 0},
      {1, "aten::sum", tensors({scores, "", "", ""}), host_types(1) + ";ScalarList;Scalar;None", -1},
      {2, "aclnnReduceSum", "", "", 1}};
  loss.launches = {one("aclnnExp", "Exp", Core::vector, scores, scores, scores_ns, 48),
                   one("aclnnReduceSum", "ReduceSum", Core::mix_aiv, scores, ids, scores_ns, 48)};
  loss.autograd_node = 0;
  loss_grad = gradient("_VocabParallelCrossEntropyBackward", "aten::mul", scores,
                       one("aclnnMul", "Mul", Core::vector, tensors({scores, ids}), scores, scores_ns, 48));
}

void LlmCatalog::build_optimizer(const Facts& facts) {
  const Share size(facts);
  const std::string flat = dims({size.parameters()});
  const int64_t layer_ns = vector_ns(size.parameters());
  gradient_norm = simple("aten::linalg_vector_norm", flat + ";;;;", "float;Scalar;None;Scalar;None",
                         launch("aclnnLinalgVectorNorm", {kernel("aclnnLinalgVectorNorm_LpNormV2_LpNormV2", "LpNormV2",
                                                                 Core::mix_aiv, flat, "", layer_ns, 48)}));
  adam = simple("npu::_npu_fused_adamw_", flat + ";" + flat + ";" + flat, "float;float;float",
                launch("aclnnApplyAdamWV2",
                       {kernel("aclnnApplyAdamWV2_ApplyAdamWV2_ApplyAdamWV2", "ApplyAdamWV2", Core::vector,
                               tensors({flat, flat, flat, flat}), tensors({flat, flat, flat}), layer_ns * 4, 48)}));
  foreach_zero = foreach_op("aten::_foreach_zero_", "aclnnForeachZeroInplace", "ForeachZeroInplace",
                            2'000 + layer_ns * facts.blocks / 2);
  item = read_back();
}

void LlmCatalog::build_collectives(const Facts& facts) {
  const Share size(facts);
  const int64_t bucket = size.parameters() * std::max(facts.blocks / facts.buckets, 1);
  reduce_activations = collective("c10d::allreduce_", "HcclAllreduce", "hcom_allReduce_", "allreduce", "Reduce_Inline",
                                  size.elements, facts.llm.tensor);
  reduce_gradients = collective("c10d::allreduce_", "HcclAllreduce", "hcom_allReduce_", "allreduce", "Reduce_Inline",
                                bucket, facts.llm.data);
  send = collective("c10d::send", "HcclSend", "hcom_send_", "send", "Memcpy", size.elements, 1);
  send.point_to_point = true;
  send.dims = ";;";
  send.types = "TensorList;Scalar;Scalar";
  receive = send;
  receive.outer = "c10d::recv_";
  receive.inner = "HcclRecv";
  receive.type = "hcom_receive_";
  receive.kind = "receive";
  receive.receives = true;
}

}  // namespace stepwise::example
