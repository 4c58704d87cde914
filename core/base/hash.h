// XXH3: for keys and checksums, never for trust.
#pragma once

#include <cstdint>
#include <string_view>

namespace stepwise {

/// A seed chains pieces: hash64(second, hash64(first)).
uint64_t hash64(std::string_view bytes, uint64_t seed = 0);

}  // namespace stepwise
