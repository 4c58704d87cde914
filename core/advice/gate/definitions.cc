#include "core/advice/gate/definitions.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/advice/call_arguments.h"
#include "core/base/characters.h"
#include "core/base/text.h"

namespace stepwise::advice {
namespace {

constexpr size_t kMaxNameBytes = 64, kMaxValueBytes = 128;
constexpr size_t kNone = std::string_view::npos;

/// A name, and nothing else.
bool is_name(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(), is_word);
}

/// Behind "=", a blank passed over: what stands there up to a blank or a mark that ends it.
std::string_view value_at(std::string_view text, size_t at) {
  if (at < text.size() && text[at] == ' ') ++at;
  std::string_view rest = text.substr(at, kMaxValueBytes);
  if (!rest.empty() && (rest[0] == '"' || rest[0] == '\'')) {
    const size_t close = rest.find(rest[0], 1);
    return close == kNone ? std::string_view{} : rest.substr(0, close + 1);
  }
  return rest.substr(0, rest.find_first_of(" \t\r\n;,`"));
}

}  // namespace

Definitions::Definitions(std::string_view text) {
  for (size_t at = text.find('='); at != kNone; at = text.find('=', at + 1)) {
    if (at == 0 || (at + 1 < text.size() && text[at + 1] == '=')) continue;
    size_t end = at;
    while (end > 0 && text[end - 1] == ' ' && at - end < 2) --end;
    size_t begin = end;
    while (begin > 0 && end - begin < kMaxNameBytes && is_word(text[begin - 1])) --begin;
    const std::string_view name = text.substr(begin, end - begin);
    const bool is_part = begin > 0 && std::string_view(".-$").find(text[begin - 1]) != kNone;
    if (is_name(name) && !is_part) add(name, value_at(text, at + 1));
  }
}

void Definitions::add(std::string_view name, std::string_view value) {
  // Another name in its place tells nothing: "x = unlimited".
  if (value.empty() || (is_name(value) && !is_literal(value))) return;
  const bool is_expression = value.find_first_of("([{+*/$") != value.npos && unquoted(value) == value;
  Value given;
  if (!is_expression) given.literal = std::string(unquoted(value));
  const auto [it, is_new] = values_.try_emplace(std::string(name), given);
  if (!is_new && it->second.literal != given.literal) it->second.literal.reset();
}

const Definitions::Value* Definitions::find(std::string_view name) const {
  const auto it = values_.find(std::string(name));
  return it == values_.end() ? nullptr : &it->second;
}

bool names_quantity(std::string_view variable) {
  static constexpr auto kQuantities = std::to_array<std::string_view>(
      {"cores",  "core",      "cube",   "vector",   "num",   "count",   "size",    "megabytes", "mb",      "bytes",
       "kb",     "gb",        "us",     "ms",       "ns",    "seconds", "workers", "threads",   "streams", "depth",
       "limit",  "threshold", "factor", "level",    "value", "values",  "ratio",   "instances", "devices", "device",
       "batch",  "shape",     "shapes", "gears",    "dims",  "cubes",   "vectors", "batches",   "path",    "file",
       "config", "stream",    "range",  "priority", "rank",  "ranks"});
  while (!variable.empty()) {
    const size_t end = std::min(variable.find('_'), variable.size());
    const std::string_view part = variable.substr(0, end);
    if (std::find(kQuantities.begin(), kQuantities.end(), part) != kQuantities.end()) return true;
    variable.remove_prefix(std::min(end + 1, variable.size()));
  }
  return false;
}

std::optional<std::string> expanded(std::string_view value, const Definitions& definitions) {
  if (value.empty() || value[0] != '$') return std::string(value);
  std::string_view name = value.substr(1);
  std::optional<std::string> otherwise;
  if (name.size() > 1 && name.front() == '{' && name.back() == '}') {
    name = name.substr(1, name.size() - 2);
    if (const size_t colon = name.find(':'); colon != kNone && colon + 1 < name.size()) {
      otherwise = std::string(name.substr(colon + 2));
      name = name.substr(0, colon);
    }
  }
  const Definitions::Value* given = is_name(name) ? definitions.find(name) : nullptr;
  return given == nullptr ? otherwise : given->literal;
}

std::string with_defined_arguments(std::string_view arguments, const Definitions& definitions) {
  const auto written = split_arguments(arguments);
  if (!written) return std::string(arguments);
  std::string out(arguments);
  // From the last on, so that places in front stay as they are.
  for (auto one = written->rbegin(); one != written->rend(); ++one) {
    const Definitions::Value* given = is_name(one->value) ? definitions.find(one->value) : nullptr;
    if (given == nullptr || !given->literal) continue;
    out.replace(static_cast<size_t>(one->value.data() - arguments.data()), one->value.size(), *given->literal);
  }
  return out;
}

}  // namespace stepwise::advice
