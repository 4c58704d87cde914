// Names that stand for a vendor's module, or for what is in it, from their import on. Internal to core/advice/gate.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace stepwise::advice {

class Imports {
 public:
  /// `import torch_npu as tn`, `from torch_npu.npu import a, b as c`, where `name` stands at `begin`: the bytes looked
  /// at.
  size_t read(std::string_view text, size_t begin, std::string_view name);
  bool hold(std::string_view name) const { return names_.find(name) != names_.end(); }

 private:
  std::set<std::string, std::less<>> names_;
};

}  // namespace stepwise::advice
