#include "core/store/dictionary.h"

#include <algorithm>
#include <cstring>

#include "core/base/hash.h"

namespace stepwise::store {
namespace {

constexpr size_t kBlockBytes = 1u << 16;
constexpr size_t kFirstSlots = 64;

}  // namespace

int32_t Dictionary::intern(std::string_view text) {
  if (strings_.size() * 4 >= slots_.size() * 3) grow();
  const auto hash = static_cast<uint32_t>(hash64(text));
  const size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  for (; slots_[at].code >= 0; at = (at + 1) & mask) {
    if (slots_[at].hash == hash && this->at(slots_[at].code) == text) return slots_[at].code;
  }
  const auto code = static_cast<int32_t>(strings_.size());
  slots_[at] = {hash, code};
  strings_.push_back(keep(text));
  bytes_ += text.size();
  return code;
}

std::string_view Dictionary::keep(std::string_view text) {
  if (text.empty()) return {};
  if (text.size() > free_bytes_) {
    free_bytes_ = std::max(kBlockBytes, text.size());
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(free_bytes_));
    free_ = blocks_.back().get();
  }
  std::memcpy(free_, text.data(), text.size());
  const std::string_view kept(free_, text.size());
  free_ += text.size();
  free_bytes_ -= text.size();
  return kept;
}

void Dictionary::grow() {
  std::vector<Slot> larger(std::max(kFirstSlots, slots_.size() * 2));
  const size_t mask = larger.size() - 1;
  for (const Slot& slot : slots_) {
    if (slot.code < 0) continue;
    size_t at = slot.hash & mask;
    while (larger[at].code >= 0) at = (at + 1) & mask;
    larger[at] = slot;
  }
  slots_ = std::move(larger);
}

}  // namespace stepwise::store
