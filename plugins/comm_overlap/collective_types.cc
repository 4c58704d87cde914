#include "collective_types.h"

#include <array>
#include <cctype>
#include <utility>
#include <vector>

namespace stepwise::comm_overlap {
namespace {

namespace kernel = table::kernel;
namespace kernel_link = table::kernel_link;
namespace host_op = table::host_op;

// Letters and digits of a name without its parameters, in small: "nccl:_all_gather_base" is ncclallgatherbase.
std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name.substr(0, name.find('('))) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return out;
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// Longer words first: an allGather is no gather, a reduceScatter neither a reduce nor a scatter.
constexpr std::array<std::pair<std::string_view, const char*>, 11> kWords = {{{"allreduce", "allReduce"},
                                                                              {"reducescatter", "reduceScatter"},
                                                                              {"allgather", "allGather"},
                                                                              {"alltoall", "alltoall"},
                                                                              {"broadcast", "broadcast"},
                                                                              {"send", "send"},
                                                                              {"recv", "receive"},
                                                                              {"receive", "receive"},
                                                                              {"reduce", "reduce"},
                                                                              {"scatter", "scatter"},
                                                                              {"gather", "gather"}}};

// For each name of the dictionary once; empty: it tells none.
class TypesOfNames {
 public:
  explicit TypesOfNames(const sdk::Column<table::Type::code>& names) : types_(names.dictionary_size()) {
    for (size_t code = 0; code < types_.size(); ++code) {
      types_[code] = collective_type(names.text_of(static_cast<int32_t>(code))).value_or("");
    }
  }
  const std::string& of(int32_t code) const { return code < 0 ? none_ : types_[static_cast<size_t>(code)]; }

 private:
  std::vector<std::string> types_;
  std::string none_;
};

}  // namespace

std::optional<std::string> collective_type(std::string_view name) {
  constexpr std::string_view kHccl = "hcom_";
  if (name.rfind(kHccl, 0) == 0) {
    name.remove_prefix(kHccl.size());
    return std::string(name.substr(0, name.find('_')));
  }
  const std::string text = plain(name);
  if (!has(text, "nccl") && !has(text, "rccl") && text.rfind("c10d", 0) != 0) return std::nullopt;
  if (has(text, "sendrecv")) return std::nullopt;
  for (const auto& [word, type] : kWords) {
    if (has(text, word)) return type;
  }
  return std::nullopt;
}

CollectiveTypes::CollectiveTypes(sdk::Call& call, uint32_t rank, const sdk::TableView& kernels)
    : name_(kernels[kernel::name]) {
  const auto links = call.table(rank, kernel_link::kTable), calls = call.table(rank, host_op::kTable);
  if (!links || !calls) return;
  const auto class_ = kernels[kernel::class_];
  const auto kernel_id = (*links)[kernel_link::kernel_id], host_op_id = (*links)[kernel_link::host_op_id];
  const auto name = (*calls)[host_op::name];
  const auto parent = (*calls)[host_op::parent_id];
  const TypesOfNames types(name);
  call.for_each_row(links->rows(), [&](uint64_t row) {
    const auto at = static_cast<uint64_t>(kernel_id[row]);
    if (at >= kernels.rows() || class_[at] != "communication") return;
    // A parent stands before its children; a file's nonsense ends the walk.
    for (auto op = host_op_id.get(row); op && *op >= 0 && static_cast<uint64_t>(*op) < calls->rows();) {
      const auto here = static_cast<uint64_t>(*op);
      if (const std::string& type = types.of(name.code(here)); !type.empty()) {
        by_launch_.emplace(at, type);
        return;
      }
      op = parent.get(here);
      if (op && *op >= static_cast<int64_t>(here)) return;
    }
  });
}

std::optional<std::string> CollectiveTypes::of(uint64_t kernel_row) const {
  const auto it = by_launch_.find(kernel_row);
  return it != by_launch_.end() ? it->second : collective_type(name_[kernel_row]);
}

}  // namespace stepwise::comm_overlap
