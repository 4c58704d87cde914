#include "fused_names.h"

#include <algorithm>
#include <cctype>

namespace stepwise::overview {
namespace {

namespace kernel = table::kernel;

// What follows the prefix that a compiler gives. nullopt: none does.
std::optional<std::string_view> after_prefix(std::string_view name) {
  for (const std::string_view prefix : {"autofused_", "autofuse_", "mlir_fused_", "dvm_"}) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  constexpr std::string_view kFused = "_fused_";
  const size_t fused = name.starts_with("triton_") ? name.find(kFused) : std::string_view::npos;
  if (fused == std::string_view::npos) return std::nullopt;
  return name.substr(fused + kFused.size());
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool is_product(const std::string& type) {
  return type == "mm" || type == "bmm" || type == "addmm" || type == "matmul" || type == "batchmatmul" ||
         type.starts_with("matmulv") || type.starts_with("batchmatmulv");
}

bool is_catlass(std::string_view name) { return lower(name).find("catlass") != std::string::npos; }

}  // namespace

std::optional<std::vector<std::string>> fused_types(std::string_view name) {
  auto rest = after_prefix(name);
  if (!rest) return std::nullopt;
  std::vector<std::string> types;
  while (!rest->empty()) {
    const size_t end = std::min(rest->find('_'), rest->size());
    const std::string_view part = rest->substr(0, end);
    // Numbers and hashes tell fused operators apart, and are no types.
    const bool is_type = !part.empty() && std::isalpha(static_cast<unsigned char>(part.front())) != 0;
    if (is_type) types.push_back(lower(part));
    rest = rest->substr(std::min(end + 1, rest->size()));
  }
  return types;
}

FusedNames fused_names(const sdk::Call& call, const sdk::TableView& view) {
  const auto name = view[kernel::name], op_type = view[kernel::op_type];
  FusedNames out;
  std::vector<int8_t> known(name.dictionary_size(), -1);  // 1: fused
  call.for_each_row(view.rows(), [&](uint64_t row) {
    if (name.is_null(row) || view[kernel::class_][row] == "communication") return;
    int8_t& fused = known[static_cast<size_t>(name.code(row))];
    if (fused < 0) {
      const bool catlass = is_catlass(name[row]) || is_catlass(op_type[row]);
      auto types = fused_types(name[row]);
      if (!types) types = fused_types(op_type[row]);
      fused = types || catlass ? 1 : 0;
      if (fused == 1) ++out.operators;
      out.catlass = out.catlass || catlass;
      if (types) {
        const bool product = std::any_of(types->begin(), types->end(), is_product);
        out.fuses_products = out.fuses_products || (product && types->size() > 1);
        out.types.insert(types->begin(), types->end());
      }
      out.fuses_products = out.fuses_products || catlass;
    }
    if (fused == 0) return;
    if (out.executions++ == 0) {
      out.example = name[row];
      out.row = view[kernel::src_pos][row];
    }
    out.total_ns += view[kernel::dur_ns][row];
  });
  return out;
}

}  // namespace stepwise::overview
