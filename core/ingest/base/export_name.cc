#include "core/ingest/base/export_name.h"

#include <algorithm>
#include <set>

#include "core/base/characters.h"
#include "core/base/text.h"

namespace stepwise::ingest {
namespace {

constexpr size_t kTimeDigits = 14;     // yyyymmddHHMMSS
constexpr size_t kMaxSliceDigits = 4;  // more is no number of a slice
constexpr std::string_view kSlice = "_slice_";

}  // namespace

ExportName export_name(std::string_view path) {
  if (path.ends_with(".gz")) path.remove_suffix(3);
  const std::string_view name = path.substr(path.rfind('/') + 1);
  ExportName out{std::string(path), "", std::nullopt};
  if (const size_t at = out.key.rfind(kSlice); at != std::string::npos) {
    size_t end = at + kSlice.size();
    while (end < out.key.size() && is_digit(out.key[end])) ++end;
    const std::string digits = out.key.substr(at + kSlice.size(), end - at - kSlice.size());
    if (!digits.empty() && digits.size() <= kMaxSliceDigits) {
      out.slice = static_cast<uint32_t>(*to_integer(digits));
      out.key.replace(at + kSlice.size(), digits.size(), "*");
    }
  }
  for (size_t begin = 0; begin < name.size();) {
    size_t end = begin;
    while (end < name.size() && is_digit(name[end])) ++end;
    if (end - begin == kTimeDigits) out.time = name.substr(begin, kTimeDigits);
    begin = end + 1;
  }
  return out;
}

std::vector<uint32_t> missing_slices(const std::vector<std::string>& paths) {
  std::set<uint32_t> there;
  for (const std::string& path : paths) {
    if (const auto slice = export_name(path).slice) there.insert(*slice);
  }
  std::vector<uint32_t> missing;
  if (there.empty()) return missing;
  const uint32_t last = std::max(*there.rbegin(), 1u);  // what fits into one slice is not cut into slices
  for (uint32_t slice = 0; slice <= last; ++slice) {
    if (!there.contains(slice)) missing.push_back(slice);
  }
  return missing;
}

}  // namespace stepwise::ingest
