// Bytes in order, from a plain file or a .gz alike; never the whole file at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "core/base/error.h"

namespace stepwise::ingest {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills as much of `into` as there is; 0 = the end. Errors: io `ingest.read`, bad_data `ingest.gzip`
  /// (a damaged or cut .gz; what came before it was delivered).
  virtual Result<size_t> read(std::span<char> into) = 0;
  /// Bytes of the file on disk, and how many of them were consumed: for progress.
  virtual uint64_t file_bytes() const = 0;
  virtual uint64_t consumed_bytes() const = 0;
};

/// Decides by the first bytes, not by the name. Errors: io `ingest.open`.
Result<std::unique_ptr<ByteSource>> open_source(const std::filesystem::path& path);

}  // namespace stepwise::ingest
