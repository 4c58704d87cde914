// XXH3: for keys and checksums, never for trust.
#pragma once

#include <cstdint>
#include <string_view>

namespace stepwise {

/// A seed chains pieces: hash64(second, hash64(first)).
uint64_t hash64(std::string_view bytes, uint64_t seed = 0);
/// hash64 of so many bytes that are the piece again and again, the last time perhaps cut; it is not empty.
uint64_t hash64_of_repeats(std::string_view piece, uint64_t bytes);

}  // namespace stepwise
