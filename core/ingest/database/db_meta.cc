#include "core/ingest/database/db_meta.h"

#include <limits>
#include <set>
#include <string_view>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/ingest/exports/metadata.h"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

namespace meta = table::meta;

/// First parts of the keys that the table has.
std::set<std::string, std::less<>> known_keys(const store::TableBuilder& rows, const store::Dictionary& texts) {
  std::set<std::string, std::less<>> known;
  for (const int32_t code : rows.column(meta::key).code) {
    const std::string_view key = texts.at(code);
    known.emplace(key.substr(0, key.find('.')));
  }
  return known;
}

void add_text(const std::string& key, std::string_view value, const std::string& file, store::TableBuilder& rows) {
  rows.append(meta::key, key);
  rows.append(meta::value, to_valid_utf8(value));
  rows.append(meta::file, file);
  rows.end_row();
}

std::optional<uint32_t> to_rank(std::optional<int64_t> number) {
  if (!number || *number < 0 || *number >= std::numeric_limits<uint32_t>::max()) return std::nullopt;
  return static_cast<uint32_t>(*number);
}

/// "ascend_pytorch_profiler_3.db" -> 3
std::optional<uint32_t> rank_in_file_name(const std::string& name) {
  const size_t at = name.rfind('_');
  if (at == std::string::npos || !name.ends_with(".db") || name.starts_with("msprof")) return std::nullopt;
  return to_rank(to_integer(std::string_view(name).substr(at + 1, name.size() - at - 4)));
}

}  // namespace

void fill_meta(Database& database, const std::string& file, IngestContext& context, store::SegmentBuilder& out) {
  store::TableBuilder& to = out.table(meta::kTable);
  const std::set<std::string, std::less<>> known = known_keys(to, out.dictionary());
  DbRows rows(database, "META_DATA", {required("name"), required("value")}, file, context);
  while (rows.next()) {
    const auto name = rows.text(0), value = rows.text(1);
    if (!name || name->empty() || !value) {
      rows.leave_out("has no name or value");
      continue;
    }
    const std::string key = to_valid_utf8(*name);
    if (known.contains(std::string_view(key).substr(0, key.find('.')))) continue;
    const bool is_json = value->starts_with('{') || value->starts_with('[');
    const Result<Json> parsed = is_json ? parse_json(to_valid_utf8(*value)) : Result<Json>(Json());
    if (is_json && parsed.ok()) {
      flatten_metadata(key, parsed.value(), file, to);
    } else {
      add_text(key, *value, file, to);
    }
  }
  DbRows host(database, "HOST_INFO", {required("hostName"), {"hostUid"}}, file, context);
  while (host.next()) {
    if (const auto name = host.text(0)) add_text("HOST_INFO.hostName", *name, file, to);
    if (const auto uid = host.text(1)) add_text("HOST_INFO.hostUid", *uid, file, to);
  }
  DbRows devices(database, "NPU_INFO", {required("id"), required("name")}, file, context);
  while (devices.next()) {
    const auto id = devices.integer(0);
    const auto name = devices.text(1);
    if (id && name) add_text("NPU_INFO." + std::to_string(*id) + ".name", *name, file, to);
  }
  DbRows ranks(database, "RANK_DEVICE_MAP", {required("rankId"), required("deviceId")}, file, context);
  while (ranks.next()) {
    const auto rank = ranks.integer(0), device = ranks.integer(1);
    if (!rank || !device) continue;
    add_text("RANK_DEVICE_MAP." + std::to_string(*rank), std::to_string(*device), file, to);
  }
  if (to.rows() == 0) out.drop(meta::kTable);
}

std::optional<uint32_t> rank_in_database(const std::filesystem::path& file) {
  const CancelFlag never;
  ProgressGauge progress;
  Diagnostics diagnostics;  // told when the file is read
  IngestContext context{never, progress, diagnostics};
  std::optional<uint32_t> only;
  if (Result<Database> opened = Database::open(file, nullptr); opened.ok()) {
    const std::string name = file.filename().string();
    DbRows ranks(opened.value(), "RANK_DEVICE_MAP", {required("rankId")}, name, context);
    while (ranks.next()) {
      const auto rank = to_rank(ranks.integer(0));
      if (rank && only && *rank != *only) return std::nullopt;  // of several ranks, it is no single one's
      if (rank) only = rank;
    }
  }
  return only ? only : rank_in_file_name(file.filename().string());
}

}  // namespace stepwise::ingest
