#include "core/store/segment.h"

namespace stepwise::store {

TableBuilder& SegmentBuilder::table(const table::TableDecl& decl) {
  Entry& entry = tables_[decl.name];
  if (!entry.builder) entry.builder = std::make_unique<TableBuilder>(decl, dictionary_);
  entry.builder->columns();  // spread: rows may follow
  return *entry.builder;
}

void SegmentBuilder::set_source_file(const table::TableDecl& decl, std::string source_file) {
  table(decl);
  tables_.find(decl.name)->second.source_file = std::move(source_file);
}

}  // namespace stepwise::store
