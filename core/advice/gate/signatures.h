// The keywords of well-known calls that carry parameters but have no entry of their own. Internal to core/advice/gate.
#pragma once

#include <string_view>

namespace stepwise::advice {

/// Whether `call`, as it is written, is one whose keywords are known: DataLoader, torch.utils.data.DataLoader, DDP,
/// dist.all_reduce.
bool has_signature(std::string_view call);

/// Of such a call: whether it takes the keyword.
bool takes_keyword(std::string_view call, std::string_view keyword);

}  // namespace stepwise::advice
