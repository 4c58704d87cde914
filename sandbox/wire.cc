#include "sandbox/wire.h"

#include <cstring>

namespace stepwise::sandbox {

PayloadWriter& PayloadWriter::raw(const void* data, size_t bytes) {
  payload_.append(static_cast<const char*>(data), bytes);
  return *this;
}

PayloadWriter& PayloadWriter::text(std::string_view value) {
  u64(value.size());
  return raw(value.data(), value.size());
}

void PayloadReader::take(void* out, size_t bytes) {
  if (!whole_ || rest_.size() < bytes) {
    whole_ = false;
    return;
  }
  std::memcpy(out, rest_.data(), bytes);
  rest_.remove_prefix(bytes);
}

std::string_view PayloadReader::text() {
  const uint64_t bytes = u64();
  if (!whole_ || rest_.size() < bytes) {
    whole_ = false;
    return {};
  }
  const std::string_view value = rest_.substr(0, bytes);
  rest_.remove_prefix(bytes);
  return value;
}

}  // namespace stepwise::sandbox
