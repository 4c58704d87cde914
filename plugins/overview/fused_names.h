// What a compiler fused already, read out of the names that it gave: prefix_type_type_..._number.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "stepwise/sdk.hpp"

namespace stepwise::overview {

/// The operator types in a fused operator's name, in lower case; nullopt: the name is no fused operator's.
/// `autofuse_pointwise_0_Cast_Mul` has pointwise, cast, mul; `triton_poi_fused_add_relu_3` has add, relu.
std::optional<std::vector<std::string>> fused_types(std::string_view name);

struct FusedNames {
  uint64_t operators = 0, executions = 0;  // distinct names; rows
  int64_t total_ns = 0;
  std::set<std::string> types;  // of all names
  bool fuses_products = false;  // vector work fused behind a product: a type of it beside others, or Catlass
  bool catlass = false;
  std::string example;  // the fused operator with the first row
  int64_t row = 0;
};
FusedNames fused_names(const sdk::Call& call, const sdk::TableView& kernel_table);

}  // namespace stepwise::overview
