#include "core/advice/gate/ordinary_words.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace stepwise::advice {
namespace {

using Words = std::unordered_set<std::string_view>;

template <size_t N>
bool begins_with(std::string_view text, const std::array<std::string_view, N>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view one) { return text.substr(0, one.size()) == one; });
}

}  // namespace

bool is_profile_word(std::string_view upper_name) {
  static const Words kWords{
      "AI_CPU", "AI_CORE", "AI_VECTOR_CORE", "MIX_AIC", "MIX_AIV", "EVENT_WAIT", "EVENT_RECORD", "NOTIFY_WAIT",
      "NOTIFY_RECORD", "DAVID_EVENT_WAIT", "EVENT_RESET", "PLACE_HOLDER", "KERNEL_AICORE", "KERNEL_AICPU",
      "KERNEL_AIVEC", "KERNEL_MIX_AIC", "KERNEL_MIX_AIV", "MEMCPY_ASYNC", "SDMA_SQE", "WRITE_VALUE", "STARS_COMMON",
      "MODEL_EXECUTE", "STREAM_ACTIVE", "CMO_ADDR", "HOST_TO_DEVICE", "DEVICE_TO_HOST", "DEVICE_TO_DEVICE",
      "NOT_SUPPORTED", "OP_STATE", "TASK_TYPE", "CUBE_UTILIZATION", "READ_ONLY", "ALL_TO_ALL", "ALL_REDUCE",
      "ALL_GATHER", "REDUCE_SCATTER", "AI_VECTOR", "MIX_AICORE", "COMM_WAIT", "CPU_OP", "USER_ANNOTATION", "STEP_TRACE",
      "READ_WRITE", "NOT_OVERLAPPED", "NO_GRAD", "BATCH_NORM", "LAYER_NORM", "H2D_COPY", "PROFILER_STEP",
      "ASCEND_PROFILER_OUTPUT", "PROF_CONF", "NC1HWC0_C04", "FRACTAL_Z", "FRACTAL_NZ", "FRACTAL_Z_3D", "C1HWNCO_C04",
      // Collectives, as profilers and logs name them.
      "HCCL_ALLREDUCE", "HCCL_ALLGATHER", "HCCL_BROADCAST", "HCCL_REDUCESCATTER", "HCCL_REDUCE", "HCCL_SEND",
      "HCCL_RECV", "HCCL_RECEIVE", "HCCL_ALLTOALL", "HCCL_ALLTOALLV", "HCCL_ALLTOALLVC", "HCCL_SCATTER", "HCCL_GATHER",
      "HCCL_BARRIER", "HCCL_BATCHSENDRECV", "HCCL_BATCH_SEND_RECV", "HCCL_ALL_REDUCE", "HCCL_ALL_GATHER",
      "HCCL_REDUCE_SCATTER", "HCCL_ALL_TO_ALL", "HCCL_WORLD_GROUP", "NCCL_ALLREDUCE", "NCCL_ALLGATHER",
      "NCCL_BROADCAST", "NCCL_REDUCESCATTER"};
  // Data types, formats, codes of errors.
  static constexpr auto kPrefixes = std::to_array<std::string_view>(
      {"DT_",     "FRACTAL_",   "FORMAT_",  "ACL_FORMAT_", "ACL_SUCCESS", "ACL_ERROR",  "HCCL_SUCCESS", "ACL_MEM",
       "HCCL_E_", "HCCL_ERROR", "RT_ERROR", "ACLNN_ERR",   "GE_ERROR",    "NCCL_ERROR", "CUDA_ERROR",   "CUDA_SUCCESS",
       "FP16_",   "FP32_",      "FP8_",     "BF16_",       "INT8_",       "INT4_",      "HF32_",        "TF32_"});
  constexpr std::string_view kTaskEnding = "_SQE";
  return kWords.contains(upper_name) || begins_with(upper_name, kPrefixes) ||
         (upper_name.size() > kTaskEnding.size() &&
          upper_name.substr(upper_name.size() - kTaskEnding.size()) == kTaskEnding);
}

bool is_program_constant(std::string_view upper_name) {
  static const Words kWords{
      "BATCH_SIZE", "HIDDEN_SIZE",   "HIDDEN_DIM",       "EMBEDDING_DIM",     "EMBED_DIM",     "NUM_EPOCHS",
      "MAX_EPOCHS", "LEARNING_RATE", "SEQ_LEN",          "MAX_SEQ_LEN",       "MAX_LEN",       "NUM_HEADS",
      "NUM_LAYERS", "NUM_CLASSES",   "VOCAB_SIZE",       "WORLD_SIZE",        "LOCAL_RANK",    "GLOBAL_RANK",
      "RANK_ID",    "RANK_SIZE",     "MASTER_ADDR",      "MASTER_PORT",       "NUM_WORKERS",   "DATA_DIR",
      "OUTPUT_DIR", "MODEL_PATH",    "MODEL_DIR",        "DATA_PATH",         "LOG_DIR",       "NUM_FEATURES",
      "NUM_STEPS",  "WARMUP_STEPS",  "MICRO_BATCH_SIZE", "GLOBAL_BATCH_SIZE", "IMAGE_SIZE",    "WEIGHT_DECAY",
      "DROP_RATE",  "NUM_TABLES",    "TABLE_SIZE",       "EMB_DIM",           "NUM_EMBEDDINGS"};
  return kWords.contains(upper_name);
}

bool is_figure_name(std::string_view name) {
  // The areas of docs/metrics.md.
  static const Words kAreas{"allocator", "chip",     "cluster", "comm",      "cores",         "device",
                            "fusion",    "graph",    "host",    "instances", "instances_fit", "iteration",
                            "memory",    "mode",     "model",   "op",        "operators",     "pipeline",
                            "planned",   "prefetch", "problem", "profile",   "repeats",       "scenario",
                            "schedule",  "shapes",   "stage",   "step",      "throughput"};
  static const Words kFacts{"execution_mode", "task_type", "op_type",   "core_type",       "op_state",
                            "input_shapes",   "op_name",   "block_dim", "accelerator_core"};
  static constexpr auto kEndings = std::to_array<std::string_view>(
      {"_us", "_ms", "_ns", "_ratio", "_bytes", "_gb_s", "_count", "_counts", "_utilization", "_time", "_calls"});
  const size_t dot = name.find('.');
  if (dot != name.npos) return kAreas.contains(name.substr(0, dot)) && name.find('.', dot + 1) == name.npos;
  return kFacts.contains(name) || std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view one) {
           return name.size() > one.size() && name.substr(name.size() - one.size()) == one;
         });
}

bool is_search_path(std::string_view name) {
  return name == "PATH" || name == "PYTHONPATH" || name == "LD_LIBRARY_PATH" || name == "HOME";
}

bool is_device_function(std::string_view name) {
  static const Words kWords{"set_device",      "synchronize",         "is_available",   "device_count",
                            "current_device",  "get_device_name",     "current_stream", "default_stream",
                            "manual_seed",     "manual_seed_all",     "device",         "memory_allocated",
                            "memory_reserved", "max_memory_allocated"};
  for (const std::string_view module : {"torch.npu.", "torch_npu.npu.", "torch.cuda."}) {
    if (name.substr(0, module.size()) == module && kWords.count(name.substr(module.size())) != 0) return true;
  }
  return false;
}

bool is_tensor_function(std::string_view name) {
  static const Words kWords{"nn",
                            "Tensor",
                            "tensor",
                            "as_tensor",
                            "from_numpy",
                            "zeros",
                            "ones",
                            "empty",
                            "full",
                            "rand",
                            "randn",
                            "randint",
                            "randperm",
                            "arange",
                            "linspace",
                            "eye",
                            "zeros_like",
                            "ones_like",
                            "empty_like",
                            "full_like",
                            "rand_like",
                            "randn_like",
                            "cat",
                            "concat",
                            "stack",
                            "split",
                            "chunk",
                            "squeeze",
                            "unsqueeze",
                            "reshape",
                            "transpose",
                            "permute",
                            "flatten",
                            "matmul",
                            "mm",
                            "bmm",
                            "addmm",
                            "baddbmm",
                            "einsum",
                            "dot",
                            "add",
                            "sub",
                            "mul",
                            "div",
                            "pow",
                            "exp",
                            "log",
                            "log2",
                            "log1p",
                            "sqrt",
                            "rsqrt",
                            "abs",
                            "neg",
                            "sign",
                            "sin",
                            "cos",
                            "tanh",
                            "sigmoid",
                            "relu",
                            "softmax",
                            "log_softmax",
                            "sum",
                            "mean",
                            "std",
                            "var",
                            "max",
                            "min",
                            "maximum",
                            "minimum",
                            "clamp",
                            "where",
                            "gather",
                            "scatter",
                            "scatter_add",
                            "index_select",
                            "masked_select",
                            "sort",
                            "argsort",
                            "topk",
                            "unique",
                            "unique_consecutive",
                            "argmax",
                            "argmin",
                            "cumsum",
                            "cumprod",
                            "norm",
                            "all",
                            "any",
                            "eq",
                            "ne",
                            "gt",
                            "lt",
                            "ge",
                            "le",
                            "isnan",
                            "isinf",
                            "isfinite",
                            "logical_and",
                            "logical_or",
                            "logical_not",
                            "repeat_interleave",
                            "tile",
                            "roll",
                            "flip",
                            "tril",
                            "triu",
                            "outer",
                            "cross",
                            "bincount",
                            "searchsorted",
                            "bucketize",
                            "histc",
                            "no_grad",
                            "enable_grad",
                            "inference_mode",
                            "save",
                            "load",
                            "manual_seed",
                            "device",
                            "Size",
                            "Generator",
                            "is_tensor",
                            "numel",
                            "clone",
                            "detach",
                            "erf",
                            "gelu",
                            "dropout",
                            "embedding",
                            "layer_norm",
                            "batch_norm",
                            "conv2d",
                            "conv1d",
                            "cdist",
                            "diag",
                            "round",
                            "floor",
                            "ceil",
                            "trunc",
                            "fmod",
                            "remainder",
                            "reciprocal",
                            "square",
                            "nonzero",
                            "take",
                            "narrow",
                            "select",
                            "unbind",
                            "hstack",
                            "vstack",
                            "dstack",
                            "complex",
                            "optim",
                            "ops",
                            "Stream",
                            "Event",
                            "float32",
                            "float16",
                            "bfloat16",
                            "int64",
                            "int32",
                            "allclose",
                            "nan_to_num",
                            "movedim",
                            "broadcast_to",
                            "swapaxes",
                            "lerp",
                            "logsumexp",
                            "meshgrid",
                            "kron",
                            "trace",
                            "inverse",
                            "det",
                            "slice_scatter",
                            "index_add",
                            "index_put"};
  return kWords.contains(name);
}

bool is_file_ending(std::string_view word) {
  static const Words kWords{"csv", "json", "py",   "db",  "txt", "log", "md",  "html", "so",   "pbtxt", "gz",  "cc",
                            "cpp", "h",    "yaml", "yml", "sh",  "pt",  "pth", "om",   "onnx", "cfg",   "ini", "toml",
                            "htm", "com",  "cn",   "org", "io",  "pdf", "png", "bin",  "pb",   "xlsx",  "zip", "tar"};
  return kWords.contains(word);
}

bool has_vendor_prefix(std::string_view upper_name) {
  static constexpr auto kPrefixes = std::to_array<std::string_view>(
      {"NPU_",   "HCCL_", "ASCEND_",   "TORCH_",    "TORCHINDUCTOR_", "TORCHNPU_", "PYTORCH_",    "ACL_",
       "ACLNN_", "GE_",   "AUTOFUSE_", "NCCL_",     "CUDA_",          "VLLM_",     "CANN_",       "TE_",
       "ATC_",   "TFA_",  "HCCS_",     "INDUCTOR_", "TORCHAIR_",      "OMP_",      "TASK_QUEUE_", "MINDSPEED_"});
  return begins_with(upper_name, kPrefixes);
}

}  // namespace stepwise::advice
