// HTML entities. Internal to core/advice/gate.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stepwise::advice {

struct Decoded {
  std::string text;
  std::vector<uint32_t> offsets;  // of each byte, and of the end: where it comes from
};

/// `&#95;`, `&#x5f;`, `&lowbar;` and the like become what they show, except the signs < and >, which would become tags.
Decoded decode_entities(std::string_view text);

}  // namespace stepwise::advice
