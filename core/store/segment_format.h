// The bytes of a segment file that are not column data: header, directory, footer. Internal to core/store.
//
//   header (64 bytes) | buffers, each at a multiple of 64 and padded with zeros to one | directory (JSON) | footer
//
// Every byte of the file is checked: the footer's checksum covers header and directory, each buffer has its own, and
// padding must be zero.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "stepwise/table.hpp"

namespace stepwise::store {

static_assert(std::endian::native == std::endian::little, "segment files are mapped as they are: little endian");

inline constexpr std::string_view kSegmentMagic = "STEPWSEG";
inline constexpr uint32_t kSegmentVersion = 1;
inline constexpr uint64_t kBufferAlignment = 64;

struct FileHeader {
  char magic[8];
  uint32_t version, header_bytes;
  uint64_t ingest_print, source_print;
  char reserved[32];
};
static_assert(sizeof(FileHeader) == kBufferAlignment);

struct FileFooter {
  uint64_t directory_offset, directory_bytes;
  uint64_t checksum;  // of header and directory
  char magic[8];
};
static_assert(sizeof(FileFooter) == 32);

inline constexpr uint64_t padded_bytes(uint64_t bytes) {
  return (bytes + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
}
inline constexpr uint64_t value_bytes(table::Type type) {
  switch (type) {
    case table::Type::i64:
      return sizeof(int64_t);
    case table::Type::f64:
      return sizeof(double);
    case table::Type::u8:
      return sizeof(uint8_t);
    case table::Type::code:
      return sizeof(int32_t);
  }
  return 0;
}

/// Where a buffer lies; bytes and checksum are without padding.
struct BufferEntry {
  uint64_t offset = 0, bytes = 0, checksum = 0;
};
struct ColumnEntry {
  std::string name;
  table::Type type = table::Type::i64;
  table::Unit unit = table::Unit::none;
  uint64_t null_count = 0;
  BufferEntry data;
  std::optional<BufferEntry> validity;  // absent: no nulls
};
struct TableEntry {
  std::string name, source_file;
  uint64_t rows = 0;
  std::vector<ColumnEntry> columns;
};
/// One dictionary for all code columns of the segment.
struct DictionaryEntry {
  uint64_t count = 0;
  BufferEntry offsets, bytes;
};
struct Directory {
  DictionaryEntry dictionary;
  std::vector<TableEntry> tables;
};

std::string directory_to_text(const Directory& directory);
/// Believes nothing: every buffer lies whole in [header, buffers_end) and has the size that rows and type ask for.
/// Errors: bad_data `store.damaged`.
Result<Directory> directory_from_text(std::string_view text, uint64_t buffers_end);

uint64_t directory_checksum(const FileHeader& header, std::string_view directory);

Error damaged_segment(std::string what);

}  // namespace stepwise::store
