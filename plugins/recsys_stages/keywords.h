// What names say of stages: the one table, and the words that look like keywords but are none. Texts are written as
// names are compared: lower case, letters and digits only (`zero_grad`, `ZeroGrad` and `zero grad` are all `zerograd`).
#pragma once

#include <string_view>

#include "stage.h"

namespace stepwise::recsys_stages {

/// Where in a name's words a keyword must begin and end.
enum class Edge : uint8_t {
  start,  // begins a word: `lookup` in `LookupFunction`
  whole,  // begins and ends one: `data` in `load_data`, not in `dataset`
  end,    // ends one: `grad` in `layernormgrad`, not in `upgrade`
  any,
};

/// How a keyword counts against the others of the same name.
enum class Weight : uint8_t {
  plain,      // the longest decides
  embedding,  // as plain; together with a gradient word it means update_embedding
  gradient,   // makes the name backward, whatever else it contains
  decides,    // wins against all others
  mask,       // only hides shorter keywords inside it
};

struct Keyword {
  std::string_view text;
  Stage stage;
  Edge edge;
  Weight weight;
};

inline constexpr Keyword kKeywords[] = {
    {"preprocess", Stage::preprocess, Edge::start, Weight::plain},
    {"featuretransform", Stage::preprocess, Edge::start, Weight::plain},
    {"dataloader", Stage::preprocess, Edge::start, Weight::plain},
    {"collate", Stage::preprocess, Edge::start, Weight::plain},
    {"inputcopy", Stage::preprocess, Edge::start, Weight::plain},
    {"copybatch", Stage::preprocess, Edge::start, Weight::plain},
    {"loadbatch", Stage::preprocess, Edge::start, Weight::plain},
    {"nextbatch", Stage::preprocess, Edge::start, Weight::plain},
    {"getbatch", Stage::preprocess, Edge::start, Weight::plain},
    {"waitforbatch", Stage::preprocess, Edge::start, Weight::plain},
    {"hosttodevice", Stage::preprocess, Edge::start, Weight::plain},
    {"h2d", Stage::preprocess, Edge::whole, Weight::plain},
    {"data", Stage::preprocess, Edge::whole, Weight::plain},

    {"embedding", Stage::embedding_fetch, Edge::start, Weight::embedding},
    {"emb", Stage::embedding_fetch, Edge::whole, Weight::embedding},
    {"all2all", Stage::embedding_fetch, Edge::start, Weight::embedding},
    {"alltoall", Stage::embedding_fetch, Edge::start, Weight::embedding},
    {"lookup", Stage::embedding_fetch, Edge::start, Weight::embedding},
    {"lookupfunction", Stage::embedding_fetch, Edge::start, Weight::embedding},
    {"sparsedatadist", Stage::embedding_fetch, Edge::start, Weight::embedding},
    {"sdd", Stage::embedding_fetch, Edge::whole, Weight::plain},  // TorchRec's short form of it
    {"sparsefeatures", Stage::embedding_fetch, Edge::start, Weight::plain},
    {"inputdist", Stage::embedding_fetch, Edge::start, Weight::plain},
    {"kjt", Stage::embedding_fetch, Edge::start, Weight::plain},  // TorchRec's keyed jagged tensors: sparse ids
    {"hash", Stage::embedding_fetch, Edge::start, Weight::plain},
    {"find", Stage::embedding_fetch, Edge::whole, Weight::plain},
    {"prepare", Stage::embedding_fetch, Edge::start, Weight::plain},
    {"relocate", Stage::embedding_fetch, Edge::start, Weight::plain},

    {"forward", Stage::forward, Edge::start, Weight::plain},
    {"fwd", Stage::forward, Edge::whole, Weight::plain},
    {"matmul", Stage::forward, Edge::start, Weight::plain},
    {"addmm", Stage::forward, Edge::whole, Weight::plain},
    {"bmm", Stage::forward, Edge::whole, Weight::plain},
    {"linear", Stage::forward, Edge::whole, Weight::plain},
    {"mlp", Stage::forward, Edge::whole, Weight::plain},
    {"conv", Stage::forward, Edge::whole, Weight::plain},
    {"convolution", Stage::forward, Edge::start, Weight::plain},
    {"pool", Stage::forward, Edge::whole, Weight::plain},
    {"attention", Stage::forward, Edge::start, Weight::plain},
    {"layernorm", Stage::forward, Edge::start, Weight::plain},
    {"batchnorm", Stage::forward, Edge::start, Weight::plain},
    {"activation", Stage::forward, Edge::start, Weight::plain},
    {"relu", Stage::forward, Edge::whole, Weight::plain},
    {"gelu", Stage::forward, Edge::whole, Weight::plain},
    {"silu", Stage::forward, Edge::whole, Weight::plain},
    {"softmax", Stage::forward, Edge::whole, Weight::plain},
    {"dropout", Stage::forward, Edge::start, Weight::plain},
    {"loss", Stage::forward, Edge::whole, Weight::plain},
    {"crossentropy", Stage::forward, Edge::whole, Weight::plain},

    {"backward", Stage::backward, Edge::any, Weight::gradient},
    {"backprop", Stage::backward, Edge::any, Weight::gradient},
    {"bwd", Stage::backward, Edge::whole, Weight::gradient},
    {"grad", Stage::backward, Edge::end, Weight::gradient},
    {"grads", Stage::backward, Edge::end, Weight::gradient},
    {"gradient", Stage::backward, Edge::any, Weight::gradient},
    {"autograd", Stage::backward, Edge::start, Weight::gradient},
    {"allreduce", Stage::backward, Edge::start, Weight::plain},
    {"reducer", Stage::backward, Edge::whole, Weight::plain},

    {"updateembedding", Stage::update_embedding, Edge::start, Weight::decides},
    {"embeddingupdate", Stage::update_embedding, Edge::start, Weight::decides},
    {"embeddingbackward", Stage::update_embedding, Edge::start, Weight::decides},
    {"all2allgrad", Stage::update_embedding, Edge::start, Weight::decides},
    {"tableupdate", Stage::update_embedding, Edge::start, Weight::decides},
    {"upsert", Stage::update_embedding, Edge::start, Weight::decides},

    {"updatedense", Stage::update_dense, Edge::start, Weight::decides},
    {"denseupdate", Stage::update_dense, Edge::start, Weight::decides},
    {"optimizerstep", Stage::update_dense, Edge::start, Weight::decides},
    {"zerograd", Stage::update_dense, Edge::end, Weight::decides},
    {"optimizer", Stage::update_dense, Edge::start, Weight::plain},
    {"adam", Stage::update_dense, Edge::whole, Weight::plain},
    {"adamw", Stage::update_dense, Edge::whole, Weight::plain},
    {"adagrad", Stage::update_dense, Edge::whole, Weight::plain},
    {"rmsprop", Stage::update_dense, Edge::whole, Weight::plain},
    {"sgd", Stage::update_dense, Edge::whole, Weight::plain},
    {"muon", Stage::update_dense, Edge::whole, Weight::plain},
    {"lamb", Stage::update_dense, Edge::whole, Weight::plain},
    {"ftrl", Stage::update_dense, Edge::whole, Weight::plain},
    {"step", Stage::update_dense, Edge::whole, Weight::plain},

    // Switches of the gradient mode say nothing of gradients.
    {"nograd", Stage::unclassified, Edge::start, Weight::mask},
    {"enablegrad", Stage::unclassified, Edge::start, Weight::mask},
    {"setgradenabled", Stage::unclassified, Edge::start, Weight::mask},
    {"isgradenabled", Stage::unclassified, Edge::start, Weight::mask},
    {"requiresgrad", Stage::unclassified, Edge::start, Weight::mask},
    {"gradmode", Stage::unclassified, Edge::start, Weight::mask},
    {"withgradaccumulation", Stage::unclassified, Edge::start, Weight::mask},  // a forward that knows what comes
    // Whole iterations, not the optimizer's step.
    {"trainstep", Stage::unclassified, Edge::start, Weight::mask},
    {"trainingstep", Stage::unclassified, Edge::start, Weight::mask},
    {"trainerstep", Stage::unclassified, Edge::start, Weight::mask},
    {"pipelinestep", Stage::unclassified, Edge::start, Weight::mask},
    {"globalstep", Stage::unclassified, Edge::start, Weight::mask},
    {"nextstep", Stage::unclassified, Edge::start, Weight::mask},
    {"evalstep", Stage::unclassified, Edge::start, Weight::mask},
    {"evaluationstep", Stage::unclassified, Edge::start, Weight::mask},
    {"validationstep", Stage::unclassified, Edge::start, Weight::mask},
    {"inferencestep", Stage::unclassified, Edge::start, Weight::mask},
    {"predictstep", Stage::unclassified, Edge::start, Weight::mask},
    {"teststep", Stage::unclassified, Edge::start, Weight::mask},
    {"timestep", Stage::unclassified, Edge::start, Weight::mask},
    // Other words with the same letters.
    {"threadpool", Stage::unclassified, Edge::start, Weight::mask},
    {"processpool", Stage::unclassified, Edge::start, Weight::mask},
    {"multiprocessingpool", Stage::unclassified, Edge::start, Weight::mask},
    {"workerpool", Stage::unclassified, Edge::start, Weight::mask},
    {"executorpool", Stage::unclassified, Edge::start, Weight::mask},
    {"taskpool", Stage::unclassified, Edge::start, Weight::mask},
    {"memorypool", Stage::unclassified, Edge::start, Weight::mask},
    {"mempool", Stage::unclassified, Edge::start, Weight::mask},
    {"bufferpool", Stage::unclassified, Edge::start, Weight::mask},
    {"streampool", Stage::unclassified, Edge::start, Weight::mask},
    {"eventpool", Stage::unclassified, Edge::start, Weight::mask},
    {"connectionpool", Stage::unclassified, Edge::start, Weight::mask},
    {"poolexecutor", Stage::unclassified, Edge::start, Weight::mask},
    {"poolallocator", Stage::unclassified, Edge::start, Weight::mask},
    {"poolworker", Stage::unclassified, Edge::start, Weight::mask},
    {"dataparallel", Stage::unclassified, Edge::start, Weight::mask},
    {"datatype", Stage::unclassified, Edge::start, Weight::mask},
    {"dataptr", Stage::unclassified, Edge::start, Weight::mask},
    {"metadata", Stage::unclassified, Edge::start, Weight::mask},
    {"setdata", Stage::unclassified, Edge::start, Weight::mask},
    {"cachelookup", Stage::unclassified, Edge::start, Weight::mask},  // of compiled code
    {"findunused", Stage::unclassified, Edge::start, Weight::mask},
};

/// Collectives by how their names begin, in any case: no keyword decides about these.
inline constexpr std::string_view kCollectivePrefixes[] = {"c10d::", "hccl",  "hcom_", "nccl",
                                                           "rccl",   "gloo:", "mpi:",  "record_param_comms"};

}  // namespace stepwise::recsys_stages
