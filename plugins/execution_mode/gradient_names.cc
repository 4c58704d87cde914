#include "gradient_names.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace stepwise::execution_mode {
namespace {

// Switches, and the module that holds them: torch.autograd.grad_mode.no_grad. A longer word that begins so is gone with
// it: stop_gradient.
constexpr std::string_view kSwitches[] = {"set_grad_enabled", "is_grad_enabled", "enable_grad", "no_grad",
                                          "nograd",           "requires_grad",   "grad_mode",   "gradmode",
                                          "autograd",         "stop_grad",       "stopgrad",    "disable_grad"};
// It runs nothing but backward propagation: autograd::engine::evaluate_function: torch::autograd::CopySlices.
constexpr std::string_view kEngine = "autograd::engine";

bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  return out;
}

bool is_python_frame(std::string_view name) {
  const size_t py = name.find(".py");
  if (py == std::string_view::npos) return false;
  const size_t after = py + 3;
  return after == name.size() || name[after] == '(' || name[after] == ':';
}

// "grad" as a word or a part of one that means gradient: ReluGrad, EmbeddingDenseGradV2, AccumulateGrad, gradients;
// not upgrade or gradual.
bool grad_at(std::string_view original, std::string_view lowered, size_t at) {
  const std::string_view rest = lowered.substr(at);
  if (rest.rfind("gradient", 0) == 0) return true;
  const size_t after = at + (rest.rfind("grads", 0) == 0 ? 5 : 4);
  return after >= original.size() || !is_lower(original[after]);
}

// "bwd" as a word of its own: flash_bwd_kernel, BwdKernel; not fwdbwd.
bool bwd_at(std::string_view original, size_t at) {
  const bool starts = at == 0 || !is_letter(original[at - 1]) || (original[at] == 'B' && is_lower(original[at - 1]));
  const size_t after = at + 3;
  return starts && (after >= original.size() || !is_lower(original[after]));
}

}  // namespace

bool says_gradient(std::string_view name) {
  if (is_python_frame(name)) return false;
  std::string lowered = lower(name);
  if (lowered.find(kEngine) != std::string::npos) return true;
  for (const std::string_view word : kSwitches) {
    for (size_t at = lowered.find(word); at != std::string::npos; at = lowered.find(word, at)) {
      lowered.replace(at, word.size(), word.size(), ' ');
    }
  }
  if (lowered.find("backward") != std::string::npos || lowered.find("backprop") != std::string::npos) return true;
  for (size_t at = lowered.find("grad"); at != std::string::npos; at = lowered.find("grad", at + 1)) {
    if (grad_at(name, lowered, at)) return true;
  }
  for (size_t at = lowered.find("bwd"); at != std::string::npos; at = lowered.find("bwd", at + 1)) {
    if (bwd_at(name, at)) return true;
  }
  return false;
}

}  // namespace stepwise::execution_mode
