// Strings of a segment, numbered in the order of first appearance. One thread at a time. Found by a hash table of
// our own: readers look up several strings for each row, and nearly all are known already.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace stepwise::store {

class Dictionary {
 public:
  int32_t intern(std::string_view text);
  /// Stays valid as long as the dictionary.
  std::string_view at(int32_t code) const { return strings_[static_cast<size_t>(code)]; }
  size_t size() const { return strings_.size(); }
  size_t bytes() const { return bytes_; }

 private:
  struct Slot {
    uint32_t hash = 0;
    int32_t code = -1;  // -1: free
  };
  std::string_view keep(std::string_view text);
  void grow();

  std::vector<std::unique_ptr<char[]>> blocks_;  // never move what they hold
  char* free_ = nullptr;                         // rest of the last block
  size_t free_bytes_ = 0;
  std::vector<std::string_view> strings_;
  std::vector<Slot> slots_;  // a power of two of them, at most three quarters taken
  size_t bytes_ = 0;
};

}  // namespace stepwise::store
