// What is fuzzed: functions that take any bytes and must come back. The same functions run over the kept corpus in
// every test run (replay_test.cc), and under libFuzzer by hand (./dev fuzz).
#pragma once

#include <span>
#include <string_view>

namespace stepwise::fuzz {

struct Target {
  std::string_view name;  // also of its folder in the corpus
  /// Stops the process if something that must hold does not.
  void (*run)(std::string_view target, std::string_view bytes);
};

std::span<const Target> targets();
/// nullptr: none of that name.
const Target* find_target(std::string_view name);

/// Says what does not hold, and aborts.
void demand(bool holds, std::string_view target, const char* what);

// One file each.
void run_reader(std::string_view target, std::string_view bytes);
void run_splitter(std::string_view target, std::string_view bytes);
void run_message(std::string_view target, std::string_view bytes);
void run_manifest(std::string_view target, std::string_view bytes);

}  // namespace stepwise::fuzz
