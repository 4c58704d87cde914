#include "problem_kinds.h"

#include <algorithm>
#include <cctype>

namespace stepwise::overview {
namespace {

bool contains_in_any_case(std::string_view text, std::string_view lower_word) {
  const auto equal = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return std::search(text.begin(), text.end(), lower_word.begin(), lower_word.end(), equal) != text.end();
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::optional<Problem> problem_named(std::string_view name) {
  for (const ProblemKind& kind : kProblemKinds) {
    if (name == kind.name) return kind.problem;
  }
  return std::nullopt;
}

std::string_view type_of(std::optional<std::string_view> op_type, std::string_view name) {
  if (op_type) return *op_type;
  size_t last = name.rfind('_');
  if (last != std::string_view::npos && is_number(name.substr(last + 1))) {
    name = name.substr(0, last);
    last = name.rfind('_');
  }
  return last == std::string_view::npos ? name : name.substr(last + 1);
}

bool changes_format(std::string_view type) { return type == "TransData" || type == "Cast"; }

bool serves_embeddings(std::string_view type) {
  return type.starts_with("EmbeddingDenseGrad") || type.starts_with("Sort") || type.starts_with("Unique");
}

bool multiplies_matrices(std::string_view type) { return contains_in_any_case(type, "matmul"); }

std::optional<bool> takes_float(std::optional<std::string_view> input_dtypes) {
  if (!input_dtypes) return std::nullopt;
  const std::string_view first = input_dtypes->substr(0, input_dtypes->find(';'));
  return first == "FLOAT" || first == "DT_FLOAT" || first == "FLOAT32";
}

}  // namespace stepwise::overview
