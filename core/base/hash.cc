#include "core/base/hash.h"

#include <xxhash.h>

namespace stepwise {

uint64_t hash64(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace stepwise
