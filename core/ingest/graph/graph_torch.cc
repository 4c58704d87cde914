#include "core/ingest/graph/graph_torch.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"

namespace stepwise::ingest {
namespace {

using Names = std::pair<std::string_view, std::string_view>;

bool consists_of(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

}  // namespace

std::string torch_op_type(std::string_view callee) {
  constexpr std::string_view kOps = "torch.ops.";
  constexpr Names kAliases[] = {
      {"aten.", "aten."}, {"prims.", "prims."}, {"inductor_ops.", "inductor."}, {"_quantized.", "_quantized."}};
  std::string path;
  if (callee.starts_with(kOps)) path = callee.substr(kOps.size());
  for (const auto& [alias, real] : kAliases) {
    if (callee.starts_with(alias)) path = std::string(real) + std::string(callee.substr(alias.size()));
  }
  const size_t name = path.find('.');
  if (name == std::string::npos) return "";
  return path.substr(0, path.find('.', name + 1));
}

std::string short_dtype(std::string_view dtype) {
  constexpr Names kShort[] = {{"float32", "f32"}, {"float16", "f16"}, {"bfloat16", "bf16"}, {"float64", "f64"},
                              {"int64", "i64"},   {"int32", "i32"},   {"int16", "i16"},     {"int8", "i8"},
                              {"uint8", "u8"},    {"bool", "b8"}};
  for (const auto& [name, letters] : kShort) {
    if (dtype == name) return std::string(letters);
  }
  return std::string(dtype);
}

const char* operator_type(std::string_view expression) {
  struct Operator {
    std::string_view sign;
    const char* type;
  };
  constexpr Operator kOperators[] = {
      {" + ", "operator.add"},    {" - ", "operator.sub"},       {" * ", "operator.mul"}, {" / ", "operator.truediv"},
      {" @ ", "operator.matmul"}, {" // ", "operator.floordiv"}, {" % ", "operator.mod"}, {" ** ", "operator.pow"},
      {" & ", "operator.and_"},   {" | ", "operator.or_"},       {" == ", "operator.eq"}, {" != ", "operator.ne"},
      {" < ", "operator.lt"},     {" > ", "operator.gt"},        {" <= ", "operator.le"}, {" >= ", "operator.ge"}};
  if (!expression.empty() && expression.back() == ']' && find_outside(expression, ' ') == std::string_view::npos) {
    return "operator.getitem";
  }
  const size_t blank = find_outside(expression, ' ');
  if (blank == std::string_view::npos) return nullptr;
  for (const auto& [sign, type] : kOperators) {
    if (expression.substr(blank).starts_with(sign)) return type;
  }
  return nullptr;
}

std::string_view kernel_type(std::string_view name) {
  const size_t last = name.rfind('_');
  if (last == std::string_view::npos || last == 0) return name;
  const std::string_view tail = name.substr(last + 1);
  const bool is_number = consists_of(tail, "0123456789");
  const bool is_hash = tail.size() == 32 && consists_of(tail, "0123456789abcdef");
  return is_number || is_hash ? name.substr(0, last) : name;
}

std::optional<SourcePlace> source_of_comment(std::string_view comment) {
  constexpr std::string_view kFile = "File: ", kCode = ", code: ";
  if (!comment.starts_with(kFile)) return std::nullopt;
  comment.remove_prefix(kFile.size());
  const size_t code = comment.find(kCode);
  std::string_view file = comment.substr(0, code);
  SourcePlace place;
  if (code != std::string_view::npos) place.code = comment.substr(code + kCode.size());
  for (size_t colon = file.find(':'); colon != std::string_view::npos; colon = file.find(':', colon + 1)) {
    const size_t end = std::min(file.find_first_not_of("0123456789", colon + 1), file.size());
    if (end == colon + 1 || (end < file.size() && !file.substr(end).starts_with(" in "))) continue;
    place.line = to_integer(file.substr(colon + 1, end - colon - 1));
    file = file.substr(0, colon);
    break;
  }
  place.file = file;
  return place;
}

void count_unfinished(const PythonStatements& statements, bool is_inside, const std::string& file,
                      Diagnostics& diagnostics) {
  if (statements.is_cut()) {
    // A file that was cut, and one that lacks a quote or bracket, look alike from here.
    diagnostics.count(Diag::graph_syntax, file, statements.opening_line(), 1,
                      "A bracket or text that opens there is not closed before the file ends: everything after it was "
                      "not read.");
  } else if (is_inside) {
    diagnostics.count(Diag::file_cut, file, statements.line());
  }
}

}  // namespace stepwise::ingest
