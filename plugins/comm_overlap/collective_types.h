// What kind of operation communication kernels are: several kinds run as kernels of one name.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "stepwise/sdk.hpp"

namespace stepwise::comm_overlap {

/// In the words of communication.json (allReduce, allGather, reduceScatter, alltoall, broadcast, reduce, scatter,
/// gather, send, receive), of a call or kernel: "nccl:_all_gather_base", "c10d::allreduce_",
/// "ncclDevKernel_ReduceScatter_Sum". HCCL's kernels name it themselves. nullopt: the name is none of communication, or
/// tells no kind (NCCL runs all-to-alls, gathers and pairs as SendRecv).
std::optional<std::string> collective_type(std::string_view name);

/// By the kernels of a rank: the innermost host call that launched one and tells a kind decides, else its own name.
class CollectiveTypes {
 public:
  CollectiveTypes(sdk::Call& call, uint32_t rank, const sdk::TableView& kernels);

  std::optional<std::string> of(uint64_t kernel_row) const;

 private:
  sdk::Column<table::Type::code> name_;
  std::map<uint64_t, std::string> by_launch_;  // by row of kernel
};

}  // namespace stepwise::comm_overlap
