// Whether device work computes, communicates or copies (docs/metrics.md, Communication class).
#pragma once

#include <string_view>

namespace stepwise::ingest {

/// By name: nccl or rccl anywhere, hccl or hcom_ at a word's start, or a known all-to-all kernel; any case.
bool is_communication_name(std::string_view name);

/// By the core that a task ran on ("" if unknown): "communication", "copy", or "" where the core does not tell.
std::string_view class_of_core(std::string_view core_type);

}  // namespace stepwise::ingest
