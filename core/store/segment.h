// A segment: all tables of one (rank, group), immutable, in one file, mapped read-only.
//
// File: magic, version, ingest fingerprint, source print | buffers, 64-byte aligned | directory (JSON) |
// directory xxh3 | footer. Little endian. Offsets, never pointers. The directory's checksum is checked at open, each
// buffer's at its first use.
// Made by SegmentBuilder::write: a temporary file in the same folder, then rename. Never truncated, never rewritten.
// Where somebody else does that, what is gone reads as zeros (mapping.h), and the segment is damaged.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/store/mapping.h"
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
  SegmentBuilder() = default;
  SegmentBuilder(const SegmentBuilder&) = delete;  // the tables point to its dictionary
  SegmentBuilder& operator=(const SegmentBuilder&) = delete;

  /// Made on first use, for whoever adds rows or changes them; source_file is what its src_pos points into, relative
  /// to the profile.
  TableBuilder& table(const table::TableDecl& decl);
  /// The table that has been made, for whoever adds no rows: columns that have the same in every row are spread only
  /// if they are asked for.
  TableBuilder& made_table(const table::TableDecl& decl) { return *tables_.find(decl.name)->second.builder; }
  void set_source_file(const table::TableDecl& decl, std::string source_file);
  /// The table has been made.
  const std::string& source_file(const table::TableDecl& decl) const {
    return tables_.find(decl.name)->second.source_file;
  }
  Dictionary& dictionary() { return dictionary_; }
  /// As if it had never been made; what it interned stays in the dictionary.
  void drop(const table::TableDecl& decl) { tables_.erase(decl.name); }
  bool has(const table::TableDecl& decl) const { return tables_.count(decl.name) != 0; }

  /// Errors: io `store.write` (disk full, no right to write); limit `store.dictionary_limit`; bug `store.bad_table`.
  Result<void> write(const std::filesystem::path& path, const SegmentKey& key) const;
  /// The same, but a column's memory is given back as soon as its bytes are with the kernel, which can use it for the
  /// file: otherwise both would stand beside each other. Whatever comes of it, the builder is spent afterwards, unless
  /// no file could be made.
  Result<void> write_and_forget(const std::filesystem::path& path, const SegmentKey& key);
  /// Its rows are gone: nothing but its end may follow.
  bool is_spent() const { return is_spent_; }
  /// The same bytes into a file that has no name. The descriptor stays the caller's.
  Result<void> write_to(int descriptor, const SegmentKey& key) const;

 private:
  struct Entry {
    std::unique_ptr<TableBuilder> builder;
    std::string source_file;
  };
  template <class AfterColumn>
  Result<void> write_tables(int descriptor, const SegmentKey& key, AfterColumn after_column) const;

  Dictionary dictionary_;
  std::map<std::string, Entry, std::less<>> tables_;
  bool is_spent_ = false;
};

/// [any thread]
class Segment {
 public:
  /// Called once, on the thread that found it, when damage turns out after the segment was opened.
  using OnDamage = std::function<void()>;

  /// Errors: io `store.open`; bad_data `store.damaged`, `store.stale` (key or table declarations differ). The last two
  /// mean: make it anew.
  static Result<std::shared_ptr<const Segment>> open(const std::filesystem::path& path, const SegmentKey& expected,
                                                     OnDamage on_damage = {});
  /// Takes the descriptor, also when it fails.
  static Result<std::shared_ptr<const Segment>> open_descriptor(int descriptor, const SegmentKey& expected,
                                                                OnDamage on_damage = {});
  ~Segment();
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  /// nullptr: the segment has no such table (its inputs were absent). A table may be there and have no rows.
  /// A damaged buffer, found at first use, is an error `store.damaged`. The view lives as long as the segment.
  Result<const sw_table*> table(std::string_view name) const;
  std::vector<std::string> table_names() const;
  /// Damage was found, or the file is not as long any more as it was: who keeps the segment for later calls must let it
  /// go and ask the cache anew; what came of reading it may be wrong, unless this is false after the reading.
  bool is_damaged() const;
  /// The same as an error `store.damaged`: asked after reading, it says whether what was read is to be believed.
  Result<void> check() const;
  uint64_t bytes() const { return mapping_.bytes(); }
  /// Hash of the key and of all buffers' checksums: equal hash, equal bytes.
  uint64_t hash() const { return hash_; }
  const SegmentKey& key() const { return key_; }
  /// Read-only. With key(), what another process needs to open the same bytes.
  int descriptor() const { return fd_; }

 private:
  struct Table;
  struct DictionaryView;
  Segment();
  Result<void> map_file();
  Result<void> read_directory(const SegmentKey& expected);
  void make_views(Table& table) const;
  bool is_sound(const Table& table) const;
  bool dictionary_is_sound() const;
  bool is_whole() const;
  void damage_was_found() const;

  SegmentKey key_;
  int fd_ = -1;
  Mapping mapping_;
  uint64_t hash_ = 0;
  OnDamage on_damage_;
  std::unique_ptr<DictionaryView> dictionary_;
  std::map<std::string, std::unique_ptr<Table>, std::less<>> tables_;
  mutable std::mutex verify_mutex_;
  mutable std::atomic<bool> is_damaged_{false};
};

}  // namespace stepwise::store
