#include <algorithm>

#include "clients/example/summary_writers.h"

namespace stepwise::example {
namespace {

constexpr std::string_view kHeader =
    "Name,Input Shapes,Call Stack,Host Self Duration(us),Host Total Duration(us),Device Self Duration(us),"
    "Device Total Duration(us),Device Self Duration With AICore(us),Device Total Duration With AICore(us)\n";

/// Parts by ';' on lines of their own; quoted as csv.writer does when the cell needs it.
void lines_cell(TextFile& file, std::string_view parts) {
  const bool quoted = parts.find_first_of(",;\"") != std::string_view::npos;
  if (quoted) file.text("\"");
  for (size_t from = 0; from < parts.size();) {
    const size_t end = std::min(parts.find(';', from), parts.size());
    file.text(parts.substr(from, end - from));
    if (end < parts.size()) file.text(";\n");
    from = end + 1;
  }
  if (quoted) file.text("\"");
}

/// Device sums without any work are Python's integer 0.
void duration(TextFile& file, int64_t ns) {
  file.text(",");
  if (ns == 0) {
    file.text("0");
  } else {
    file.us(ns);
  }
}

}  // namespace

OperatorDetailsWriter::OperatorDetailsWriter(TextFile& file) : file_(file) { file_.text(kHeader); }

void OperatorDetailsWriter::host_op(const HostOp& op) {
  if (!op.is_step) open_.push_back(op);
}

void OperatorDetailsWriter::step_end(const StepRange&) {
  // Told inner calls first; the file has outer ones first.
  std::stable_sort(open_.begin(), open_.end(), [](const HostOp& a, const HostOp& b) {
    return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.end_ns > b.end_ns;
  });
  for (const HostOp& op : open_) {
    file_.text(op.label.name);
    if (op.label.number >= 0) file_.text("#").integer(op.label.number);
    file_.text(",");
    lines_cell(file_, op.dims);
    file_.text(",");
    lines_cell(file_, op.stack);
    file_.text(",").us(op.self_ns).text(",").us(op.end_ns - op.start_ns);
    duration(file_, op.device_self_ns);
    duration(file_, op.device_total_ns);
    duration(file_, op.core_self_ns);
    duration(file_, op.core_total_ns);
    file_.text("\n");
  }
  rows_written_ += static_cast<int64_t>(open_.size());
  open_.clear();
}

}  // namespace stepwise::example
