// What readers are given besides their file.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "core/base/error.h"
#include "core/base/limits.h"
#include "core/base/task.h"
#include "core/ingest/base/diagnostics.h"
#include "core/store/segment.h"

namespace stepwise::ingest {

struct KernelRows;  // timeline/kernel_rows.h

struct IngestOptions {
  unsigned threads = 2;                             // of the trace reader
  size_t window_bytes = limits::kTraceWindowBytes;  // tests go down to 64
  size_t csv_chunk_bytes = limits::kCsvChunkBytes;  // tests go down to 1
};

struct InputFile {
  std::filesystem::path path;
  std::string relative_path;  // to the profile's root: how answers call it
};

struct IngestContext {
  const CancelFlag& cancel;
  ProgressGauge& progress;
  Diagnostics& diagnostics;
  IngestOptions options{};
  /// Of a table or timeline that was cut into files: those that go on where the reader's file ends. Only readers of
  /// formats that come in slices are given any.
  std::span<const InputFile> more_slices{};
  /// Of a timeline: the rows of the table kernel of the same rank, which is in another segment. nullptr: the timeline's
  /// own file has them.
  const KernelRows* kernels = nullptr;
  /// Of a GPU's timeline: the execution traces of the same rank, which are in another segment.
  std::span<const InputFile> execution_traces{};
};

}  // namespace stepwise::ingest
