#include "core/ingest/csv/csv_cell.h"

#include <cstdlib>
#include <limits>
#include <optional>

#include "core/base/characters.h"
#include "core/base/decimal.h"
#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/ingest/base/rank_set.h"

namespace stepwise::ingest {
namespace {

constexpr int kMsToPs = 9, kTicksToNs = 1;  // powers of ten

bool is_null_cell(std::string_view cell) { return cell.empty() || cell == "N/A"; }

/// Up to 15 digits are exact in a double, as are these powers of ten: one division of the two rounds right.
std::optional<double> to_number(std::string_view cell) {
  static constexpr double kPowersOf10[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                           1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  constexpr size_t kExactDigits = 15;
  if (cell.size() > kExactDigits + 1) return to_double(cell);
  const char* at = cell.data();
  const char* const end = at + cell.size();
  int64_t digits = 0;
  for (; at != end && is_digit(*at); ++at) digits = digits * 10 + (*at - '0');
  size_t count = cell.size(), decimals = 0;
  if (at != end && *at == '.') {
    const char* const point = at++;
    for (; at != end && is_digit(*at); ++at) digits = digits * 10 + (*at - '0');
    decimals = static_cast<size_t>(at - point - 1);
    --count;
  }
  if (at != end || count == 0 || count > kExactDigits) return to_double(cell);
  return static_cast<double>(digits) / kPowersOf10[decimals];
}

CellOutcome take(int64_t& into, const std::optional<int64_t>& maybe) {
  if (!maybe) return CellOutcome::bad;
  into = *maybe;
  return CellOutcome::good;
}
CellOutcome take_up_to(int64_t& into, const std::optional<int64_t>& maybe, int64_t most) {
  return take(into, maybe) == CellOutcome::good && into >= 0 && into <= most ? CellOutcome::good : CellOutcome::bad;
}
CellOutcome take_instant(int64_t& into, const std::optional<int64_t>& maybe) {
  const bool is_good = take(into, maybe) == CellOutcome::good;
  return is_good && into >= -limits::kMaxInstantNs && into <= limits::kMaxInstantNs ? CellOutcome::good
                                                                                    : CellOutcome::bad;
}
/// More than three decimals of a us, and not only zeros.
bool has_parts_of_ns(std::string_view cell) {
  const size_t point = cell.find('.');
  return point != std::string_view::npos && cell.find_first_of("123456789", point + 4) != std::string_view::npos;
}
CellOutcome take(double& into, const std::optional<double>& maybe) {
  if (!maybe) return CellOutcome::bad;
  into = *maybe;
  return CellOutcome::good;
}

}  // namespace

std::string_view CellReader::without(std::string_view cell, std::string_view dropped) {
  if (cell.find_first_of(dropped) == std::string_view::npos) return cell;
  scratch_.assign(cell);
  std::erase_if(scratch_, [dropped](char c) { return dropped.find(c) != std::string_view::npos; });
  return scratch_;
}

CellUnit unit_of_header(std::string_view header) {
  if (header.ends_with("(ms)")) return CellUnit::ms;
  return header.ends_with("(MB)") ? CellUnit::mb : CellUnit::usual;
}

CellOutcome CellReader::read_duration(std::string_view cell, CellValue& value) const {
  return take_up_to(value.i64, unit_ == CellUnit::ms ? ms_to_ns(cell) : us_to_ns(cell), limits::kMaxDurationNs);
}

CellOutcome CellReader::read_bytes(std::string_view cell, CellValue& value) const {
  constexpr int kKb = 10, kMb = 20;
  if (take(value.i64, binary_scaled_integer(cell, unit_ == CellUnit::mb ? kMb : kKb)) == CellOutcome::bad ||
      value.i64 < -limits::kMaxCount || value.i64 > limits::kMaxCount) {
    return CellOutcome::bad;
  }
  if (kind_ == Cell::size) value.i64 = std::abs(value.i64);
  if (value.i64 < 0) value = {};
  return value.is_null && required_ ? CellOutcome::bad : CellOutcome::good;
}

CellOutcome CellReader::read(std::string_view cell, CellValue& value) {
  if (is_null_cell(cell) && !(required_ && kind_ == Cell::text)) {
    value = {};
    return required_ ? CellOutcome::bad : CellOutcome::good;
  }
  value.is_null = false;
  switch (kind_) {
    case Cell::integer:
      return take(value.i64, to_integer(cell));
    case Cell::id:
      if (take(value.i64, to_integer(cell)) == CellOutcome::bad) return CellOutcome::bad;
      if (value.i64 == std::numeric_limits<uint32_t>::max()) value = {};
      return value.is_null && required_ ? CellOutcome::bad : CellOutcome::good;
    case Cell::instant:
      if (take_instant(value.i64, us_to_ns(cell)) == CellOutcome::bad) return CellOutcome::bad;
      // Whatever has an exponent and lost digits is a multiple of 10 us: most cells need no second look.
      if (value.i64 % 10'000 == 0 && is_destroyed_timestamp(cell)) return CellOutcome::destroyed_timestamp;
      return CellOutcome::good;
    case Cell::duration:
      return read_duration(cell, value);
    case Cell::measured:
      if (has_parts_of_ns(cell)) ++rounded_;
      return take_up_to(value.i64, us_to_ns(cell), limits::kMaxDurationNs);
    case Cell::count:
      return take_up_to(value.i64, to_integer(cell), limits::kMaxCount);
    case Cell::bytes:
    case Cell::size:
      return read_bytes(cell, value);
    case Cell::step:
      if (cell == "-") {
        value = {};
        return required_ ? CellOutcome::bad : CellOutcome::good;
      }
      return take(value.i64, to_integer(cell));
    case Cell::index:
      if (cell != "NA") return take(value.i64, to_integer(cell));
      value = {};
      return required_ ? CellOutcome::bad : CellOutcome::good;
    case Cell::rank:
      if (!rank_set_of(cell)) return take_up_to(value.i64, to_integer(cell), limits::kMaxCount);
      value = {};
      return CellOutcome::good;
    case Cell::rank_set: {
      const auto ranks = rank_set_of(cell);
      if (ranks) {
        value.code = texts_->code_of(*ranks);
      } else {
        value = {};
      }
      return CellOutcome::good;
    }
    case Cell::instant_ms:
      return take_instant(value.i64, ms_to_ns(cell));
    case Cell::duration_ms:
      return take_up_to(value.i64, ms_to_ns(cell), limits::kMaxDurationNs);
    case Cell::fine_ms:
      return take_up_to(value.i64, scaled_integer(cell, kMsToPs), limits::kMaxDurationNs * 1000);
    case Cell::instant_ticks:
      return take_instant(value.i64, scaled_integer(cell, kTicksToNs));
    case Cell::duration_ticks:
      return take_up_to(value.i64, scaled_integer(cell, kTicksToNs), limits::kMaxDurationNs);
    case Cell::us:
      return take(value.i64, us_to_ns(cell));
    case Cell::number:
      return take(value.f64, to_number(cell));
    case Cell::percent:
      if (take(value.f64, to_number(cell)) == CellOutcome::bad) return CellOutcome::bad;
      value.f64 /= 100;
      return CellOutcome::good;
    case Cell::shapes:
      if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
      break;
    case Cell::lines:
      cell = without(cell, "\r");
      break;
    case Cell::one_line:
      cell = without(cell, "\r\n");
      break;
    case Cell::text:
    case Cell::constant:
      break;
  }
  value.code = texts_->code_of(cell);
  return CellOutcome::good;
}

bool CellReader::read_alone(std::string_view cell, CellValue& value) {
  const uint64_t rounded = rounded_;
  const bool is_good = read(cell, value) == CellOutcome::good && rounded_ == rounded;
  rounded_ = rounded;
  return is_good;
}

}  // namespace stepwise::ingest
