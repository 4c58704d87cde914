#include "core/ingest/kernel_table.h"

#include <string_view>
#include <vector>

#include "core/ingest/kernel_class.h"

namespace stepwise::ingest {
namespace {

namespace kernel = table::kernel;

constexpr const char* kCommunication = "communication";

/// Each text is looked at once.
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

void classify_kernels(store::SegmentBuilder& out) {
  if (out.has(kernel::kTable)) Classifier(out.table(kernel::kTable)).run();
}

}  // namespace stepwise::ingest
