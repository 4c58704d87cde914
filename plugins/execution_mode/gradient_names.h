// Whether a name speaks of backward propagation or gradients: what tells training from inference.
#pragma once

#include <string_view>

namespace stepwise::execution_mode {

/// For names of operators, operator types, kernels and explicit ranges. Python frames and file paths never count, nor
/// switches of gradient recording (no_grad, requires_grad...), which stand in inference programs too.
bool says_gradient(std::string_view name);

}  // namespace stepwise::execution_mode
