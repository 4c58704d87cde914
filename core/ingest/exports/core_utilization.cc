// ai_core_utilization_*.csv and ai_vector_core_utilization_*.csv: what each core was busy with, sampled over the whole
// recording, and the mean of all. Which counters there are depends on what was recorded, and there are no times: each
// figure goes to the table meta, as ai_core_utilization.0.Core3.mac_ratio (device, core, counter).
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/ingest/base/cut_json.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/csv/csv_cell.h"
#include "core/ingest/csv/csv_rows.h"
#include "stepwise/tables_summary.hpp"

namespace stepwise::ingest {
namespace {

namespace meta = table::meta;

constexpr uint64_t kMaxFigures = 65'536;  // of a file; a chip has some 50 cores, a group some 15 counters
constexpr size_t kMaxNameBytes = 256;

class Figures final : public CsvRecordHandler {
 public:
  Figures(const std::string& file, Diagnostics& diagnostics, store::SegmentBuilder& out)
      : file_(file), diagnostics_(diagnostics), out_(out) {
    const std::string_view name = std::string_view(file).substr(file.rfind('/') + 1);
    kind_ = name.starts_with("ai_vector_core") ? "ai_vector_core_utilization" : "ai_core_utilization";
  }

  bool header(const CsvRecord& record) override {
    saw_anything_ = true;
    header_size_ = record.size();
    // Whatever else the header names is a counter, and read: what find_columns says of unused ones is not wanted.
    std::vector<CsvColumnName> columns{{{"Core ID", nullptr, nullptr}, true}, {{"Device_id", nullptr, nullptr}, false}};
    for (size_t i = 0; i < record.size(); ++i) names_.emplace_back(trim(record[i]));
    for (const std::string& name : names_) columns.push_back({{name.c_str(), nullptr, nullptr}, true});
    const auto cells = find_columns(record, columns, file_, diagnostics_);
    if (!cells) return false;
    core_ = (*cells)[0];
    device_ = (*cells)[1];
    for (std::string& name : names_) make_valid_utf8(name, file_, diagnostics_);
    return true;
  }

  void row(const CsvRecord& record, int64_t number) override {
    std::string core(trim(record[core_])), device(device_ == kAbsentCell ? "" : trim(record[device_]));
    if (core.empty() || core.size() > kMaxNameBytes || device.size() > kMaxNameBytes) {
      return lose(record, number, core_);
    }
    make_valid_utf8(core, file_, diagnostics_);
    make_valid_utf8(device, file_, diagnostics_);
    const std::string path = kind_ + "." + (device.empty() ? "" : device + ".") + core + ".";
    for (size_t i = 0; i < record.size(); ++i) {
      if (i == core_ || i == device_) continue;
      CellValue value;
      if (reader_.read(record[i], value) != CellOutcome::good || (!value.is_null && figures_ >= kMaxFigures)) {
        lose(record, number, i);
      } else if (!value.is_null) {
        ++figures_;
        append(path + names_[i], trim(record[i]));
      }
    }
  }

  void lost(CsvLoss loss, int64_t line, size_t cells) override {
    saw_anything_ = true;
    count_loss(loss, line, cells, header_size_, file_, diagnostics_);
  }

  bool saw_anything() const { return saw_anything_; }
  bool is_without_figures() const { return core_ != kAbsentCell && figures_ == 0; }

 private:
  void append(const std::string& key, std::string_view value) {
    store::TableBuilder& rows = out_.table(meta::kTable);
    rows.append(meta::key, key);
    rows.append(meta::value, value);
    rows.append(meta::file, file_);
    rows.end_row();
  }
  void lose(const CsvRecord& record, int64_t number, size_t cell) {
    diagnostics_.count(Diag::csv_bad_cell, file_, record.line(), 1,
                       "First: row " + std::to_string(number) + ", column " + shorten(names_[cell], 40) + " holds \"" +
                           shorten(to_valid_utf8(record[cell]), 40) + "\".");
  }

  const std::string& file_;
  Diagnostics& diagnostics_;
  store::SegmentBuilder& out_;
  std::string kind_;
  std::vector<std::string> names_;  // of the header
  size_t core_ = kAbsentCell, device_ = kAbsentCell, header_size_ = 0;
  CellReader reader_{Cell::number, false, nullptr};
  uint64_t figures_ = 0;
  bool saw_anything_ = false;
};

}  // namespace

Result<void> read_core_utilization(const std::filesystem::path& file, const std::string& relative_path,
                                   IngestContext& context, store::SegmentBuilder& out) {
  Figures figures(relative_path, context.diagnostics, out);
  CsvReader reader(figures);
  SW_RETURN_IF_ERROR(feed_csv(reader, file, relative_path, context, [&] { return figures.saw_anything(); }));
  if (figures.is_without_figures()) context.diagnostics.count(Diag::csv_no_rows, relative_path);
  return {};
}

}  // namespace stepwise::ingest
