#include "core/query/scope.h"

#include <algorithm>

#include "core/store/table_view.h"

namespace stepwise::query {
namespace {

// A plan without figures had better think a table large.
constexpr double kUnknownRows = 100'000;
// A pass is made once or a thousand times; twice is the first sign of the latter.
constexpr uint32_t kLookedThrough = 1;
constexpr uint64_t kTooFewToOrder = 64;

}  // namespace

double Scope::expected_rows(const View& view) const {
  const auto known = source_.rows_at_hand(view.decl->name);
  return known ? static_cast<double>(*known) : kUnknownRows * static_cast<double>(std::max<size_t>(ranks().size(), 1));
}

bool Scope::resolve(const View& view, size_t table, size_t from, size_t to, bool links) {
  if (parts_.size() <= table) parts_.resize(table + 1);
  std::vector<Part>& parts = parts_[table];
  if (parts.empty()) {
    for (const uint32_t rank : ranks()) parts.emplace_back().rank = rank;
  }
  const auto wanted = ranks().subspan(from, to - from);
  const auto begin = parts.begin() + static_cast<std::ptrdiff_t>(from),
             end = begin + static_cast<std::ptrdiff_t>(to - from);
  if (!std::all_of(begin, end, [](const Part& part) { return part.is_known; })) {
    if (auto there = source_.need(wanted, view.decl->name); !there.ok()) return fail(there.take_error()), false;
    for (auto part = begin; part != end; ++part) {
      if (!resolve_rows(view, *part)) return false;
    }
  }
  if (links && !std::all_of(begin, end, [](const Part& part) { return part.links_are_known; })) {
    if (auto there = source_.need(wanted, kLinkTable); !there.ok()) return fail(there.take_error()), false;
    return std::all_of(begin, end, [this](Part& part) { return take_links(part); });
  }
  return true;
}

bool Scope::resolve_rows(const View& view, Part& part) {
  if (part.is_known) return true;
  auto rows = source_.table(part.rank, view.decl->name);
  if (!rows.ok()) return fail(rows.take_error()), false;
  part.rows = rows.value();
  part.lookups.resize(view.decl->columns.size());
  part.is_known = true;
  if (part.rows == nullptr || !view.sorted) return true;
  const auto* values =
      static_cast<const int64_t*>(store::column_at(*part.rows, view.columns[*view.sorted].declared).data);
  if (std::is_sorted(values, values + part.rows->rows)) return true;
  fail({ErrorKind::bug, "query.unsorted",
        "Table `" + std::string(view.decl->name) + "` of rank " + std::to_string(part.rank) +
            " is not in the order that it is declared in.",
        "This is a fault of Stepwise.", ""});
  return false;
}

bool Scope::take_links(Part& part) {
  if (part.links_are_known) return true;
  auto links = source_.table(part.rank, kLinkTable);
  if (!links.ok()) return fail(links.take_error()), false;
  part.links = links.value();
  part.links_are_known = true;
  return true;
}

std::optional<std::span<const uint32_t>> Scope::equal_rows(Part& part, size_t column, int64_t value) {
  Part::Lookup& lookup = part.lookups[column];
  if (lookup.order == nullptr) {
    const sw_column& values = store::column_at(*part.rows, column);
    const size_t bytes = ColumnOrder::bytes_for(values);
    if (++lookup.asked <= kLookedThrough || values.rows < kTooFewToOrder || values.rows > UINT32_MAX ||
        lookup_bytes_ + bytes > budget_.limits().lookup_bytes) {
      return std::nullopt;
    }
    lookup_bytes_ += bytes;
    lookup.order = std::make_unique<ColumnOrder>(values);
  }
  return lookup.order->equal(value);
}

}  // namespace stepwise::query
