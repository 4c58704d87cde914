// A synthetic profile, simulated from a seed: the files that torch_npu's profiler (text export of January 2025) would
// write for a training run of a recommendation model or of a language model, or msprof's and GE's of a recommendation
// model's inference; and beside them truth.json: what the tools must answer, computed from the simulation itself and
// never by reading the files back.
//
// Equal options give equal bytes. Memory is bounded by one step of one rank, disk by the events asked for.
// One thread; write_example may be called from several threads on different directories.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/error.h"

namespace stepwise::example {

struct ExampleOptions {
  std::filesystem::path dir;          // created; an earlier example in it is replaced, anything else refused
  std::string kind = "recsys-train";  // recsys-train, recsys-infer, llm-train
  std::string export_form = "text";   // text, db (SQLite), both: the same run
  int64_t events = 20'000;            // trace events of one rank; raised to what the model needs at least
  int ranks = 2;                      // 1 to 64
  int steps = 5;                      // 1 to 10,000
  uint64_t seed = 1;
};

struct ExampleReport {
  int64_t events_per_rank = 0;  // as written: options.events, or the minimum if that is more
  int64_t minimum_events = 0;   // of this model with these ranks, steps and seed
  int64_t bytes = 0;            // of all files
  int64_t files = 0;
  std::filesystem::path truth;  // dir/truth.json
};

/// Errors: usage `example.kind`, `example.option` (a number out of range, an unknown export), `example.occupied`; io
/// `example.write`.
Result<ExampleReport> write_example(const ExampleOptions& options);

}  // namespace stepwise::example
