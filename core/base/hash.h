// XXH3: for keys and checksums, never for trust.
#pragma once

#include <cstdint>
#include <string_view>

namespace stepwise {

uint64_t hash64(std::string_view bytes);

}  // namespace stepwise
