#include "core/ingest/timeline/trace_text_pool.h"

#include <algorithm>
#include <cstring>

#include "core/base/hash.h"

namespace stepwise::ingest {

void TextPool::begin_window(FreshTexts& fresh) {
  fresh_ = &fresh;
  fresh.bytes.clear();
  fresh.ends.clear();
  fresh.restarted = raw_.size() > kMaxBytes || entries_.size() > kMaxTexts;
  if (!fresh.restarted) return;
  raw_.clear();
  entries_.clear();
  std::fill(slots_.begin(), slots_.end(), 0);
}

int32_t TextPool::number_of(std::string_view raw, TextForm form) {
  if (2 * (entries_.size() + 1) > slots_.size()) grow();
  const uint64_t hash = hash64(raw, static_cast<uint64_t>(form));
  const size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const Entry& entry = entries_[slots_[slot] - 1];
    if (entry.hash == hash && entry.length == raw.size() && entry.form == form &&
        std::memcmp(raw_.data() + entry.begin, raw.data(), raw.size()) == 0) {
      return static_cast<int32_t>(slots_[slot] - 1);
    }
  }
  return add(raw, form, hash, slot);
}

int32_t TextPool::add(std::string_view raw, TextForm form, uint64_t hash, size_t slot) {
  const size_t fresh_before = fresh_->bytes.size();
  if (!unescape(raw, form, fresh_->bytes)) {
    fresh_->bytes.resize(fresh_before);
    return kNoText;
  }
  fresh_->ends.push_back(fresh_->bytes.size());
  entries_.push_back({hash, raw_.size(), static_cast<uint32_t>(raw.size()), form});
  raw_.append(raw);
  slots_[slot] = static_cast<uint32_t>(entries_.size());
  return static_cast<int32_t>(entries_.size()) - 1;
}

void TextPool::grow() {
  slots_.assign(std::max<size_t>(1024, 2 * slots_.size()), 0);
  const size_t mask = slots_.size() - 1;
  for (size_t i = 0; i < entries_.size(); ++i) {
    size_t slot = entries_[i].hash & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<uint32_t>(i) + 1;
  }
}

}  // namespace stepwise::ingest
