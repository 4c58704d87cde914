#include "core/advice/gate/imports.h"

#include "core/advice/gate/mention_shape.h"
#include "core/base/characters.h"

namespace stepwise::advice {
namespace {

constexpr size_t kMaxImportBytes = 256;

}  // namespace

size_t Imports::read(std::string_view text, size_t begin, std::string_view name) {
  const size_t from = begin < 8 ? 0 : begin - 8;
  const std::string_view before = text.substr(from, begin - from);
  const bool is_whole = before.ends_with("import "), is_from = before.ends_with("from ");
  if ((!is_whole && !is_from) || !is_vendor_root(name.substr(0, name.find('.')))) return 0;
  std::string_view rest = text.substr(begin + name.size(), kMaxImportBytes);
  rest = rest.substr(0, rest.find('\n'));
  constexpr std::string_view kImport = " import ", kAs = " as ";
  if (is_from && !rest.starts_with(kImport)) return rest.size();
  if (!is_from && !rest.starts_with(kAs)) return rest.size();
  // `a, b as c`: what is anything else ends the list.
  for (size_t i = is_from ? kImport.size() : kAs.size(); i < rest.size();) {
    while (i < rest.size() && (rest[i] == ' ' || rest[i] == '(')) ++i;
    size_t end = i;
    while (end < rest.size() && is_word(rest[end])) ++end;
    if (end == i) break;
    std::string_view word = rest.substr(i, end - i);
    if (rest.substr(end, kAs.size()) == kAs) {
      i = end + kAs.size();
      end = i;
      while (end < rest.size() && is_word(rest[end])) ++end;
      word = rest.substr(i, end - i);
    }
    names_.emplace(word);
    if (end >= rest.size() || rest[end] != ',' || !is_from) break;
    i = end + 1;
  }
  return rest.size();
}

}  // namespace stepwise::advice
