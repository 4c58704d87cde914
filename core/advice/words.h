// The closed vocabularies of the knowledge base; docs/guide/knowledge.md lists them for people. Internal to
// core/advice.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/advice/source.h"

namespace stepwise::advice {

inline bool has(const std::vector<std::string>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

inline constexpr std::string_view kModes[] = {"ge",
                                              "ge_autofuse",
                                              "inductor_ascendc",
                                              "inductor_triton",
                                              "inductor_dvm",
                                              "inductor_mlir",
                                              "npu_graph",
                                              "cuda_graph",
                                              "eager",
                                              "any"};
inline constexpr std::string_view kToolchains[] = {"ge_tf", "torchair", "atc", "npugraph_ex", "npugraphs", "ascendcl"};
inline constexpr std::string_view kScenarios[] = {"training", "inference"};
inline constexpr std::string_view kFrameworks[] = {"pytorch", "tensorflow", "ge", "mindspore", "ascend", "any"};
inline constexpr std::string_view kHardware[] = {"ascend_310b", "ascend_310p", "ascend_910", "ascend_a2",
                                                 "ascend_a3",   "ascend_950",  "gpu"};
inline constexpr std::string_view kDtypes[] = {"float64", "float32", "tf32",  "float16", "bfloat16", "float8",
                                               "float4",  "int64",   "int32", "int8",    "int4"};
inline constexpr std::array<std::pair<const char*, Confidence>, 3> kConfidences{
    {{"low", Confidence::low}, {"medium", Confidence::medium}, {"high", Confidence::high}}};

}  // namespace stepwise::advice
