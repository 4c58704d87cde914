// Training or inference: training if and only if something speaks of backward propagation.
#include <string>
#include <vector>

#include "execution_mode.h"
#include "gradient_names.h"

namespace stepwise::execution_mode {
namespace {

namespace kernel = table::kernel;
namespace op_stat = table::op_stat;
namespace op_detail = table::op_detail;
namespace host_op = table::host_op;
using sdk::Call;
using sdk::Column;
using sdk::JsonWriter;

// What one column of names says.
struct Source {
  const char* proof = "";
  const char* what = "";  // in a sentence: "12 of 191 ..."
  std::string file;
  uint64_t rows = 0, hits = 0;
  std::string first_name;
  int64_t first_row = 0;
};

// Names repeat: each is judged once.
class Judge {
 public:
  explicit Judge(Column<table::Type::code> names) : names_(names), known_(names.dictionary_size(), kUnknown) {}
  bool operator()(uint64_t row) {
    const int32_t code = names_.code(row);
    if (code < 0) return false;
    int8_t& verdict = known_[static_cast<size_t>(code)];
    if (verdict == kUnknown) verdict = says_gradient(names_.text_of(code)) ? 1 : 0;
    return verdict == 1;
  }

 private:
  static constexpr int8_t kUnknown = -1;
  Column<table::Type::code> names_;
  std::vector<int8_t> known_;
};

template <class Counts>
Source look(const Call& call, const sdk::TableView& view, const char* proof, const char* what,
            Column<table::Type::code> names, Column<table::Type::i64> src_pos, Counts counts) {
  Source source;
  source.proof = proof;
  source.what = what;
  source.file = view.source_file();
  Judge is_gradient(names);
  call.for_each_row(view.rows(), [&](uint64_t row) {
    if (names.is_null(row) || !counts(row)) return;
    ++source.rows;
    if (!is_gradient(row)) return;
    if (source.hits++ > 0) return;
    source.first_name = names[row];
    source.first_row = src_pos[row];
  });
  return source;
}

struct Findings {
  std::vector<Source> sources;  // in order of proof
  bool saw_framework_operators = false;

  const Source* proof() const {
    for (const Source& source : sources) {
      if (source.hits > 0) return &source;
    }
    return nullptr;
  }
  uint64_t rows() const {
    uint64_t rows = 0;
    for (const Source& source : sources) rows += source.rows;
    return rows;
  }
};

Findings look_everywhere(Call& call, uint32_t rank) {
  Findings findings;
  const auto any_row = [](uint64_t) { return true; };
  if (const auto kernels = call.table(rank, kernel::kTable)) {
    const auto class_ = (*kernels)[kernel::class_];
    const auto computes = [class_](uint64_t row) { return class_[row] != "communication"; };
    const auto src_pos = (*kernels)[kernel::src_pos];
    findings.sources.push_back(look(call, *kernels, "gradient_op_types", "device rows have a gradient operator type",
                                    (*kernels)[kernel::op_type], src_pos, computes));
    findings.sources.push_back(look(call, *kernels, "gradient_kernels", "device rows have a gradient kernel's name",
                                    (*kernels)[kernel::name], src_pos, computes));
  }
  if (const auto types = call.table(rank, op_stat::kTable)) {
    findings.sources.push_back(look(call, *types, "gradient_op_types", "operator types are gradient operators",
                                    (*types)[op_stat::op_type], (*types)[op_stat::src_pos], any_row));
  }
  if (const auto operators = call.table(rank, op_detail::kTable)) {
    findings.saw_framework_operators = true;
    findings.sources.push_back(look(call, *operators, "backward_operators",
                                    "framework calls speak of backward or gradients", (*operators)[op_detail::name],
                                    (*operators)[op_detail::src_pos], any_row));
  }
  // GPU traces bring these along with their kernels; elsewhere they are looked at where nothing else is there. Python
  // functions are a table of their own and never count.
  const bool looks_at_trace = call.args().profile().kind == "kineto" || findings.sources.empty();
  if (const auto operators = looks_at_trace ? call.table(rank, host_op::kTable) : std::nullopt) {
    findings.saw_framework_operators = true;
    findings.sources.push_back(look(call, *operators, "backward_operators",
                                    "framework calls and ranges speak of backward or gradients",
                                    (*operators)[host_op::name], (*operators)[host_op::src_pos], any_row));
  }
  return findings;
}

void write_evidence(JsonWriter& w, const Findings& findings, bool training, size_t limit) {
  w.key("evidence").begin_array();
  size_t id = 0;
  for (const Source& source : findings.sources) {
    if (source.rows == 0 || id == limit) continue;
    const bool speaks_for_training = source.hits > 0;
    std::string says = speaks_for_training == training ? "for: " : "against: ";
    says += std::to_string(source.hits) + " of " + std::to_string(source.rows) + " " + source.what;
    if (speaks_for_training) says += ", the first is `" + source.first_name + "`";
    w.begin_object().field("id", "e" + std::to_string(++id)).field("file", source.file);
    if (speaks_for_training) w.field("row", source.first_row);
    w.field("says", says).end_object();
  }
  w.end_array();
}

void write_list(JsonWriter& w, const char* key, const char* only) {
  w.key(key).begin_array();
  if (only != nullptr) w.value(only);
  w.end_array();
}

}  // namespace

int32_t detect_scenario(Call& call) {
  const auto ranks = call.args().ranks();
  if (ranks.empty()) return call.fail(sdk::Fault::usage, "args.rank", "The call names no rank.");
  const Findings findings = look_everywhere(call, ranks.front());
  const Source* proof = findings.proof();
  const bool nothing = findings.rows() == 0;
  const bool training = proof != nullptr;
  // Without the framework's own calls an inference verdict rests on device rows alone.
  const bool narrowed = !nothing && !training && !findings.saw_framework_operators;

  JsonWriter w;
  w.begin_object();
  w.field("status", narrowed ? "partial" : "ok");
  w.field("value", nothing ? "undetermined" : training ? "training" : "inference");
  w.field("proof", nothing ? "nothing_to_look_at" : training ? proof->proof : "no_gradient_found");
  w.field("toolchain", nullptr);
  write_list(w, "applies", nothing ? nullptr : training ? "training" : "inference");
  write_list(w, "excludes", nothing ? nullptr : training ? "inference" : "training");
  write_list(w, "supply",
             nothing
                 ? "A profile with operators: kernel_details.csv, op_statistic.csv, operator_details.csv or a timeline."
                 : nullptr);
  write_evidence(w, findings, training, evidence_limit(call));
  if (narrowed) {
    w.key("missing").begin_array().begin_object();
    w.field("input", "operator_details.csv").field("costs", "backward calls of the framework could not be looked for");
    w.end_object().end_array();
  }
  w.end_object();
  return call.emit(w);
}

}  // namespace stepwise::execution_mode
