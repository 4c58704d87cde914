// Words of profiles and of model code that look like parameters and are none. Internal to core/advice.
#pragma once

#include <string_view>

namespace stepwise::advice {

/// AI_CORE, EVENT_WAIT, FRACTAL_NZ: kinds of tasks, formats, types, results of calls.
bool is_profile_word(std::string_view upper_name);
/// BATCH_SIZE, WORLD_SIZE: what programs of models call their own.
bool is_program_constant(std::string_view upper_name);
/// comm.not_overlapped_ratio, execution_mode, aic_mac_ratio, total_us: figures and facts of answers and of the
/// profiler's files. They are quoted with their values; nobody sets them.
bool is_figure_name(std::string_view name);
/// PATH, PYTHONPATH: where programs and libraries lie.
bool is_search_path(std::string_view name);
/// matmul, randn, no_grad: what comes behind `torch.` in a model that nobody tunes.
bool is_tensor_function(std::string_view name);
/// torch.npu.set_device, torch.npu.synchronize: what every model on such a device calls, and nobody tunes.
bool is_device_function(std::string_view name);
/// csv, json, py: what comes last in the name of a file.
bool is_file_ending(std::string_view word);
/// NPU_, HCCL_: names that begin so are a vendor's variables, wherever a value is given to them.
bool has_vendor_prefix(std::string_view upper_name);

}  // namespace stepwise::advice
