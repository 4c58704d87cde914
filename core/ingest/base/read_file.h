// A source file's bytes into a reader, with what all readers share: cancellation, progress, and what goes wrong with
// files themselves.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "core/ingest/base/context.h"

namespace stepwise::ingest {

enum class ReadEnd : uint8_t {
  whole,    // every byte was taken
  stopped,  // the reader wanted no more
  broken,   // reading failed before the end: counted; what came before was taken
  nothing,  // no byte: counted
};

/// Of the file on disk: compressed bytes of a .gz.
struct FilePosition {
  uint64_t consumed_bytes = 0, file_bytes = 0;
};

struct ByteSink {
  std::function<std::span<char>()> room;              // where the next bytes go
  std::function<bool(size_t)> commit;                 // so many came; false: no more wanted
  std::function<void(const FilePosition&)> passed{};  // after each commit, if wanted
};

/// Counts file_empty, file_unreadable, gzip_damaged. Errors: cancelled.
Result<ReadEnd> read_file(const std::filesystem::path& file, const std::string& relative_path, IngestContext& context,
                          const ByteSink& sink);

/// The whole file as text, for summaries that are read at once. Beyond max_bytes: file_unreadable, nothing.
Result<ReadEnd> read_whole_file(const std::filesystem::path& file, const std::string& relative_path,
                                IngestContext& context, size_t max_bytes, std::string& text);

}  // namespace stepwise::ingest
