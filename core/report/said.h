// What analyses say in sentences of their own (evidence, windows, what is missing, why to look further), in the
// report's language. They answer in English, to models and people alike; a report for Chinese readers has it in
// Chinese. [any thread]
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/report/words.h"

namespace stepwise::report {

/// {0}, {1}... stand for any text that is not empty. In `zh` {0} is that text, {0:said} the same in Chinese where it is
/// itself such a sentence, {0:stage} its label of that kind (words.h).
struct SaidPattern {
  std::string_view en, zh;
};

/// The text itself in English; in Chinese by the first pattern that is all of it. One that no pattern knows stays as it
/// is, so that it is seen.
std::string said(Lang lang, std::string_view text);

/// As `said` with these patterns alone.
std::string said_by(std::span<const SaidPattern> patterns, std::string_view text);

std::span<const SaidPattern> said_of_evidence();  // and of windows
std::span<const SaidPattern> said_of_gaps();      // what is missing and what that costs, warnings, why not
std::span<const SaidPattern> said_of_next();      // why to call what

}  // namespace stepwise::report
