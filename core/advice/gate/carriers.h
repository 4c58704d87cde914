// What carries a parameter in code: the class or call whose argument it is. Internal to core/advice/gate.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "core/advice/knowledge.h"

namespace stepwise::advice {

/// torch.utils.data.DataLoader, which carries num_workers; CompilerConfig; torch.distributed.all_reduce, which carries
/// async_op. They are in no need of an entry of their own: what they are given is judged by itself.
class Carriers {
 public:
  explicit Carriers(const Knowledge& knowledge);
  /// Written whole, from its last part on, or behind the module that it is in.
  bool hold(std::string_view written) const { return names_.find(written) != names_.end(); }

 private:
  std::set<std::string, std::less<>> names_;
};

}  // namespace stepwise::advice
