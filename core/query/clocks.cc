#include "core/query/clocks.h"

#include <ctime>

namespace stepwise::query {

const Clock& thread_work_clock() {
  class ThreadWork final : public Clock {
    TimePoint now() const override {
      timespec time{};
      // It exists wherever Linux runs; were it refused, the wall's time would still end a query.
      if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) return {};
      return TimePoint(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
    }
  };
  static const ThreadWork clock;
  return clock;
}

}  // namespace stepwise::query
