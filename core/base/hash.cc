#include "core/base/hash.h"

#include <xxhash.h>

#include <algorithm>
#include <cassert>
#include <memory>
#include <new>

namespace stepwise {

uint64_t hash64(std::string_view bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

uint64_t hash64_of_repeats(std::string_view piece, uint64_t bytes) {
  assert(!piece.empty());
  struct Free {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  const std::unique_ptr<XXH3_state_t, Free> state(XXH3_createState());
  if (state == nullptr) throw std::bad_alloc();
  XXH3_64bits_reset(state.get());
  while (bytes > 0) {
    const auto now = static_cast<size_t>(std::min<uint64_t>(bytes, piece.size()));
    XXH3_64bits_update(state.get(), piece.data(), now);
    bytes -= now;
  }
  return XXH3_64bits_digest(state.get());
}

}  // namespace stepwise
