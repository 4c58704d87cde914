#include "core/query/pushdown.h"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace stepwise::query {
namespace {

constexpr int kDescending = 1, kLinks = 2;

std::optional<Comparison> comparison_of(unsigned char op) {
  switch (op) {
    case SQLITE_INDEX_CONSTRAINT_EQ:
      return Comparison::equal;
    case SQLITE_INDEX_CONSTRAINT_LT:
      return Comparison::less;
    case SQLITE_INDEX_CONSTRAINT_LE:
      return Comparison::at_most;
    case SQLITE_INDEX_CONSTRAINT_GT:
      return Comparison::greater;
    case SQLITE_INDEX_CONSTRAINT_GE:
      return Comparison::at_least;
    default:
      return std::nullopt;
  }
}

const char* sign_of(Comparison comparison) {
  static constexpr const char* kSigns[] = {"=", "<", "<=", ">", ">="};
  return kSigns[static_cast<size_t>(comparison)];
}

/// What of the constraint a pass can use: bounds of the row number and of the sorted column, equality of others.
bool is_usable(const View& view, const sqlite3_index_info& info, int at) {
  const auto& constraint = info.aConstraint[at];
  const auto comparison = comparison_of(constraint.op);
  if (!constraint.usable || !comparison || constraint.iColumn < 0) return false;
  const ViewColumn& column = view.columns[static_cast<size_t>(constraint.iColumn)];
  if (column.role == Role::id || view.sorted == static_cast<size_t>(constraint.iColumn)) return true;
  if (*comparison != Comparison::equal) return false;
  if (column.role == Role::rank) return true;
  if (column.role != Role::declared || column.type == table::Type::f64) return false;
  // Another collation finds more than equal bytes.
  return column.type != table::Type::code ||
         std::strcmp(sqlite3_vtab_collation(const_cast<sqlite3_index_info*>(&info), at), "BINARY") == 0;
}

struct Chosen {
  bool one_rank = false, one_row = false, equal = false;
  int bounds = 0;
};

/// Rows come by rank, then by number, which is the order of the sorted column too; either way round.
bool comes_in_order(const View& view, const sqlite3_index_info& info, bool one_rank) {
  const auto column = [&](int i) -> std::optional<size_t> {
    if (info.aOrderBy[i].iColumn < 0) return std::nullopt;
    return static_cast<size_t>(info.aOrderBy[i].iColumn);
  };
  for (int i = 1; i < info.nOrderBy; ++i) {
    if (info.aOrderBy[i].desc != info.aOrderBy[0].desc) return false;
  }
  int at = 0;
  const auto is_role = [&](Role role) {
    return at < info.nOrderBy && column(at) && view.columns[*column(at)].role == role;
  };
  if (is_role(Role::rank)) {
    one_rank = true;
    ++at;
  }
  if (at == info.nOrderBy) return true;
  if (!one_rank) return false;
  if (view.sorted && column(at) == view.sorted) ++at;
  if (is_role(Role::id)) return true;  // nothing after it can matter
  return at == info.nOrderBy;
}

void set_cost(const View& view, const Scope& scope, const Chosen& chosen, sqlite3_index_info* info) {
  const auto ranks = static_cast<double>(std::max<size_t>(scope.ranks().size(), 1));
  double rows = std::max(1.0, scope.expected_rows(view));
  if (chosen.one_rank) rows /= ranks;
  if (chosen.one_row) rows = chosen.one_rank ? 1 : ranks;
  for (int i = 0; i < chosen.bounds; ++i) rows /= 4;
  double cost = rows;
  if (chosen.equal && !chosen.one_row) {
    rows = std::max(1.0, rows / 50);
    cost = rows * 2;
  }
  info->estimatedRows = static_cast<sqlite3_int64>(std::max(1.0, rows));
  info->estimatedCost = std::max(1.0, cost) + 5;
  if (chosen.one_row && (chosen.one_rank || ranks == 1)) info->idxFlags |= SQLITE_INDEX_SCAN_UNIQUE;
}

/// Largest integer not above, smallest not below; what is beyond int64 becomes its end.
int64_t rounded(double value) {
  if (value >= 9223372036854775808.0) return INT64_MAX;
  if (value < -9223372036854775808.0) return INT64_MIN;
  return static_cast<int64_t>(value);
}

struct Number {
  int64_t floor = 0, ceil = 0;
  bool is_null = false, is_number = false, is_integer = false;
};

Number number_of(sqlite3_value* value) {
  Number out;
  switch (sqlite3_value_numeric_type(value)) {
    case SQLITE_INTEGER:
      out.floor = out.ceil = sqlite3_value_int64(value);
      out.is_number = out.is_integer = true;
      break;
    case SQLITE_FLOAT: {
      const double real = sqlite3_value_double(value);
      out.floor = rounded(std::floor(real));
      out.ceil = rounded(std::ceil(real));
      out.is_number = true;
      break;
    }
    case SQLITE_NULL:
      out.is_null = true;
      break;
    default:
      break;
  }
  return out;
}

void narrow(Comparison comparison, const Number& number, int64_t& least, int64_t& most) {
  // What is beyond int64 was rounded to its end, which may fit: only a true integer is left out of its own bound.
  const auto below = number.is_integer && number.ceil > INT64_MIN ? number.ceil - 1 : number.ceil;
  const auto above = number.is_integer && number.floor < INT64_MAX ? number.floor + 1 : number.floor;
  switch (comparison) {
    case Comparison::equal:
      least = std::max(least, number.ceil);
      most = std::min(most, number.floor);
      break;
    case Comparison::less:
      most = std::min(most, below);
      break;
    case Comparison::at_most:
      most = std::min(most, number.floor);
      break;
    case Comparison::greater:
      least = std::max(least, above);
      break;
    case Comparison::at_least:
      least = std::max(least, number.ceil);
      break;
  }
}

void read_text(size_t column, sqlite3_value* value, Bounds& bounds) {
  const int type = sqlite3_value_type(value);
  if (type == SQLITE_NULL) bounds.is_empty = true;
  // A number is compared with texts by rules that need not mean equal bytes.
  if (type != SQLITE_TEXT || bounds.equal) return;
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  if (text == nullptr) return;
  bounds.equal = Bounds::Equal{column, std::nullopt, {text, static_cast<size_t>(sqlite3_value_bytes(value))}};
}

void read_number(const View& view, const Term& term, const Number& number, Bounds& bounds) {
  if (number.is_null) bounds.is_empty = true;
  if (!number.is_number) return;
  const Role role = view.columns[term.column].role;
  if (role == Role::id) return narrow(term.comparison, number, bounds.least_id, bounds.most_id);
  if (view.sorted == term.column) return narrow(term.comparison, number, bounds.least_sorted, bounds.most_sorted);
  if (number.floor != number.ceil) bounds.is_empty = true;
  if (role == Role::rank) {
    if (bounds.rank && *bounds.rank != number.floor) bounds.is_empty = true;
    bounds.rank = number.floor;
  } else if (!bounds.equal) {  // one is enough, SQLite compares the others
    bounds.equal = Bounds::Equal{term.column, number.floor};
  }
}

}  // namespace

int choose_pass(const View& view, const Scope& scope, sqlite3_index_info* info) {
  std::string words;
  Chosen chosen;
  int arguments = 0;
  for (int at = 0; at < info->nConstraint; ++at) {
    if (!is_usable(view, *info, at)) continue;
    const auto column = static_cast<size_t>(info->aConstraint[at].iColumn);
    const Comparison comparison = *comparison_of(info->aConstraint[at].op);
    info->aConstraintUsage[at].argvIndex = ++arguments;
    words += (words.empty() ? "" : " ") + std::string(view.columns[column].name) + sign_of(comparison);
    const bool equal = comparison == Comparison::equal;
    const Role role = view.columns[column].role;
    chosen.one_rank = chosen.one_rank || role == Role::rank;
    chosen.one_row = chosen.one_row || (role == Role::id && equal);
    chosen.equal = chosen.equal || (equal && role == Role::declared);
    if (!equal) ++chosen.bounds;
  }
  int number = 0;
  const bool one_rank = chosen.one_rank || scope.ranks().size() <= 1;
  if (info->nOrderBy > 0 && comes_in_order(view, *info, one_rank)) {
    info->orderByConsumed = 1;
    if (info->aOrderBy[0].desc) number |= kDescending;
  }
  for (size_t i = 0; i < view.columns.size(); ++i) {
    const sqlite3_uint64 bit = sqlite3_uint64{1} << std::min<size_t>(i, 63);
    if (view.columns[i].role == Role::host_op_id && (info->colUsed & bit) != 0) number |= kLinks;
  }
  set_cost(view, scope, chosen, info);
  info->idxNum = number;
  if (words.empty()) return SQLITE_OK;
  info->idxStr = sqlite3_mprintf("%s", words.c_str());
  info->needToFreeIdxStr = 1;
  return info->idxStr == nullptr ? SQLITE_NOMEM : SQLITE_OK;
}

PassPlan read_plan(const View& view, int number, const char* words) {
  PassPlan plan;
  plan.descending = (number & kDescending) != 0;
  plan.links = (number & kLinks) != 0;
  for (std::string_view rest = words == nullptr ? "" : words; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    const size_t sign = word.find_first_of("<=>");
    Term term;
    const auto column = std::find_if(view.columns.begin(), view.columns.end(),
                                     [&](const ViewColumn& one) { return one.name == word.substr(0, sign); });
    term.column = static_cast<size_t>(column - view.columns.begin());
    for (const auto comparison :
         {Comparison::equal, Comparison::less, Comparison::at_most, Comparison::greater, Comparison::at_least}) {
      if (word.substr(sign) == sign_of(comparison)) term.comparison = comparison;
    }
    plan.terms.push_back(term);
  }
  return plan;
}

Bounds read_bounds(const View& view, const PassPlan& plan, sqlite3_value** arguments) {
  Bounds bounds;
  for (size_t i = 0; i < plan.terms.size(); ++i) {
    const Term& term = plan.terms[i];
    if (view.columns[term.column].type == table::Type::code) {
      read_text(term.column, arguments[i], bounds);
    } else {
      read_number(view, term, number_of(arguments[i]), bounds);
    }
  }
  return bounds;
}

}  // namespace stepwise::query
