// kernel_details.csv: one row for each task of the device. Header variants A to G differ in which columns are there
// (Level0 has eight of them) and in Block Dim against Block Num.
#include <vector>

#include "core/ingest/csv_table.h"
#include "core/ingest/kernel_class.h"
#include "core/ingest/readers.h"
#include "stepwise/tables_device.hpp"

namespace stepwise::ingest {
namespace {

namespace kernel = table::kernel;

constexpr const char* kCompute = "compute";
constexpr const char* kCommunication = "communication";

constexpr CsvColumn kColumns[] = {
    csv_column(kernel::step, Cell::integer, "Step Id"),
    csv_column(kernel::name, Cell::text, "Name"),
    csv_column(kernel::op_type, Cell::text, "Type"),
    csv_column(kernel::core_type, Cell::text, "Accelerator Core"),
    csv_column(kernel::class_, Cell::constant, kCompute),  // corrected below
    csv_column(kernel::stream, Cell::integer, "Stream ID"),
    csv_column(kernel::device, Cell::integer, "Device_id"),
    csv_column(kernel::start_ns, Cell::instant, "Start Time(us)"),
    csv_column(kernel::dur_ns, Cell::measured, "Duration(us)"),
    csv_column(kernel::wait_ns, Cell::us, "Wait Time(us)"),
    csv_column(kernel::block_dim, Cell::integer, "Block Dim", "Block Num"),
    csv_column(kernel::op_state, Cell::text, "OP State"),
    csv_column(kernel::hf32, Cell::text, "HF32 Eligible"),
    csv_column(kernel::model_id, Cell::integer, "Model ID"),
    csv_column(kernel::task_id, Cell::integer, "Task ID"),
    csv_column(kernel::input_shapes, Cell::shapes, "Input Shapes"),
    csv_column(kernel::input_dtypes, Cell::text, "Input Data Types"),
    csv_column(kernel::input_formats, Cell::text, "Input Formats"),
    csv_column(kernel::output_shapes, Cell::shapes, "Output Shapes"),
    csv_column(kernel::output_dtypes, Cell::text, "Output Data Types"),
    csv_column(kernel::output_formats, Cell::text, "Output Formats"),
    csv_column(kernel::aic_time_ns, Cell::us, "aicore_time(us)", "aic_time(us)"),
    csv_column(kernel::aiv_time_ns, Cell::us, "aiv_time(us)"),
    csv_column(kernel::aic_mac_ratio, Cell::number, "aic_mac_ratio", "mac_ratio"),
    csv_column(kernel::aic_scalar_ratio, Cell::number, "aic_scalar_ratio", "scalar_ratio"),
    csv_column(kernel::aic_mte1_ratio, Cell::number, "aic_mte1_ratio", "mte1_ratio"),
    csv_column(kernel::aic_mte2_ratio, Cell::number, "aic_mte2_ratio", "mte2_ratio"),
    csv_column(kernel::aic_fixpipe_ratio, Cell::number, "aic_fixpipe_ratio"),
    csv_column(kernel::aiv_vec_ratio, Cell::number, "aiv_vec_ratio", "vec_ratio"),
    csv_column(kernel::aiv_scalar_ratio, Cell::number, "aiv_scalar_ratio"),
    csv_column(kernel::aiv_mte2_ratio, Cell::number, "aiv_mte2_ratio"),
    csv_column(kernel::aiv_mte3_ratio, Cell::number, "aiv_mte3_ratio", "mte3_ratio"),
    csv_column(kernel::cube_utilization_ratio, Cell::percent, "cube_utilization(%)"),
};

constexpr CsvFormat kFormat{kernel::kTable, kColumns, kernel::src_pos.index};

/// Sets the class of each row from its core, else from its type and name. Each text is looked at once.
class Classifier {
 public:
  explicit Classifier(store::TableBuilder& rows)
      : rows_(rows), by_name_(rows.dictionary().size(), Known::unseen), by_core_(by_name_.size(), kUnknown) {}

  void run() {
    const store::ColumnBuffer &name = rows_.column(kernel::name), &type = rows_.column(kernel::op_type),
                              &core = rows_.column(kernel::core_type);
    std::vector<int32_t>& out = rows_.values(kernel::class_);
    const int32_t communication = rows_.dictionary().intern(kCommunication);
    for (size_t row = 0; row < out.size(); ++row) {
      if (const int32_t by_core = core.is_null(row) ? kSilent : class_of(core.code[row]); by_core != kSilent) {
        out[row] = by_core;
      } else if (communicates(name.code[row]) || (!type.is_null(row) && communicates(type.code[row]))) {
        out[row] = communication;
      }
    }
  }

 private:
  enum class Known : uint8_t { unseen, communicates, does_not };
  static constexpr int32_t kUnknown = -2, kSilent = -1;  // not looked at; the core does not tell

  bool communicates(int32_t code) {
    Known& known = by_name_[static_cast<size_t>(code)];
    if (known == Known::unseen) {
      known = is_communication_name(rows_.dictionary().at(code)) ? Known::communicates : Known::does_not;
    }
    return known == Known::communicates;
  }
  int32_t class_of(int32_t core) {
    int32_t& known = by_core_[static_cast<size_t>(core)];
    if (known == kUnknown) {
      const std::string_view found = class_of_core(rows_.dictionary().at(core));
      known = found.empty() ? kSilent : rows_.dictionary().intern(found);
    }
    return known;
  }

  store::TableBuilder& rows_;
  std::vector<Known> by_name_;
  std::vector<int32_t> by_core_;
};

}  // namespace

Result<void> read_kernel_details(const std::filesystem::path& file, const std::string& relative_path,
                                 IngestContext& context, store::SegmentBuilder& out) {
  SW_RETURN_IF_ERROR(read_csv_table(kFormat, file, relative_path, context, out));
  if (out.has(kernel::kTable)) Classifier(out.table(kernel::kTable)).run();
  return {};
}

}  // namespace stepwise::ingest
