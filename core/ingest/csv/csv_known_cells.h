// Cells of one column of texts that were read before, found by their bytes: the few that come again and again are
// neither unquoted, looked up in the dictionary nor checked again.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

namespace stepwise::ingest {

/// Cells come from CsvBlock: 16 bytes may be read from where one begins.
class KnownCells {
 public:
  static constexpr int32_t kUnknown = -1, kNull = -2;

  /// A code of the dictionary, kNull or kUnknown.
  int32_t find(std::string_view raw) const {
    const Ends ends = ends_of(raw);
    const Slot& slot = slots_[slot_of(ends, raw.size())];
    if (slot.size != raw.size() || !(slot.ends == ends)) return kUnknown;
    if (raw.size() > kEnds && std::memcmp(slot.middle.get(), raw.data() + kHalf, raw.size() - kEnds) != 0) {
      return kUnknown;
    }
    return slot.code;
  }
  void remember(std::string_view raw, int32_t code) {
    if (raw.size() > kMostBytes) return;
    const Ends ends = ends_of(raw);
    Slot& slot = slots_[slot_of(ends, raw.size())];
    slot.ends = ends;
    slot.size = static_cast<uint32_t>(raw.size());
    slot.code = code;
    if (raw.size() <= kEnds) return;
    slot.middle = std::make_unique_for_overwrite<char[]>(raw.size() - kEnds);
    std::memcpy(slot.middle.get(), raw.data() + kHalf, raw.size() - kEnds);
  }

 private:
  static constexpr size_t kHalf = 16, kEnds = 2 * kHalf;
  static constexpr size_t kMostBytes = 4096;  // so that no file's long cells are all kept
  static constexpr unsigned kSlotBits = 9;    // enough to keep a column's frequent cells apart

  /// The first and the last 16 bytes, which overlap below 32; of less than 16 these, and zeros.
  struct Ends {
    uint64_t words[4] = {};
    friend bool operator==(const Ends& a, const Ends& b) {
      return ((a.words[0] ^ b.words[0]) | (a.words[1] ^ b.words[1]) | (a.words[2] ^ b.words[2]) |
              (a.words[3] ^ b.words[3])) == 0;
    }
  };
  struct Slot {
    Ends ends;
    uint32_t size = UINT32_MAX;
    int32_t code = kUnknown;
    std::unique_ptr<char[]> middle;  // between the ends
  };

  static Ends ends_of(std::string_view raw) {
    Ends ends;
    std::memcpy(ends.words, raw.data(), kHalf);
    const size_t size = raw.size();
    if (size >= kHalf) {
      std::memcpy(ends.words + 2, raw.data() + size - kHalf, kHalf);
    } else if (size >= 8) {
      ends.words[1] &= (uint64_t{1} << 8 * (size - 8)) - 1;
    } else {
      ends.words[0] &= (uint64_t{1} << 8 * size) - 1;
      ends.words[1] = 0;
    }
    return ends;
  }
  static size_t slot_of(const Ends& ends, size_t size) {
    const uint64_t mixed = (ends.words[0] ^ ends.words[3]) * 0x9E3779B97F4A7C15ull ^
                           (ends.words[1] ^ size) * 0xC2B2AE3D27D4EB4Full ^ ends.words[2];
    return mixed * 0xFF51AFD7ED558CCDull >> (64 - kSlotBits);
  }

  std::array<Slot, size_t{1} << kSlotBits> slots_;
};

}  // namespace stepwise::ingest
