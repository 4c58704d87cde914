#include "core/ingest/csv/csv_reader.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace stepwise::ingest {
namespace {

constexpr ptrdiff_t kBlock = 64;  // bytes that csv_mask reads
constexpr std::string_view kBom = "\xEF\xBB\xBF";

}  // namespace

CsvReader::CsvReader(CsvHandler& handler, size_t max_record_bytes)
    : handler_(handler), max_record_bytes_(static_cast<ptrdiff_t>(max_record_bytes)) {
  record_.cells_.resize(limits::kMaxCsvColumns);
}

std::span<char> CsvReader::room(size_t bytes) {
  const auto wanted = static_cast<ptrdiff_t>(bytes);
  if (end_ + wanted + kBlock > std::ssize(buffer_)) {
    const ptrdiff_t from = record_begin_;
    if (end_ > from) std::memmove(buffer_.data(), buffer_.data() + from, static_cast<size_t>(end_ - from));
    for (ptrdiff_t* position : {&end_, &scanned_, &record_begin_, &cell_begin_, &quote_at_}) *position -= from;
    // Doubling keeps the copying of a record that spans many chunks linear.
    const ptrdiff_t needed = end_ + wanted + kBlock;
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
  if (!skipping_ && end_ - record_begin_ > max_record_bytes_) {
    skipping_ = true;
    if (!has_header_) refuse_header();
  }
  if (skipping_) record_begin_ = end_;  // nothing of it is needed any more
}

void CsvReader::scan() {
  while (scanned_ < end_ && !stopped_) {
    const char* const block = buffer_.data() + scanned_;
    const ptrdiff_t count = std::min(kBlock, end_ - scanned_);
    CsvMask mask = csv_mask(block);
    if (count < kBlock) mask.keep((uint64_t{1} << count) - 1);
    while (mask.all() != 0) {
      // Nearly every cell is plain and ends in a comma: these need none of the cases below.
      if (state_ == State::plain && !at_start_ && !skipping_) {
        mask.commas = end_plain_cells(mask);
      } else if (state_ == State::quoted) {
        mask.commas &= ~mask.plain();
      }
      if (mask.all() == 0) break;
      const uint64_t next = mask.all();
      on_structural(scanned_ + std::countr_zero(next));
      mask.keep(next & (next - 1));
      if (stopped_) return;
    }
    scanned_ += count;
  }
}

/// Ends cells at the commas before the first quote or line feed; returns the commas that are left.
inline uint64_t CsvReader::end_plain_cells(const CsvMask& mask) {
  if (cell_is_quoted_) return mask.commas;
  const uint64_t before = mask.plain();
  uint64_t plain = mask.commas & before;
  size_t size = record_.size_;
  const size_t most = record_.cells_.size();
  CsvRecord::Cell* const cells = record_.cells_.data();
  const auto block_at = static_cast<uint32_t>(scanned_ - record_begin_);
  auto begin = static_cast<uint32_t>(cell_begin_ - record_begin_);
  for (; plain != 0 && size < most; plain &= plain - 1) {
    const uint32_t at = block_at + static_cast<uint32_t>(std::countr_zero(plain));
    cells[size++] = {begin, at};
    begin = at + 1;
  }
  record_.size_ = size;
  cell_begin_ = record_begin_ + begin;
  return (mask.commas & ~before) | plain;
}

inline void CsvReader::on_structural(ptrdiff_t at) {
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
      ++cell_doubled_;
      state_ = State::quoted;
      return;
    }
    state_ = State::plain;  // that quote closed the cell
  }
  if (c == ',') {
    end_cell(at);
    cell_begin_ = at + 1;
  } else if (c == '\n') {
    ++line_;
    end_record(at, at + 1);
  } else if (at == cell_begin_) {
    state_ = State::quoted;
    cell_is_quoted_ = true;
  }
}

void CsvReader::skip_bom(ptrdiff_t at) {
  at_start_ = false;
  if (at >= std::ssize(kBom) && std::memcmp(buffer_.data(), kBom.data(), kBom.size()) == 0) {
    cell_begin_ = std::ssize(kBom);
  }
}

inline void CsvReader::end_cell(ptrdiff_t at) {
  if (record_.size_ < record_.cells_.size() && !skipping_) {
    CsvRecord::Cell& cell = record_.cells_[record_.size_];
    if (cell_is_quoted_) {
      cell = unquoted(at);
    } else {
      cell = {static_cast<uint32_t>(cell_begin_ - record_begin_), static_cast<uint32_t>(at - record_begin_)};
    }
  }
  cell_is_quoted_ = false;
  cell_doubled_ = 0;
  ++record_.size_;
}

/// Takes the quotes off the cell that ends here. Doubled ones are undone in place: the buffer is ours.
CsvRecord::Cell CsvReader::unquoted(ptrdiff_t end) {
  char* const base = buffer_.data() + record_begin_;
  ptrdiff_t from = cell_begin_ + 1 - record_begin_, to = end - record_begin_;
  const ptrdiff_t closing = quote_at_ - record_begin_;
  if (closing + 1 == to) {
    if (cell_doubled_ == 0) return {static_cast<uint32_t>(from), static_cast<uint32_t>(closing)};
    // A text in quotes of its own, as shapes are written: one of each pair at its ends lies outside.
    const bool has_outer_pairs = cell_doubled_ == 2 && closing - from >= 4 &&
                                 std::memcmp(base + from, "\"\"", 2) == 0 &&
                                 std::memcmp(base + closing - 2, "\"\"", 2) == 0;
    if (has_outer_pairs) return {static_cast<uint32_t>(from + 1), static_cast<uint32_t>(closing - 1)};
  }

  char* write = base + from;
  bool inside = true;
  for (ptrdiff_t i = from; i < to; ++i) {
    if (inside && base[i] == '"') {
      if (i + 1 < to && base[i + 1] == '"') {
        ++i;
      } else {
        inside = false;  // what follows the closing quote belongs to the cell as it stands
        continue;
      }
    }
    *write++ = base[i];
  }
  return {static_cast<uint32_t>(from), static_cast<uint32_t>(write - base)};
}

void CsvReader::end_record(ptrdiff_t at, ptrdiff_t next) {
  const bool is_long = skipping_ || at - record_begin_ > max_record_bytes_;
  if (at > cell_begin_ && buffer_[static_cast<size_t>(at - 1)] == '\r') --at;
  const bool is_blank = record_.size_ == 0 && at == cell_begin_ && !skipping_;
  end_cell(at);
  if (!has_header_ && is_long) {
    refuse_header();
  } else if (is_long) {
    ++row_number_;
    handler_.lost(CsvLoss::too_long, record_.line_, record_.size_);
  } else if (!is_blank) {
    deliver();
  }
  begin_record(next);
}

void CsvReader::deliver() {
  record_.base_ = buffer_.data() + record_begin_;
  if (!has_header_) {
    if (record_.size_ > record_.cells_.size()) return refuse_header();
    has_header_ = true;
    header_size_ = record_.size_;
    stopped_ = !handler_.header(record_);
    record_.cells_.resize(header_size_);
    return;
  }
  ++row_number_;
  if (accepts_short_ && !ending_ && record_.size_ < header_size_) {
    std::fill(record_.cells_.begin() + static_cast<ptrdiff_t>(record_.size_), record_.cells_.end(), CsvRecord::Cell{});
    record_.size_ = header_size_;
  }
  if (record_.size_ == header_size_) {
    handler_.row(record_, row_number_);
  } else {
    handler_.lost(ending_ ? CsvLoss::cut : CsvLoss::ragged, record_.line_, record_.size_);
  }
}

void CsvReader::refuse_header() {
  stopped_ = true;
  handler_.lost(CsvLoss::header_too_wide, record_.line_, 0);
}

void CsvReader::begin_record(ptrdiff_t at) {
  record_begin_ = cell_begin_ = at;
  record_.size_ = 0;
  record_.line_ = line_;
  skipping_ = false;
}

void CsvReader::finish(bool broken) {
  if (stopped_) return;
  if (at_start_) skip_bom(end_);
  const bool is_blank =
      record_.size_ == 0 && !cell_is_quoted_ && !skipping_ &&
      std::all_of(buffer_.data() + cell_begin_, buffer_.data() + end_, [](char c) { return c == '\r'; });
  if (is_blank) return;
  const int64_t line = record_.line_;
  const size_t cells = record_.size_ + 1;
  if (!skipping_ && (broken || state_ == State::quoted)) {
    handler_.lost(CsvLoss::cut, line, cells);
    return;
  }
  const bool had_header = has_header_, was_skipping = skipping_;
  ending_ = true;
  end_record(end_, end_);
  if (was_skipping) return;
  if (!had_header && has_header_) {
    handler_.lost(CsvLoss::cut, line, cells);
  } else if (cells == header_size_) {
    handler_.lost(CsvLoss::no_final_newline, line, cells);
  }
}

}  // namespace stepwise::ingest
