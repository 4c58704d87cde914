// What the time of a query is measured by.
#pragma once

#include "core/base/clock.h"

namespace stepwise::query {

/// The time that the processor has worked for the thread that asks. Lives as long as the program.
const Clock& thread_work_clock();

struct QueryClocks {
  const Clock& work = thread_work_clock();
  const Clock& wall = Clock::steady();
};

}  // namespace stepwise::query
