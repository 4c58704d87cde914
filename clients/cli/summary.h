// One screen that says where the step's time goes and what to look at next: at most 24 lines. [any thread]
#pragma once

#include <string>
#include <vector>

#include "clients/cli/terminal.h"
#include "core/report/digest.h"
#include "core/report/words.h"

namespace stepwise::cli {

struct SummaryPlace {
  std::vector<std::string> files;  // as people can open them
  std::string note;                // why they are not where they were wanted; empty: they are
};

inline constexpr size_t kSummaryLines = 24;

std::string summary_screen(const report::Digest& facts, const SummaryPlace& place, const Terminal& terminal,
                           report::Lang lang);

}  // namespace stepwise::cli
