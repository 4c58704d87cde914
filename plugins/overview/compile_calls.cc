#include "compile_calls.h"

#include <optional>
#include <string_view>

namespace stepwise::overview {
namespace {

// opCompile, aclopCompileAndExecute, CompileGraph, compile_fx; not what is compiled already (CompiledFunction).
bool compiles(std::string_view name) {
  for (const std::string_view word : {"ompile", "BuildModel"}) {
    for (size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1)) {
      const std::string_view rest = name.substr(at + word.size());
      if (rest.substr(0, 1) != "d") return true;
    }
  }
  return false;
}

template <class Columns>
void add_calls(const sdk::Call& call, const sdk::TableView& view, const Columns& column, CompileCalls& out) {
  call.for_each_row(view.rows(), [&](uint64_t row) {
    const std::optional<int64_t> step = column.step.get(row);
    if (!step || column.dur_ns[row] < kCompilesFromNs || !compiles(column.name[row])) return;
    const auto parent = column.parent_id.get(row);
    if (parent && *parent >= 0 && compiles(column.name[static_cast<uint64_t>(*parent)])) return;
    ++out.count;
    if (!out.steps.insert(*step).second || out.steps.size() != 2) return;
    out.name = column.name[row];
    out.file = view.source_file();
    out.row = column.src_pos[row];
  });
}

struct CallColumns {
  sdk::Column<table::Type::code> name;
  sdk::Column<table::Type::i64> step, dur_ns, parent_id, src_pos;
};

}  // namespace

CompileCalls compile_calls(sdk::Call& call, uint32_t rank) {
  CompileCalls out;
  if (const auto view = call.table(rank, table::runtime_api::kTable)) {
    namespace api = table::runtime_api;
    add_calls(call, *view,
              CallColumns{(*view)[api::name], (*view)[api::step], (*view)[api::dur_ns], (*view)[api::parent_id],
                          (*view)[api::src_pos]},
              out);
  }
  if (out.count > 0) return out;  // the framework's ranges enclose these
  if (const auto view = call.table(rank, table::host_op::kTable)) {
    namespace op = table::host_op;
    add_calls(call, *view,
              CallColumns{(*view)[op::name], (*view)[op::step], (*view)[op::dur_ns], (*view)[op::parent_id],
                          (*view)[op::src_pos]},
              out);
  }
  return out;
}

}  // namespace stepwise::overview
