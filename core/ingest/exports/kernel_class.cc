#include "core/ingest/exports/kernel_class.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace stepwise::ingest {
namespace {

/// Kernels that move tokens between ranks without a collective's name.
constexpr std::array<std::string_view, 2> kAllToAllKernels{"MoeDistributeDispatch", "MoeDistributeCombine"};

bool equal_in_any_case(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

bool is_alphanumeric(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

enum class Where : bool { anywhere, at_word_start };

bool occurs(std::string_view name, std::string_view word, Where where) {
  for (auto at = name.begin();; ++at) {
    at = std::search(at, name.end(), word.begin(), word.end(), equal_in_any_case);
    if (at == name.end()) return false;
    if (where == Where::anywhere || at == name.begin() || !is_alphanumeric(at[-1])) return true;
  }
}

}  // namespace

bool is_communication_name(std::string_view name) {
  return occurs(name, "nccl", Where::anywhere) || occurs(name, "rccl", Where::anywhere) ||
         occurs(name, "hccl", Where::at_word_start) || occurs(name, "hcom_", Where::at_word_start) ||
         std::any_of(kAllToAllKernels.begin(), kAllToAllKernels.end(),
                     [&](std::string_view kernel) { return occurs(name, kernel, Where::at_word_start); });
}

std::string_view class_of_core(std::string_view core_type) {
  if (core_type == "HCCL" || core_type == "COMMUNICATION") return "communication";
  static constexpr std::array<std::string_view, 4> kCopies{"MEMCPY_ASYNC", "SDMA", "SDMA_SQE", "PCIE_DMA_SQE"};
  return std::find(kCopies.begin(), kCopies.end(), core_type) == kCopies.end() ? "" : "copy";
}

}  // namespace stepwise::ingest
