// Some records of a CSV file at once, as where their cells end: what reads a column goes down the block with one loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stepwise::ingest {

/// A raw cell as its text: without quotes, "" inside them as one. A text with such pairs is put behind what `scratch`
/// holds, and is valid as long as that does not grow beyond its capacity.
std::string_view unquoted(std::string_view raw, std::string& scratch);

/// Up to kRecords records, one after the other in the file, each with as many cells as the header. Valid during the
/// call that delivers it.
class CsvBlock {
 public:
  static constexpr size_t kRecords = 64, kReadable = 32;

  size_t size() const { return size_; }  // records
  size_t cells() const { return width_; }
  /// As it stands in the file, with its quotes. kReadable bytes may be read (not used) from where it begins, however
  /// short it is.
  std::string_view raw(size_t record, size_t cell) const { return column(cell)[record]; }

  /// One cell of every record.
  class Column {
   public:
    std::string_view operator[](size_t record) const {
      const uint32_t* const mark = marks_ + record * step_;
      const uint32_t begin = mark[0] + 1;
      return {base_ + begin, mark[1] - begin};
    }

   private:
    friend class CsvBlock;
    Column(const char* base, const uint32_t* marks, size_t step) : base_(base), marks_(marks), step_(step) {}
    const char* base_;
    const uint32_t* marks_;
    size_t step_;
  };
  Column column(size_t cell) const { return {base_, marks_.data() + cell, width_ + 1}; }

  /// 1 = first after the header, lost ones counted too.
  int64_t number(size_t record) const { return first_number_ + static_cast<int64_t>(record); }
  /// Of the file, 1 = first, where the record begins.
  int64_t line(size_t record) const { return lines_[record]; }

 private:
  friend class CsvReader;
  const char* base_ = nullptr;
  size_t size_ = 0, width_ = 0;
  int64_t first_number_ = 1;
  // Of each record width_ + 1 positions: of the byte before it, and of those that end its cells.
  std::vector<uint32_t> marks_;
  int64_t lines_[kRecords] = {};
};

/// One record's cells as texts, for readers that take one after the other.
class CsvRecord {
 public:
  /// Until it is assigned again, and as long as the block is valid.
  void assign(const CsvBlock& block, size_t record);

  size_t size() const { return cells_.size(); }
  std::string_view operator[](size_t i) const { return cells_[i]; }
  int64_t line() const { return line_; }  // of the file, 1 = first, where the record begins

 private:
  std::vector<std::string_view> cells_;
  std::string scratch_;
  int64_t line_ = 1;
};

}  // namespace stepwise::ingest
