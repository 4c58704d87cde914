// The operators of a recommendation model's training. Sizes follow from the facts of a run.
#pragma once

#include "clients/example/facts.h"
#include "clients/example/operators.h"

namespace stepwise::example {

struct RecsysCatalog {
  explicit RecsysCatalog(const Facts& facts);
  RecsysCatalog(const RecsysCatalog&) = delete;
  RecsysCatalog& operator=(const RecsysCatalog&) = delete;

  // data preprocessing
  OpSpec copy_labels, copy_ids, unique_ids, sort_ids, log_dense, cast_dense;
  // embedding fetch and update
  OpSpec lookup, concat_embeddings, embedding_grad, embedding_update;
  // forward and backward: pairs of the same index
  OpSpec interaction, linear, relu, layer_norm, loss;
  OpSpec interaction_grad, linear_grad, relu_grad, layer_norm_grad, loss_grad;
  // dense update and the end of the step
  OpSpec foreach_mul, foreach_addcmul, foreach_sqrt, foreach_addcdiv, foreach_zero, item;

  CollectiveSpec exchange_ids, exchange_embeddings, reduce_gradients, exchange_gradients;
};

}  // namespace stepwise::example
