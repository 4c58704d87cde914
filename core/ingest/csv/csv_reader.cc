#include "core/ingest/csv/csv_reader.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

namespace stepwise::ingest {
namespace {

constexpr ptrdiff_t kMaskBytes = 64;  // that csv_mask reads
/// Behind the bytes: what is read with the last of them, and the places of cells that a short row does not have.
constexpr ptrdiff_t kSlack = kMaskBytes + static_cast<ptrdiff_t>(limits::kMaxCsvColumns);
constexpr std::string_view kBom = "\xEF\xBB\xBF";

/// Where a record of `width` cells may have more of them: those that end in one mask.
size_t marks_of(size_t records, size_t width) { return records * (width + 1) + static_cast<size_t>(kMaskBytes) + 1; }

}  // namespace

CsvReader::CsvReader(CsvHandler& handler, size_t max_record_bytes)
    : handler_(handler), max_record_bytes_(static_cast<ptrdiff_t>(max_record_bytes)) {
  block_.width_ = limits::kMaxCsvColumns;
  block_.marks_.resize(marks_of(1, block_.width_));
  begin_record(0);
}

std::span<char> CsvReader::room(size_t bytes) {
  const auto wanted = static_cast<ptrdiff_t>(bytes);
  if (end_ + wanted + kSlack > std::ssize(buffer_)) {
    const ptrdiff_t from = record_begin_;
    if (end_ > from) std::memmove(buffer_.data(), buffer_.data() + from, static_cast<size_t>(end_ - from));
    for (ptrdiff_t* position : {&end_, &scanned_, &record_begin_, &cell_begin_, &quote_at_}) *position -= from;
    const size_t marked = skipping_ ? 0 : std::min(size_, block_.width_) + 1;
    for (size_t i = 0; i < marked; ++i) marks_[i] -= static_cast<uint32_t>(from);
    // Doubling keeps the copying of a record that spans many chunks linear.
    const ptrdiff_t needed = end_ + wanted + kSlack;
    if (needed > std::ssize(buffer_)) {
      buffer_.resize(static_cast<size_t>(std::max<ptrdiff_t>(needed, 2 * std::ssize(buffer_))));
    }
  }
  return {buffer_.data() + end_, bytes};
}

void CsvReader::commit(size_t bytes) {
  end_ += static_cast<ptrdiff_t>(bytes);
  scan();
  if (stopped_) return;
  // Before the bytes move. The record at hand becomes the first of the next block.
  const uint32_t* const unfinished = marks_;
  flush();
  marks_ = block_.marks_.data();
  std::copy_n(unfinished, std::min(size_, block_.width_) + 1, marks_);
  if (!skipping_ && end_ - record_begin_ > max_record_bytes_) {
    skipping_ = true;
    if (!has_header_) refuse_header();
  }
  if (skipping_) record_begin_ = end_;  // nothing of it is needed any more
}

void CsvReader::scan() {
  while (scanned_ < end_ && !stopped_) {
    // Nearly all files are written so well that pairs of quotes tell what is inside them.
    if (has_header_ && !skipping_) take_well_formed();
    if (scanned_ == end_) return;
    const ptrdiff_t bytes = std::min(kMaskBytes, end_ - scanned_);
    take_one_by_one(mask_at(scanned_, bytes));
    scanned_ += bytes;
  }
}

inline CsvMask CsvReader::mask_at(ptrdiff_t at, ptrdiff_t bytes) const {
  CsvMask mask = csv_mask(buffer_.data() + at);
  if (bytes < kMaskBytes) mask.keep(first_bits(static_cast<size_t>(bytes)));
  return mask;
}

/// The cells and records that end in the bytes up to the first that hold a quote where it neither opens a cell, closes
/// one, nor is one of a pair, and does not count.
void CsvReader::take_well_formed() {
  uint32_t* mark = marks_ + 1 + std::min(size_, block_.width_);
  const uint32_t* first = mark;                       // not counted in size_ yet
  mark[-1] = static_cast<uint32_t>(cell_begin_ - 1);  // also where there are more cells than marks
  uint64_t is_inside = state_ == State::quoted ? ~uint64_t{0} : 0;
  bool may_go_on = state_ == State::quote_seen && quote_at_ == scanned_ - 1;  // another quote would be one of a pair
  for (ptrdiff_t bytes = 0; scanned_ < end_; scanned_ += bytes) {
    bytes = std::min(kMaskBytes, end_ - scanned_);
    const CsvMask mask = mask_at(scanned_, bytes);
    uint64_t separators = mask.commas | mask.lines;
    if ((mask.quotes | is_inside) != 0) {
      const uint64_t inside = inside_of_quotes(mask.quotes) ^ is_inside;
      separators &= ~inside;
      const bool first_may_open = may_go_on || mark[-1] + 1 == static_cast<uint32_t>(scanned_);
      const uint64_t may_open = (separators | mask.quotes) << 1 | uint64_t{first_may_open};
      if ((mask.quotes & inside & ~may_open) != 0) break;
      is_inside = inside >> 63 != 0 ? ~uint64_t{0} : 0;
    }
    may_go_on = is_inside == 0 && (mask.quotes >> (bytes - 1) & 1) != 0;
    uint64_t lines = mask.lines;  // inside of quotes, too
    for (uint64_t ends = mask.lines & separators; ends != 0; ends &= ends - 1) {
      const uint64_t end = ends & (~ends + 1), before = end - 1;
      mark = put_marks(mark, separators & before);
      if ((lines & before) != 0) line_ += std::popcount(lines & before);
      ++line_;
      separators &= ~(before | end);
      lines &= ~(before | end);
      size_ += static_cast<size_t>(mark - first);
      cell_begin_ = static_cast<ptrdiff_t>(mark[-1] + 1);
      const ptrdiff_t at = scanned_ + std::countr_zero(end);
      end_record(at, at + 1);
      first = mark = marks_ + 1;
    }
    mark = put_marks(mark, separators);
    if (lines != 0) line_ += std::popcount(lines);
    if (uint32_t* const most = marks_ + 1 + block_.width_; mark > most) {  // the header has fewer
      size_ += static_cast<size_t>(mark - first);
      most[-1] = mark[-1];
      first = mark = most;
    }
  }
  size_ += static_cast<size_t>(mark - first);
  cell_begin_ = static_cast<ptrdiff_t>(mark[-1] + 1);
  state_ = is_inside != 0 ? State::quoted : may_go_on ? State::quote_seen : State::plain;
  quote_at_ = scanned_ - 1;
}

/// Where the bytes scanned stand that end cells.
inline uint32_t* CsvReader::put_marks(uint32_t* mark, uint64_t ends) const {
  const auto at = static_cast<uint32_t>(scanned_);
  for (; ends != 0; ends &= ends - 1) *mark++ = at + static_cast<uint32_t>(std::countr_zero(ends));
  return mark;
}

void CsvReader::take_one_by_one(const CsvMask& mask) {
  for (uint64_t bits = mask.all(); bits != 0 && !stopped_; bits &= bits - 1) {
    on_structural(scanned_ + std::countr_zero(bits));
  }
}

void CsvReader::on_structural(ptrdiff_t at) {
  const char c = buffer_[static_cast<size_t>(at)];
  if (at_start_) skip_bom(at);
  if (state_ == State::quoted) {
    if (c == '"') {
      state_ = State::quote_seen;
      quote_at_ = at;
    } else if (c == '\n') {
      ++line_;
    }
    return;
  }
  if (state_ == State::quote_seen) {
    if (c == '"' && at == quote_at_ + 1) {
      state_ = State::quoted;
      return;
    }
    state_ = State::plain;  // that quote closed the cell
  }
  if (c == ',') {
    end_cell(at);
  } else if (c == '\n') {
    ++line_;
    end_record(at, at + 1);
  } else if (at == cell_begin_) {
    state_ = State::quoted;
  }
}

void CsvReader::skip_bom(ptrdiff_t at) {
  at_start_ = false;
  if (at >= std::ssize(kBom) && std::memcmp(buffer_.data(), kBom.data(), kBom.size()) == 0) {
    cell_begin_ = std::ssize(kBom);
    marks_[0] = static_cast<uint32_t>(cell_begin_ - 1);
  }
}

inline void CsvReader::end_cell(ptrdiff_t at) {
  if (size_ < block_.width_ && !skipping_) marks_[size_ + 1] = static_cast<uint32_t>(at);
  ++size_;
  cell_begin_ = at + 1;
}

void CsvReader::end_record(ptrdiff_t at, ptrdiff_t next) {
  const bool is_long = skipping_ || at - record_begin_ > max_record_bytes_;
  if (at > cell_begin_ && buffer_[static_cast<size_t>(at - 1)] == '\r') --at;
  const bool is_blank = size_ == 0 && at == cell_begin_ && !skipping_;
  end_cell(at);
  if (!has_header_ && is_long) {
    refuse_header();
  } else if (is_long) {
    ++row_number_;
    lose(CsvLoss::too_long, record_line_, size_);
  } else if (!is_blank) {
    deliver();
  }
  begin_record(next);
}

inline void CsvReader::deliver() {
  if (!has_header_) return begin_rows();
  ++row_number_;
  const size_t width = block_.width_;
  if (accepts_short_ && !ending_) {
    for (; size_ < width; ++size_) marks_[size_ + 1] = marks_[size_] + 1;
  }
  if (size_ != width) return lose(ending_ ? CsvLoss::cut : CsvLoss::ragged, record_line_, size_);
  if (block_.size_ == 0) block_.first_number_ = row_number_;
  block_.lines_[block_.size_++] = record_line_;
  if (block_.size_ == CsvBlock::kRecords) flush();
}

/// The record at hand is the header.
void CsvReader::begin_rows() {
  if (size_ > block_.width_) return refuse_header();
  has_header_ = true;
  block_.width_ = size_;
  block_.marks_.resize(marks_of(CsvBlock::kRecords, size_));
  block_.base_ = buffer_.data();
  block_.lines_[0] = record_line_;
  CsvRecord record;
  record.assign(block_, 0);
  stopped_ = !handler_.header(record);
}

void CsvReader::flush() {
  if (block_.size_ == 0) return;
  block_.base_ = buffer_.data();
  handler_.rows(block_);
  block_.size_ = 0;
}

/// After the rows before it.
void CsvReader::lose(CsvLoss loss, int64_t line, size_t cells) {
  flush();
  handler_.lost(loss, line, cells);
}

void CsvReader::refuse_header() {
  stopped_ = true;
  lose(CsvLoss::header_too_wide, record_line_, 0);
}

void CsvReader::begin_record(ptrdiff_t at) {
  record_begin_ = cell_begin_ = at;
  size_ = 0;
  record_line_ = line_;
  skipping_ = false;
  marks_ = block_.marks_.data() + block_.size_ * (block_.width_ + 1);
  marks_[0] = static_cast<uint32_t>(at - 1);
}

void CsvReader::finish(bool broken) {
  if (stopped_) return;
  if (at_start_) skip_bom(end_);
  const bool is_blank =
      size_ == 0 && !skipping_ &&
      std::all_of(buffer_.data() + cell_begin_, buffer_.data() + end_, [](char c) { return c == '\r'; });
  if (is_blank) return;
  const int64_t line = record_line_;
  const size_t cells = size_ + 1;
  if (!skipping_ && (broken || state_ == State::quoted)) return lose(CsvLoss::cut, line, cells);
  const bool had_header = has_header_, was_skipping = skipping_;
  ending_ = true;
  end_record(end_, end_);
  flush();
  if (was_skipping) return;
  if (!had_header && has_header_) {
    lose(CsvLoss::cut, line, cells);
  } else if (cells == block_.width_) {
    lose(CsvLoss::no_final_newline, line, cells);
  }
}

}  // namespace stepwise::ingest
