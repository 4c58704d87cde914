#include "host_stages.h"

#include "keywords.h"
#include "name_words.h"
#include "tests/catch.h"

using namespace stepwise::recsys_stages;

namespace {

std::string stage_of(std::string_view name) {
  const NameVerdict verdict = judge_name(name);
  return verdict.collective == Collective::none ? stage_name(verdict.stage) : "collective";
}

}  // namespace

TEST_CASE("words of a name: separators, camelCase, acronyms, digits") {
  const NameWords words("KJTAllToAll_v2.forward");
  CHECK(words.text == "kjtalltoallv2forward");
  const auto begins = [&words](size_t at) { return words.begins[at] ? 1 : 0; };
  CHECK(begins(0) == 1);  // KJT
  CHECK(begins(3) == 1);  // All
  CHECK(begins(6) == 1);  // To
  CHECK(begins(4) == 0);
  CHECK(begins(11) == 1);  // v
  CHECK(begins(12) == 1);  // 2
  CHECK(begins(13) == 1);  // forward
  CHECK(words.ends[2]);
  CHECK(words.ends[19]);
  CHECK(NameWords("").text.empty());
  CHECK(NameWords("\xe5\x89\x8d向").text.empty());
}

TEST_CASE("keywords are written as they are compared") {
  for (const Keyword& keyword : kKeywords) {
    INFO(std::string(keyword.text));
    CHECK(NameWords(keyword.text).text == keyword.text);
    CHECK((keyword.weight == Weight::mask) == (keyword.stage == Stage::unclassified));
  }
}

TEST_CASE("each stage by its keywords") {
  for (const char* name : {"feature_transform", "FeatureTransform", "data_preprocess", "collate_fn", "input_copy",
                           "data", "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__",
                           "## copy_batch_to_gpu ##", "acl_memcpy_host_to_device"}) {
    INFO(name);
    CHECK(stage_of(name) == "preprocess");
  }
  for (const char* name : {"embedding_fetch", "prefetch_embedding#12", "all2all_ids", "AllToAll embed", "hash_lookup",
                           "table.find", "prepare", "wait_prepare", "relocate", "EmbeddingBagCollection.forward",
                           "## sparse_data_dist ##", "## sdd_wait_tensors ##", "## all2all_data:kjt splits ##",
                           "All2All_Pooled_Wait", "SplitLookupFunction_rowwise_adagrad_Op", "aten::embedding"}) {
    INFO(name);
    CHECK(stage_of(name) == "embedding_fetch");
  }
  for (const char* name : {"model.forward", "pipeline.forward", "DistributedDataParallel.forward", "aten::matmul",
                           "MatMulV2", "aten::linear", "FlashAttentionScore", "layer_norm", "activation",
                           "compute_loss", "aten::nll_loss_nd", "aten::cross_entropy_loss", "aten::conv2d",
                           "aten::max_pool2d", "pool.forward", "thread_pool.forward", "## forward:sparse_arch ##"}) {
    INFO(name);
    CHECK(stage_of(name) == "forward");
  }
  for (const char* name :
       {"loss.backward", "pipeline.backward", "LayerNormBackward", "FlashAttentionScoreGrad",
        "autograd::engine::evaluate_function: torch::autograd::AccumulateGrad", "all_reduce_bucket",
        "torch::distributed::reducer::mul_out", "prepare_for_backward", "data_grad", "layernormgrad"}) {
    INFO(name);
    CHECK(stage_of(name) == "backward");
  }
  for (const char* name : {"update_embedding", "UpdateEmbedding", "embedding_update", "upsert", "table_update",
                           "all2all_grad", "AllToAllGrad", "## alltoall_bwd_single ##"}) {
    INFO(name);
    CHECK(stage_of(name) == "update_embedding");
  }
  for (const char* name : {"update_dense", "optimizer", "Optimizer.step#SGD.step", "Optimizer.zero_grad#Adam.zero_grad",
                           "zero_grad", "Adam.step", "Muon", "FusedAdam", "aten::_fused_adamw_", "## optimizer ##",
                           "Optimizer.step#Adagrad.step", "opt.step"}) {
    INFO(name);
    CHECK(stage_of(name) == "update_dense");
  }
}

TEST_CASE("precedence: backward against embedding, and the more specific keyword") {
  CHECK(stage_of("EmbeddingBackward0") == "update_embedding");
  CHECK(stage_of("aten::embedding_dense_backward") == "update_embedding");
  CHECK(stage_of("autograd::engine::evaluate_function: EmbeddingBackward0") == "update_embedding");
  CHECK(stage_of("torch::autograd::CppNode<SplitLookupFunction_rowwise_adagrad_Op>") == "update_embedding");
  CHECK(stage_of("All2All_Pooled_WaitBackward") == "update_embedding");
  CHECK(stage_of("ReduceScatterBase_WaitBackward") == "backward");
  CHECK(stage_of("update_embedding_grads") == "update_embedding");
  CHECK(stage_of("embedding_optimizer.step") == "update_dense");
  CHECK(stage_of("embedding.zero_grad") == "update_dense");
  CHECK(stage_of("forward_backward") == "backward");
  CHECK(stage_of("LinearWithGradAccumulationAndAsyncCommunication") == "forward");
  CHECK(stage_of("LinearWithGradAccumulationAndAsyncCommunicationBackward") == "backward");
}

TEST_CASE("names that say nothing") {
  for (const char* name : {"ProfilerStep#50",
                           "ProfilerStep",
                           "ProfilerStep*",
                           "thread_pool",
                           "ThreadPoolExecutor.submit",
                           "intra_op thread pool",
                           "aten::ThreadPool",
                           "process_pool.map",
                           "multiprocessing.pool.apply",
                           "memory_pool",
                           "MemPool.alloc",
                           "PoolAllocator",
                           "validation_step",
                           "eval_step 3",
                           "time_step",
                           "torch/autograd/profiler.py(12): backward",
                           "torch/optim/adam.py",
                           "Enqueue",
                           "Dequeue@aclnnEmbedding",
                           "no_grad",
                           "torch.set_grad_enabled",
                           "requires_grad_",
                           "train_step 5",
                           "aten::copy_",
                           "aten::to",
                           "upgrade",
                           "dataset_size",
                           "DistributedDataParallel.train_batch",
                           "",
                           "aten::bilinear",
                           "TorchDynamo Cache Lookup",
                           "Lossless",
                           "empty_tensor",
                           "aten::detach",
                           "aten::index_select"}) {
    INFO(name);
    CHECK(stage_of(name) == "unclassified");
  }
}

TEST_CASE("collectives are told by how their names begin") {
  const auto kind = [](std::string_view name) { return judge_name(name).collective; };
  CHECK(kind("c10d::alltoall_base_") == Collective::all_to_all);
  CHECK(kind("HcclAlltoAllV") == Collective::all_to_all);
  CHECK(kind("hcom_alltoallv__586_0_1") == Collective::all_to_all);
  CHECK(kind("nccl:all_to_all") == Collective::all_to_all);
  CHECK(kind("c10d::allreduce_") == Collective::all_reduce);
  CHECK(kind("hcom_allReduce__271_0_1") == Collective::all_reduce);
  CHECK(kind("c10d::_allgather_base_") == Collective::all_gather);
  CHECK(kind("c10d::broadcast_") == Collective::other);
  CHECK(kind("all2all_ids") == Collective::none);

  StageStarts starts;
  CHECK(stage_of_collective(Collective::all_to_all, 100, starts) == Stage::embedding_fetch);
  starts.backward_ns = 100;
  CHECK(stage_of_collective(Collective::all_to_all, 99, starts) == Stage::embedding_fetch);
  CHECK(stage_of_collective(Collective::all_to_all, 100, starts) == Stage::update_embedding);
  CHECK(stage_of_collective(Collective::all_reduce, 1, starts) == Stage::backward);
  CHECK(stage_of_collective(Collective::all_gather, 1, starts) == Stage::update_dense);
  CHECK(stage_of_collective(Collective::other, 1, starts) == Stage::unclassified);
}

TEST_CASE("what the host waits in") {
  for (const char* name :
       {"aten::item", "aten::_local_scalar_dense", "prefetch.result", "future.result()", "wait_all2all", "req.wait()",
        "## KJTAllToAllSplitsAwaitable wait() ##", "## wait_sparse_data_dist ##",
        "AscendCL@aclrtSynchronizeStreamWithTimeout", "cudaStreamSynchronize", "work.wait"}) {
    INFO(name);
    CHECK(is_wait(name));
  }
  for (const char* name : {"aten::result_type", "aten::copy_", "Awaitable", "ProfilerStep#1", "aten::linear", ""}) {
    INFO(name);
    CHECK_FALSE(is_wait(name));
  }
}
