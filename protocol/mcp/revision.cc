#include "protocol/mcp/revision.h"

#include <algorithm>

namespace stepwise::mcp {
namespace {

bool is_date(std::string_view text) {
  constexpr std::string_view kShape = "0000-00-00";
  return text.size() == kShape.size() && std::equal(text.begin(), text.end(), kShape.begin(), [](char c, char shape) {
           return shape == '-' ? c == '-' : c >= '0' && c <= '9';
         });
}

}  // namespace

bool is_legacy_revision(std::string_view version) {
  return std::find(kLegacyRevisions.begin(), kLegacyRevisions.end(), version) != kLegacyRevisions.end();
}

bool is_modern_or_later(std::string_view version) { return is_date(version) && version >= kModernRevision; }

}  // namespace stepwise::mcp
