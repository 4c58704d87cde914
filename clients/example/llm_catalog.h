// The operators of a decoder-only transformer's training, one tensor-parallel rank's share. Sizes follow from the
// facts.
#pragma once

#include "clients/example/facts.h"
#include "clients/example/operators.h"

namespace stepwise::example {

struct LlmCatalog {
  explicit LlmCatalog(const Facts& facts);
  LlmCatalog(const LlmCatalog&) = delete;
  LlmCatalog& operator=(const LlmCatalog&) = delete;

  // the batch, the first and the last pipeline stage's own
  OpSpec copy_tokens, embedding, final_norm, logits, loss;
  // one layer: attention, then the feed-forward network; forward and backward are pairs
  OpSpec norm, query_key_value, rotary, attention, project, residual, widen, gate, narrow;
  OpSpec norm_grad, query_key_value_grad, rotary_grad, attention_grad, project_grad, widen_grad, gate_grad, narrow_grad;
  OpSpec embedding_grad, final_norm_grad, logits_grad, loss_grad;
  // the optimizer and the end of the step
  OpSpec gradient_norm, adam, foreach_zero, item;

  CollectiveSpec reduce_activations, send, receive, reduce_gradients;

 private:
  void build_layer(const Facts& facts);
  void build_ends(const Facts& facts);
  void build_optimizer(const Facts& facts);
  void build_collectives(const Facts& facts);
};

}  // namespace stepwise::example
