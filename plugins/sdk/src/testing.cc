#include "stepwise/testing.hpp"

#include <cstddef>

namespace stepwise::sdk::testing {
namespace {

std::string text_of(sw_str text) { return text.ptr == nullptr ? std::string() : std::string(text.ptr, text.len); }

}  // namespace

Table::Table(const table::TableDecl& decl, std::string source_file)
    : decl_(&decl), source_file_(std::move(source_file)), columns_(decl.columns.size()) {}

Table::Row Table::row() {
  for (size_t i = 0; i < columns_.size(); ++i) {
    ColumnData& column = columns_[i];
    switch (decl_->columns[i].type) {
      case table::Type::i64:
        column.i64.push_back(0);
        break;
      case table::Type::f64:
        column.f64.push_back(0);
        break;
      case table::Type::u8:
        column.u8.push_back(0);
        break;
      case table::Type::code:
        column.codes.push_back(code_of(""));
        break;
    }
    column.valid.push_back(!decl_->columns[i].nullable);
  }
  return Row(this, rows_++);
}

int32_t Table::code_of(std::string_view text) {
  const auto [it, added] = codes_.try_emplace(std::string(text), static_cast<int32_t>(codes_.size()));
  if (added) {
    dict_bytes_ += text;
    dict_offsets_.push_back(static_cast<uint32_t>(dict_bytes_.size()));
  }
  return it->second;
}

void Table::describe(size_t index) {
  ColumnData& data = columns_[index];
  const table::ColumnDecl& decl = decl_->columns[index];
  sw_column& column = described_[index];
  column = {};
  column.size = sizeof column;
  column.type = static_cast<uint32_t>(decl.type);
  column.unit = static_cast<uint32_t>(decl.unit);
  column.name = as_sw_str(decl.name);
  column.rows = rows_;
  data.validity_bits.assign(rows_ / 8 + 1, 0);
  for (size_t row = 0; row < rows_; ++row) {
    if (data.valid[row]) {
      data.validity_bits[row / 8] = static_cast<uint8_t>(data.validity_bits[row / 8] | 1U << (row % 8));
    } else {
      ++column.null_count;
    }
  }
  column.validity = column.null_count > 0 ? data.validity_bits.data() : nullptr;
  switch (decl.type) {
    case table::Type::i64:
      column.data = data.i64.data();
      break;
    case table::Type::f64:
      column.data = data.f64.data();
      break;
    case table::Type::u8:
      column.data = data.u8.data();
      break;
    case table::Type::code:
      column.data = data.codes.data();
      column.dict_offsets = dict_offsets_.data();
      column.dict_bytes = dict_bytes_.data();
      column.dict_count = codes_.size();
      break;
  }
}

const sw_table* Table::view() {
  described_.resize(columns_.size());
  for (size_t i = 0; i < columns_.size(); ++i) describe(i);
  table_ = {
      sizeof(sw_table),       static_cast<uint32_t>(described_.size()), described_.data(), sizeof(sw_column), 0, rows_,
      as_sw_str(source_file_)};
  return &table_;
}

Host::Host() {
  api_.size = sizeof api_;
  api_.abi_major = SW_ABI_MAJOR;
  api_.abi_minor = SW_ABI_MINOR;
  api_.ctx = this;
  api_.table = host_table;
  api_.call = host_call;
  api_.cancelled = host_cancelled;
  api_.progress = [](void*, uint64_t, uint64_t, sw_str) {};
  api_.log = [](void*, int32_t, sw_str) {};
  api_.emit = host_emit;
  api_.fail = host_fail;
  api_.extension = [](void*, sw_str) -> const void* { return nullptr; };
}

void Host::add(uint32_t rank, Table table) {
  const std::string name = table.decl().name;
  tables_.insert_or_assign({rank, name}, std::move(table));
}

std::string Host::prepare(std::string_view args_json) {
  emitted_.reset();
  failure_.reset();
  std::string args(args_json);
  const auto given = Value::parse(args);
  if (given && given->is_object() && (*given)["ranks"].is_absent()) {
    const uint32_t rank = tables_.empty() ? 0 : tables_.begin()->first.first;
    const std::string ranks = "\"ranks\": [" + std::to_string(rank) + "]" + (given->size() > 0 ? ", " : "");
    args.insert(args.find('{') + 1, ranks);
  }
  return args;
}

Value Host::outcome(int32_t returned) {
  returned_ = returned;
  return emitted_ ? Value::parse(*emitted_).value_or(Value()) : Value();
}

Value Host::run(ToolFunction tool, std::string_view args_json) {
  const std::string args = prepare(args_json);
  return outcome(run_tool(&api_, as_sw_str(args), tool));
}

Value Host::run(const sw_tool& tool, std::string_view args_json) {
  const std::string args = prepare(args_json);
  return outcome(tool.call(nullptr, &api_, as_sw_str(args)));
}

int32_t Host::host_table(void* ctx, uint32_t rank, sw_str name, const sw_table** out) {
  Host& host = *static_cast<Host*>(ctx);
  host.tables_asked_.push_back(text_of(name));
  const auto it = host.tables_.find({rank, text_of(name)});
  *out = it == host.tables_.end() ? nullptr : it->second.view();
  return *out == nullptr ? SW_MISSING : SW_OK;
}

int32_t Host::host_call(void* ctx, sw_str tool, sw_str, sw_str* result_json) {
  Host& host = *static_cast<Host*>(ctx);
  const auto it = host.answers_.find(text_of(tool));
  if (it == host.answers_.end()) {
    return host_fail(ctx, SW_KIND_PLUGIN, as_sw_str("test.call"), as_sw_str("no answer was given for " + text_of(tool)),
                     {}),
           SW_FAILED;
  }
  *result_json = as_sw_str(it->second);
  return SW_OK;
}

int32_t Host::host_cancelled(void* ctx) {
  Host& host = *static_cast<Host*>(ctx);
  ++host.looks_;
  return host.cancel_after_ && host.looks_ > *host.cancel_after_ ? 1 : 0;
}

int32_t Host::host_emit(void* ctx, sw_str result_json) {
  Host& host = *static_cast<Host*>(ctx);
  if (host.emitted_)
    return host_fail(ctx, SW_KIND_PLUGIN, as_sw_str("test.emit"), as_sw_str("emitted twice"), {}), SW_FAILED;
  host.emitted_ = text_of(result_json);
  return SW_OK;
}

int32_t Host::host_fail(void* ctx, int32_t kind, sw_str code, sw_str message, sw_str hint) {
  Host& host = *static_cast<Host*>(ctx);
  if (!host.failure_) host.failure_ = Failure{kind, text_of(code), text_of(message), text_of(hint)};
  return SW_OK;
}

}  // namespace stepwise::sdk::testing
