#include "core/query/memory_limit.h"

#include <malloc.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <mutex>

namespace stepwise::query {
namespace {

constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

struct Account {
  int64_t used = 0, peak = 0, limit = kNoLimit;

  bool take(int64_t bytes) {
    if (used + bytes > limit) return false;
    used += bytes;
    peak = std::max(peak, used);
    return true;
  }
};
thread_local Account account;

int64_t size_of(void* block) { return static_cast<int64_t>(malloc_usable_size(block)); }

void* allocate(int bytes) {
  if (!account.take(bytes)) return nullptr;
  void* block = std::malloc(static_cast<size_t>(bytes));
  account.used += (block == nullptr ? 0 : size_of(block)) - bytes;
  return block;
}

void release(void* block) {
  account.used -= size_of(block);
  std::free(block);
}

void* resize(void* block, int bytes) {
  const int64_t before = size_of(block);
  if (!account.take(bytes - before)) return nullptr;
  void* moved = std::realloc(block, static_cast<size_t>(bytes));
  account.used += (moved == nullptr ? before : size_of(moved)) - bytes;
  return moved;
}

int block_size(void* block) { return static_cast<int>(malloc_usable_size(block)); }
int round_up(int bytes) { return (bytes + 7) & ~7; }
int start(void*) { return SQLITE_OK; }
void end(void*) {}

}  // namespace

bool install_memory_limit() {
  static const bool installed = [] {
    static const sqlite3_mem_methods methods = {allocate, release, resize, block_size, round_up, start, end, nullptr};
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) == SQLITE_OK;
  }();
  return installed;
}

MemoryLimit::MemoryLimit(size_t bytes) { account = {0, 0, static_cast<int64_t>(bytes)}; }
MemoryLimit::~MemoryLimit() { account.limit = kNoLimit; }
int64_t MemoryLimit::peak_bytes() const { return account.peak; }

}  // namespace stepwise::query
