#include "sync_names.h"

#include <algorithm>
#include <iterator>

namespace stepwise::overview {
namespace {

// Namespaces of operators that come with the framework, its compilers and its libraries.
constexpr std::string_view kKnownNamespaces[] = {"_c10d_functional",
                                                 "_c10d_functional_autograd",
                                                 "_dtensor",
                                                 "_quantized",
                                                 "at",
                                                 "atb",
                                                 "aten",
                                                 "autograd",
                                                 "c10",
                                                 "c10d",
                                                 "c10d_functional",
                                                 "caffe2",
                                                 "cuda",
                                                 "cudnn",
                                                 "dist",
                                                 "dynamo",
                                                 "export",
                                                 "fbgemm",
                                                 "hccl",
                                                 "inductor",
                                                 "inductor_prims",
                                                 "miopen",
                                                 "mkl",
                                                 "mkldnn",
                                                 "mkldnn_prepacked",
                                                 "nccl",
                                                 "npu",
                                                 "onednn",
                                                 "prim",
                                                 "prims",
                                                 "profiler",
                                                 "quantized",
                                                 "quantized_decomposed",
                                                 "record_function",
                                                 "rngprims",
                                                 "static_runtime",
                                                 "std",
                                                 "symm_mem",
                                                 "torch",
                                                 "torch_npu",
                                                 "torchaudio",
                                                 "torchrec",
                                                 "torchtext",
                                                 "torchvision",
                                                 "triton",
                                                 "xla"};

bool contains(std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; }

bool is_identifier(std::string_view text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
                              std::string_view::npos;
}

}  // namespace

bool synchronizes(std::string_view call) {
  // Not the drivers' bookkeeping around it (StreamSyncTaskFinish), nor what only sets up waiting on the device.
  return contains(call, "Synchronize");
}

bool reads_scalar(std::string_view name) { return name == "aten::item" || name == "aten::_local_scalar_dense"; }

bool waits_on_device(std::string_view name) {
  return name == "EVENT_WAIT" || name == "DAVID_EVENT_WAIT" || name == "Notify_Wait" || name == "Notify Wait" ||
         name == "NOTIFY_WAIT";
}

bool is_custom_operator(std::string_view name) {
  const size_t colons = name.find("::");
  if (colons == std::string_view::npos) return false;
  const std::string_view space = name.substr(0, colons);
  const std::string_view rest = name.substr(colons + 2);
  if (!is_identifier(space) || !is_identifier(rest.substr(0, rest.find('.')))) return false;
  return std::find(std::begin(kKnownNamespaces), std::end(kKnownNamespaces), space) == std::end(kKnownNamespaces);
}

}  // namespace stepwise::overview
