#include "core/store/mapping.h"

#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace stepwise::store {
namespace {

/// A mapping as the handler sees it. Atomics alone: a handler may interrupt anything, also a thread that holds a lock.
struct Known {
  std::atomic<bool> is_taken{false};
  std::atomic<bool> is_broken{false};
  std::atomic<uintptr_t> begin{0}, end{0};  // begin is written last and cleared first; 0: nothing is here
};
static_assert(std::atomic<uintptr_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

// As many as a process may map (vm.max_map_count is 65,530); pages of it that nobody has used yet take no memory.
std::array<Known, 1u << 16> known;
std::atomic<uint32_t> next_place{0};
struct sigaction handler_before {};

std::optional<uint32_t> take_place(uintptr_t begin, uint64_t bytes) {
  for (size_t tried = 0; tried < known.size(); ++tried) {
    const auto place = static_cast<uint32_t>(next_place.fetch_add(1, std::memory_order_relaxed) % known.size());
    Known& one = known[place];
    if (one.is_taken.exchange(true, std::memory_order_acquire)) continue;
    one.is_broken.store(false, std::memory_order_relaxed);
    one.end.store(begin + bytes, std::memory_order_release);  // after begin was cleared
    one.begin.store(begin, std::memory_order_release);
    return place;
  }
  return std::nullopt;
}

void leave_place(uint32_t place) {
  known[place].begin.store(0, std::memory_order_release);
  known[place].is_taken.store(false, std::memory_order_release);
}

/// Zeros instead of the whole file: a reader that goes on must not see half of it. False: the address is in no mapping.
bool put_zeros(uintptr_t at) {
  for (Known& one : known) {
    const uintptr_t begin = one.begin.load(std::memory_order_acquire);
    const uintptr_t end = one.end.load(std::memory_order_acquire);
    if (begin == 0 || at < begin || at >= end) continue;
    if (one.begin.load(std::memory_order_relaxed) != begin) continue;  // another mapping's end
    one.is_broken.store(true, std::memory_order_release);
    return ::mmap(reinterpret_cast<void*>(begin), end - begin, PROT_READ,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED;
  }
  return false;
}

/// On whichever thread read what is gone. Nothing here takes a lock or memory. The mapping stays as long as that thread
/// reads it, so its place cannot become another's meanwhile.
void on_bus_error(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  const bool is_ours = info->si_code > 0 && put_zeros(reinterpret_cast<uintptr_t>(info->si_addr));
  errno = error;
  if (is_ours) return;
  if ((handler_before.sa_flags & SA_SIGINFO) != 0) return handler_before.sa_sigaction(signal, info, context);
  ::sigaction(signal, &handler_before, nullptr);
  ::raise(signal);  // waits until this handler returns
}

void install_handler() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, &handler_before);
  });
}

Error cannot_map(int error_number) {
  return {ErrorKind::io, "store.open",
          std::string("A cached segment cannot be mapped: ") + std::strerror(error_number) + ".", ""};
}

}  // namespace

Result<Mapping> Mapping::of(int descriptor, uint64_t bytes) {
  install_handler();
  void* const mapped = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor, 0);
  if (mapped == MAP_FAILED) return cannot_map(errno);
  const auto place = take_place(reinterpret_cast<uintptr_t>(mapped), bytes);
  if (!place) {
    ::munmap(mapped, bytes);
    return cannot_map(ENOMEM);
  }
  return Mapping(static_cast<const char*>(mapped), bytes, *place);
}

Mapping::~Mapping() {
  if (data_ == nullptr) return;
  leave_place(place_);
  ::munmap(const_cast<char*>(data_), bytes_);
}

bool Mapping::is_broken() const { return data_ != nullptr && known[place_].is_broken.load(std::memory_order_acquire); }

void Mapping::swap(Mapping& other) {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(place_, other.place_);
}

}  // namespace stepwise::store
