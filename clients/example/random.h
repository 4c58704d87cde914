// The generator's only source of chance: SplitMix64, integers only, so that equal seeds give equal bytes on every
// machine (the distributions of <random> differ between standard libraries).
#pragma once

#include <cstdint>

namespace stepwise::example {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  /// Uniform in [0, n), n below 2^32. The bias of the multiplication is far below what a timing could show.
  int64_t below(int64_t n) { return static_cast<int64_t>(((next() >> 32) * static_cast<uint64_t>(n)) >> 32); }
  /// Uniform in [low, high].
  int64_t between(int64_t low, int64_t high) { return low + below(high - low + 1); }
  bool one_in(int64_t n) { return below(n) == 0; }
  /// A duration around `base_ns`: from 7/8 to 9/8 of it, at least 1.
  int64_t around(int64_t base_ns) { return base_ns - base_ns / 8 + below(base_ns / 4 + 1) + (base_ns == 0); }

 private:
  uint64_t state_;
};

/// An independent stream for each (seed, a, b).
inline Random stream(uint64_t seed, uint64_t a, uint64_t b) {
  Random mix(seed * 0x2545F4914F6CDD1Dull + a);
  return Random(mix.next() ^ (b * 0xD1342543DE82EF95ull + 0x632BE59BD9B4E019ull));
}

}  // namespace stepwise::example
