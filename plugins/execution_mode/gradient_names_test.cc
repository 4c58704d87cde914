#include "gradient_names.h"

#include "tests/catch.h"

using stepwise::execution_mode::says_gradient;

TEST_CASE("backward and gradient operators are recognized in the spellings of real profiles") {
  for (const char* name : {"ReluGrad",
                           "EmbeddingDenseGradV2",
                           "NLLLossGrad",
                           "MaxPoolGradWithArgmaxV1",
                           "Conv2DBackpropFilter",
                           "aclnnThresholdBackward_ReluGrad_ReluGrad",
                           "aten::nll_loss_backward",
                           "NllLossBackward0",
                           "loss.backward",
                           "autograd::engine::evaluate_function: AddmmBackward0",
                           "autograd::engine::evaluate_function: torch::autograd::CopySlices",
                           "torch::autograd::AccumulateGrad",
                           "torch.autograd.grad",
                           "relu_grad",
                           "FlashAttentionScoreGrad",
                           "triton_poi_fused_relu_threshold_backward_1",
                           "flash_bwd_kernel",
                           "FlashBwdKernel",
                           "Optimizer.zero_grad#SGD.zero_grad",
                           "torch.distributed.ddp.reducer::copy_bucket_to_grad",
                           "sync_gradients",
                           "all_reduce_grads"}) {
    INFO(name);
    CHECK(says_gradient(name));
  }
}

TEST_CASE("switches, frames, paths and words that only look alike are no evidence") {
  for (const char* name : {"no_grad",
                           "torch.no_grad",
                           "enable_grad",
                           "set_grad_enabled",
                           "is_grad_enabled",
                           "aten::requires_grad_",
                           "requires_grad",
                           "torch::autograd_mode::grad_mode",
                           "AutoGradMode",
                           "torch.autograd.grad_mode.no_grad",
                           "torch/autograd/grad_mode",
                           "torch.autograd.profiler.record_function",
                           "nograd",
                           "NoGradGuard",
                           "no_gradient",
                           "stop_gradient",
                           "StopGradient",
                           "disable_gradients",
                           "disable_grad",
                           "fwdbwd",
                           "upgrade_model",
                           "gradual_decay",
                           "/usr/lib/python3/site-packages/torch/autograd/profiler.py(631): __enter__",
                           "torch/autograd/__init__.py: backward",
                           "backward.py",
                           "MatMulV2",
                           "hcom_allReduce_",
                           ""}) {
    INFO(name);
    CHECK_FALSE(says_gradient(name));
  }
}

TEST_CASE("a switch beside a gradient does not hide it") {
  CHECK(says_gradient("no_grad: ReluGrad"));
  CHECK(says_gradient("grad_mode/loss.backward"));
}
