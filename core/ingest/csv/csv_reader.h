// Records of a CSV file out of bytes that come in chunks of any size. Quotes as RFC 4180 and Python's csv module read
// them: a quote opens a quoted cell only at the cell's beginning, "" inside is one quote, line breaks inside are kept.
// Rows end in LF or CR LF; a BOM and blank lines are passed over.
//
// The caller writes into room() and calls commit(); records are delivered as they become complete, as views into the
// reader's own buffer, so that a plain cell is never copied. How the bytes were cut into chunks changes nothing but
// how many records come at once.
// One thread. Nothing here is an error: what cannot be delivered goes to CsvHandler::lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/limits.h"
#include "core/ingest/csv/csv_block.h"
#include "core/ingest/csv/csv_mask.h"

namespace stepwise::ingest {

enum class CsvLoss : uint8_t {
  ragged,            // more or fewer cells than the header
  too_long,          // over the limit of bytes
  cut,               // the input ended inside it
  header_too_wide,   // over the limit of columns or bytes; nothing more is delivered
  no_final_newline,  // not lost: the last record was delivered, but its last cell may be cut
};

class CsvHandler {
 public:
  virtual ~CsvHandler() = default;
  /// The first record. False: nothing more is delivered.
  virtual bool header(const CsvRecord& record) = 0;
  /// Records with as many cells as the header, or padded to as many.
  virtual void rows(const CsvBlock& block) = 0;
  /// cells: how many the record has, where that is known.
  virtual void lost(CsvLoss loss, int64_t line, size_t cells) = 0;
};

/// Takes one record after the other.
class CsvRecordHandler : public CsvHandler {
 public:
  /// number: 1 = first after the header, lost ones counted too.
  virtual void row(const CsvRecord& record, int64_t number) = 0;
  void rows(const CsvBlock& block) final {
    for (size_t i = 0; i < block.size(); ++i) {
      record_.assign(block, i);
      row(record_, block.number(i));
    }
  }

 private:
  CsvRecord record_;
};

class CsvReader {
 public:
  explicit CsvReader(CsvHandler& handler, size_t max_record_bytes = limits::kMaxCsvRecordBytes);

  /// Records with fewer cells than the header are rows whose last cells are empty, unless the input ends in them.
  void accept_short_rows() { accepts_short_ = true; }
  /// Records after the header so far, lost ones counted too.
  int64_t row_number() const { return row_number_; }

  /// Where the next `bytes` bytes of the input go.
  std::span<char> room(size_t bytes);
  /// So many bytes were written into the last room().
  void commit(size_t bytes);
  /// No more input. broken: it stopped before its end, so that what is unfinished is certainly cut.
  void finish(bool broken);
  /// The header was refused.
  bool stopped() const { return stopped_; }

 private:
  enum class State : uint8_t { plain, quoted, quote_seen };
  void scan();
  CsvMask mask_at(ptrdiff_t at, ptrdiff_t bytes) const;
  void take_well_formed();
  uint32_t* put_marks(uint32_t* mark, uint64_t ends) const;
  void take_one_by_one(const CsvMask& mask);
  void on_structural(ptrdiff_t at);
  void skip_bom(ptrdiff_t at);
  void end_cell(ptrdiff_t at);
  void end_record(ptrdiff_t at, ptrdiff_t next);
  void deliver();
  void begin_rows();
  void flush();
  void lose(CsvLoss loss, int64_t line, size_t cells);
  void refuse_header();
  void begin_record(ptrdiff_t at);

  CsvHandler& handler_;
  const ptrdiff_t max_record_bytes_;
  std::vector<char> buffer_;
  // Positions in the buffer; signed, since those of a record being skipped may lie before it.
  ptrdiff_t end_ = 0, scanned_ = 0, record_begin_ = 0, cell_begin_ = 0, quote_at_ = 0;
  State state_ = State::plain;
  bool skipping_ = false, stopped_ = false, has_header_ = false, at_start_ = true, ending_ = false;
  bool accepts_short_ = false;
  size_t size_ = 0;  // cells of the record at hand that have ended
  int64_t line_ = 1, record_line_ = 1, row_number_ = 0;
  CsvBlock block_;             // whole records, and behind them the one at hand
  uint32_t* marks_ = nullptr;  // of that
};

}  // namespace stepwise::ingest
