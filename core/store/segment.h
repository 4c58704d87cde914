// A segment: all tables of one (rank, group), immutable, in one file, mapped read-only.
//
// File: magic, version, ingest fingerprint, source print | buffers, 64-byte aligned | directory (JSON) |
// directory xxh3 | footer. Little endian. Offsets, never pointers. The directory's checksum is checked at open, each
// buffer's at its first use.
// Made by SegmentBuilder::write: a temporary file in the same folder, then rename. Never truncated, never rewritten:
// whoever has it mapped would fault.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/store/table_builder.h"
#include "stepwise/plugin.h"

namespace stepwise::store {

/// What a segment was made from; a segment whose key differs from what the cache asks for is stale.
struct SegmentKey {
  uint64_t ingest_print = 0;  // of the readers' and table declarations' sources, from the build
  uint64_t source_print = 0;  // of the sources' paths, sizes, times of change, inodes
  friend bool operator==(const SegmentKey&, const SegmentKey&) = default;
};

class SegmentBuilder {
 public:
  /// Made on first use; source_file is what its src_pos points into, relative to the profile.
  TableBuilder& table(const table::TableDecl& decl);
  void set_source_file(const table::TableDecl& decl, std::string source_file);
  Dictionary& dictionary() { return dictionary_; }
  bool has(const table::TableDecl& decl) const { return tables_.count(decl.name) != 0; }

  /// Errors: io `store.write` (disk full, no right to write).
  Result<void> write(const std::filesystem::path& path, const SegmentKey& key) const;

 private:
  struct Entry {
    std::unique_ptr<TableBuilder> builder;
    std::string source_file;
  };
  Dictionary dictionary_;
  std::map<std::string, Entry, std::less<>> tables_;
};

/// [any thread]
class Segment {
 public:
  /// Errors: io `store.open`; bad_data `store.damaged`, `store.stale` (key differs). The last two mean: make it anew.
  static Result<std::shared_ptr<const Segment>> open(const std::filesystem::path& path, const SegmentKey& expected);
  ~Segment();
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  /// nullptr: the segment has no such table (its inputs were absent). A table may be there and have no rows.
  /// A damaged buffer, found at first use, is an error `store.damaged`.
  Result<const sw_table*> table(std::string_view name) const;
  std::vector<std::string> table_names() const;
  uint64_t bytes() const { return size_; }
  /// Hash of the key and of all buffers' checksums: equal hash, equal bytes.
  uint64_t hash() const { return hash_; }
  int descriptor() const { return fd_; }

 private:
  struct Table;
  Segment() = default;
  int fd_ = -1;
  const char* data_ = nullptr;
  uint64_t size_ = 0, hash_ = 0;
  mutable std::mutex verify_mutex_;
  std::map<std::string, std::unique_ptr<Table>, std::less<>> tables_;
};

}  // namespace stepwise::store
