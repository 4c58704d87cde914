// Random queries against plain tables of SQLite with the same content: the same rows, whatever was pushed down.
#include <sqlite3.h>

#include <algorithm>
#include <random>

#include "core/query/test_source.h"
#include "core/query/virtual_table.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::query;
using namespace stepwise::query::test;

namespace {

class Dice {
 public:
  explicit Dice(uint32_t seed) : engine_(seed) {}
  int64_t upto(int64_t most) { return static_cast<int64_t>(engine_() % static_cast<uint64_t>(most + 1)); }
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[static_cast<size_t>(upto(static_cast<int64_t>(list.size()) - 1))];
  }

 private:
  std::mt19937_64 engine_;
};

/// Content of one table, as our source and as SQLite's own table hold it.
struct Content {
  const table::TableDecl* decl;
  std::map<uint32_t, std::vector<Row>> rows;  // by rank
};

const std::vector<uint32_t> kRanks = {0, 2, 3};
const std::vector<std::string> kNames = {"Add", "add", "MatMul", "", "5", "05", "x'y", "\xe4\xb8\xad"};

Content random_kernels(Dice& dice) {
  Content content{&table::kernel::kTable, {}};
  for (const uint32_t rank : kRanks) {
    int64_t start = dice.upto(50);
    for (int64_t i = 0, count = dice.upto(200); i < count; ++i) {
      Row row = kernel_row(dice.one_of(kNames), start += dice.upto(3), dice.upto(20));
      row["stream"] = dice.upto(3);
      if (dice.upto(3) != 0) row["step"] = dice.upto(4);
      if (dice.upto(3) != 0) row["op_type"] = dice.one_of(kNames);
      if (dice.upto(1) != 0) row["aic_mac_ratio"] = static_cast<double>(dice.upto(8)) / 4;
      if (dice.upto(2) != 0) row["correlation_id"] = dice.upto(60);
      content.rows[rank].push_back(std::move(row));
    }
  }
  return content;
}

Content random_ops(Dice& dice) {
  Content content{&table::host_op::kTable, {}};
  for (const uint32_t rank : kRanks) {
    int64_t start = dice.upto(50);
    for (int64_t i = 0, count = dice.upto(150); i < count; ++i) {
      Row row{{"name", dice.one_of(kNames)}, {"start_ns", start += dice.upto(5)}, {"dur_ns", dice.upto(20)}};
      row["tid"] = dice.upto(2);
      if (dice.upto(2) != 0) row["parent_id"] = dice.upto(std::max<int64_t>(i, 1));
      row["overflow"] = dice.upto(1);
      content.rows[rank].push_back(std::move(row));
    }
  }
  return content;
}

/// kernel_link: of some kernels, in their order.
Content random_links(Dice& dice, const Content& kernels) {
  Content content{&table::kernel_link::kTable, {}};
  for (const auto& [rank, rows] : kernels.rows) {
    if (rank == 3) continue;  // a rank without a timeline
    for (size_t i = 0; i < rows.size(); ++i) {
      if (dice.upto(2) == 0) continue;
      Row row{{"kernel_id", static_cast<int64_t>(i)}, {"how", "flow"}};
      if (dice.upto(4) != 0) row["host_op_id"] = dice.upto(150);
      content.rows[rank].push_back(std::move(row));
    }
  }
  return content;
}

class Plain {
 public:
  Plain() { sqlite3_open(":memory:", &handle_); }
  ~Plain() { sqlite3_close(handle_); }

  void add(const Content& content, const Content* links) {
    const View view = make_view(*content.decl);
    exec("CREATE TABLE " + std::string(content.decl->name) + create_statement(view).substr(14));
    for (const auto& [rank, rows] : content.rows) {
      for (size_t i = 0; i < rows.size(); ++i) insert(view, rank, i, rows[i], links);
    }
  }

  /// Rows as our queries give them, or the message of an error.
  std::vector<std::string> rows(const std::string& sql) {
    std::vector<std::string> out;
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(handle_, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
      return {sqlite3_errmsg(handle_)};
    while (sqlite3_step(statement) == SQLITE_ROW) {
      std::string line;
      for (int i = 0; i < sqlite3_column_count(statement); ++i) line += (i == 0 ? "" : "|") + cell(statement, i);
      out.push_back(std::move(line));
    }
    sqlite3_finalize(statement);
    return out;
  }

 private:
  void exec(const std::string& sql) {
    if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
      FAIL(sqlite3_errmsg(handle_) << sql);
  }
  static std::string quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? "''" : std::string(1, c);
    return out + "'";
  }
  static std::string literal(const Row& row, const ViewColumn& column) {
    const auto it = row.find(std::string(column.name));
    if (it == row.end()) return column.nullable ? "NULL" : column.type == table::Type::code ? "''" : "0";
    if (const auto* text = std::get_if<std::string>(&it->second)) return quoted(*text);
    if (const auto* integer = std::get_if<int64_t>(&it->second)) return std::to_string(*integer);
    return std::to_string(std::get<double>(it->second));
  }
  void insert(const View& view, uint32_t rank, size_t id, const Row& row, const Content* links) {
    std::string values;
    for (const ViewColumn& column : view.columns) {
      std::string value = "NULL";
      if (column.role == Role::id) value = std::to_string(id);
      if (column.role == Role::rank) value = std::to_string(rank);
      if (column.role == Role::declared) value = literal(row, column);
      if (column.role == Role::host_op_id && links != nullptr && links->rows.count(rank) != 0) {
        for (const Row& link : links->rows.at(rank)) {
          if (std::get<int64_t>(link.at("kernel_id")) != static_cast<int64_t>(id) || link.count("host_op_id") == 0)
            continue;
          value = std::to_string(std::get<int64_t>(link.at("host_op_id")));
        }
      }
      values += (values.empty() ? "" : ",") + value;
    }
    exec("INSERT INTO " + std::string(view.decl->name) + " VALUES (" + values + ")");
  }
  static std::string cell(sqlite3_stmt* statement, int at) {
    Cell cell;
    switch (sqlite3_column_type(statement, at)) {
      case SQLITE_INTEGER:
        cell = {Cell::Kind::integer, sqlite3_column_int64(statement, at)};
        break;
      case SQLITE_FLOAT:
        cell = {Cell::Kind::real, 0, sqlite3_column_double(statement, at)};
        break;
      case SQLITE_TEXT:
        cell = {Cell::Kind::text, 0, 0, reinterpret_cast<const char*>(sqlite3_column_text(statement, at))};
        break;
      default:
        break;
    }
    return to_text(cell);
  }
  sqlite3* handle_ = nullptr;
};

std::string random_literal(Dice& dice) {
  static const std::vector<std::string> kLiterals = {"NULL",  "'Add'",  "'add'",  "''",    "'5'",
                                                     "5",     "'05'",   "5.0",    "2.5",   "-1",
                                                     "1e300", "-1e300", "'x''y'", "'abc'", "9223372036854775807",
                                                     "0",     "3"};
  return dice.upto(1) == 0 ? dice.one_of(kLiterals) : std::to_string(dice.upto(120));
}

/// Conditions on alias a, some of them with columns of b.
std::string random_condition(Dice& dice, const std::string& a, const std::string& b) {
  static const std::vector<std::string> kColumns = {"id", "rank", "start_ns", "name", "dur_ns", "src_pos"};
  static const std::vector<std::string> kComparisons = {"=", "=", "=", "<", "<=", ">", ">=", "<>", "IS"};
  const std::string column = a + "." + dice.one_of(kColumns);
  switch (dice.upto(7)) {
    case 0:
      return column + " IN (" + random_literal(dice) + "," + random_literal(dice) + "," + random_literal(dice) + ")";
    case 1:
      return column + " BETWEEN " + random_literal(dice) + " AND " + random_literal(dice);
    case 2:
      return a + ".name = " + random_literal(dice) + " COLLATE NOCASE";
    case 3:
      return "(" + random_condition(dice, a, b) + " OR " + random_condition(dice, a, b) + ")";
    case 4:
      if (!b.empty()) return column + " = " + b + "." + dice.one_of(kColumns);
      [[fallthrough]];
    case 5:
      return a + ".rank = " + std::to_string(dice.upto(4));
    default:
      return column + " " + dice.one_of(kComparisons) + " " + random_literal(dice);
  }
}

std::string random_query(Dice& dice) {
  const bool join = dice.upto(1) == 0;
  std::string where = random_condition(dice, "k", join ? "h" : "");
  for (int64_t i = dice.upto(2); i > 0; --i)
    where += " AND " + random_condition(dice, dice.upto(1) == 0 || !join ? "k" : "h", "");
  std::string from = "kernel k";
  if (join) {
    const std::vector<std::string> on = {"h.rank = k.rank AND h.id = k.host_op_id",
                                         "h.name = k.op_type AND h.rank = k.rank", "h.tid = k.stream",
                                         "h.id = k.correlation_id", "k.correlation_id = h.dur_ns"};
    from += dice.upto(3) == 0 ? " LEFT JOIN host_op h ON " : " JOIN host_op h ON ";
    from += dice.one_of(on);
  }
  const std::vector<std::string> orders = {"k.rank, k.start_ns", "k.start_ns", "k.id DESC", "k.rank DESC, k.id DESC",
                                           "k.dur_ns"};
  switch (dice.upto(3)) {
    case 0:
      return "SELECT k.name, count(*), sum(k.dur_ns), min(k.start_ns), max(k.aic_mac_ratio) FROM " + from + " WHERE " +
             where + " GROUP BY k.name";
    case 1:
      return "SELECT DISTINCT k.rank, k.step, k.host_op_id FROM " + from + " WHERE " + where;
    case 2: {
      // Equal keys leave the order open: the keys alone are compared.
      const std::string order = dice.one_of(orders);
      std::string keys = order;
      for (size_t at = 0; (at = keys.find(" DESC")) != std::string::npos;) keys.erase(at, 5);
      return "SELECT " + keys + " FROM " + from + " WHERE " + where + " ORDER BY " + order + " LIMIT 40";
    }
    default:
      return "SELECT k.id, k.rank, k.name, k.op_type, k.start_ns, k.step, k.aic_mac_ratio, k.host_op_id" +
             std::string(join ? ", h.id, h.name, h.overflow" : "") + " FROM " + from + " WHERE " + where;
  }
}

}  // namespace

TEST_CASE("random queries answer as SQLite's own tables do") {
  Queries queries;  // before the plain tables: it installs the allocator
  size_t answers = 0, rows = 0;
  for (uint32_t seed = 1; seed <= 12; ++seed) {
    Dice dice(seed);
    const Content kernels = random_kernels(dice), ops = random_ops(dice), links = random_links(dice, kernels);
    TestSource source;
    for (const uint32_t rank : kRanks) {
      source.add(rank, [&](store::SegmentBuilder& builder) {
        for (const Content* content : {&kernels, &ops, &links}) {
          const auto it = content->rows.find(rank);
          if (it == content->rows.end()) continue;
          for (const Row& row : it->second) add(builder.table(*content->decl), row);
        }
      });
    }
    Plain plain;
    plain.add(kernels, &links);
    plain.add(ops, nullptr);
    for (int i = 0; i < 120; ++i) {
      const std::string sql = random_query(dice);
      INFO("seed " << seed << ": " << sql);
      Ran ours = run(queries, source, sql);
      std::vector<std::string> theirs = plain.rows(sql);
      REQUIRE_FALSE(ours.error);
      if (sql.find("ORDER BY") == std::string::npos) {
        std::sort(ours.rows.begin(), ours.rows.end());
        std::sort(theirs.begin(), theirs.end());
      }
      REQUIRE(ours.rows == theirs);
      ++answers;
      rows += theirs.size();
    }
  }
  CHECK(answers == 1'440);
  CHECK(rows > 20'000);  // the comparison is not one of empty answers
}
