#include "core/base/hash.h"

#include <string>

#include "tests/catch.h"

using namespace stepwise;

TEST_CASE("the hash of a piece that repeats is that of all its bytes") {
  std::string piece;
  for (int i = 0; i < 1000; ++i) piece += static_cast<char>(i * 7);
  for (const size_t piece_bytes : {size_t{1}, size_t{8}, size_t{1000}}) {
    // Short, around the sizes where XXH3 changes its ways, and cut anywhere.
    for (const size_t bytes : {0, 1, 7, 8, 16, 17, 128, 129, 240, 241, 999, 1000, 1001, 4096, 100'003}) {
      std::string all;
      while (all.size() < bytes) all += piece.substr(0, piece_bytes);
      all.resize(bytes);
      CHECK(hash64_of_repeats(std::string_view(piece).substr(0, piece_bytes), bytes) == hash64(all));
    }
  }
}
