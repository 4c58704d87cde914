#include "core/query/virtual_table.h"

#include <sqlite3.h>

#include <memory>
#include <new>

#include "core/query/table_cursor.h"
#include "stepwise/tables.hpp"

namespace stepwise::query {
namespace {

struct Module {
  size_t number = 0;
  const View* view = nullptr;
  Current* current = nullptr;
};

struct Table : sqlite3_vtab {
  const Module* module = nullptr;
};

struct Cursor : sqlite3_vtab_cursor {
  std::unique_ptr<TableCursor> rows;
  const char* planned_by = nullptr;  // the words behind `plan`
  int planned_number = 0;
  PassPlan plan;
};

const Module& module_of(sqlite3_vtab* table) { return *static_cast<Table*>(table)->module; }
TableCursor& rows_of(sqlite3_vtab_cursor* cursor) { return *static_cast<Cursor*>(cursor)->rows; }

/// No exception may cross SQLite; ours are out of memory alone.
template <class Work>
int guarded(Work work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
}

/// The scope, or the failure that it holds by now, says more than a code could.
int stopped(bool goes_on) { return goes_on ? SQLITE_OK : SQLITE_INTERRUPT; }

int connect(sqlite3* connection, void* module, int, const char* const*, sqlite3_vtab** out, char**) {
  return guarded([&] {
    const auto* made_for = static_cast<const Module*>(module);
    const int code = sqlite3_declare_vtab(connection, create_statement(*made_for->view).c_str());
    if (code != SQLITE_OK) return code;
    sqlite3_vtab_config(connection, SQLITE_VTAB_INNOCUOUS);
    auto* table = new Table();
    table->module = made_for;
    *out = table;
    return SQLITE_OK;
  });
}

int disconnect(sqlite3_vtab* table) {
  delete static_cast<Table*>(table);
  return SQLITE_OK;
}

int best_index(sqlite3_vtab* table, sqlite3_index_info* info) {
  const Module& module = module_of(table);
  if (module.current->scope == nullptr) return SQLITE_OK;  // while the connection is made
  return guarded([&] { return choose_pass(*module.view, *module.current->scope, info); });
}

int open_cursor(sqlite3_vtab* table, sqlite3_vtab_cursor** out) {
  return guarded([&] {
    const Module& module = module_of(table);
    auto cursor = std::make_unique<Cursor>();
    cursor->rows = std::make_unique<TableCursor>(*module.view, module.number, *module.current->scope);
    *out = cursor.release();
    return SQLITE_OK;
  });
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
  delete static_cast<Cursor*>(cursor);
  return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor* base, int number, const char* words, int, sqlite3_value** arguments) {
  return guarded([&] {
    auto* cursor = static_cast<Cursor*>(base);
    const View& view = *module_of(base->pVtab).view;
    // A statement's pass has one plan, and the inner side of a join begins its pass a million times.
    if (cursor->planned_by == nullptr || cursor->planned_by != words || cursor->planned_number != number) {
      cursor->plan = read_plan(view, number, words);
      cursor->planned_by = words;
      cursor->planned_number = number;
    }
    return stopped(cursor->rows->start(cursor->plan, read_bounds(view, cursor->plan, arguments)));
  });
}

int next(sqlite3_vtab_cursor* cursor) {
  return guarded([&] { return stopped(rows_of(cursor).next()); });
}
int at_end(sqlite3_vtab_cursor* cursor) { return rows_of(cursor).at_end() ? 1 : 0; }

int column(sqlite3_vtab_cursor* cursor, sqlite3_context* out, int at) {
  rows_of(cursor).column(static_cast<size_t>(at), out);
  return SQLITE_OK;
}

int row_id(sqlite3_vtab_cursor* cursor, sqlite3_int64* out) {
  *out = rows_of(cursor).row_id();
  return SQLITE_OK;
}

const sqlite3_module& functions() {
  static const sqlite3_module made = [] {
    sqlite3_module module{};
    module.iVersion = 1;
    module.xConnect = connect;  // without xCreate: the table is there by its name, and cannot be created
    module.xBestIndex = best_index;
    module.xDisconnect = disconnect;
    module.xOpen = open_cursor;
    module.xClose = close_cursor;
    module.xFilter = filter;
    module.xNext = next;
    module.xEof = at_end;
    module.xColumn = column;
    module.xRowid = row_id;
    return module;  // without xUpdate: read-only
  }();
  return made;
}

}  // namespace

const std::vector<View>& all_views() {
  static const std::vector<View> views = [] {
    std::vector<View> made;
    for (const table::TableDecl* decl : table::kAllTables) made.push_back(make_view(*decl));
    return made;
  }();
  return views;
}

bool register_tables(sqlite3* connection, Current& current) {
  const std::vector<View>& views = all_views();
  for (size_t i = 0; i < views.size(); ++i) {
    auto* module = new Module{i, &views[i], &current};
    const int code = sqlite3_create_module_v2(connection, views[i].decl->name, &functions(), module,
                                              [](void* one) { delete static_cast<Module*>(one); });
    if (code != SQLITE_OK) return false;
  }
  return true;
}

}  // namespace stepwise::query
