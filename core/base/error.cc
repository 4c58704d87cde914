#include "core/base/error.h"

#include <array>

namespace stepwise {

const ErrorKindInfo& error_kind_info(ErrorKind kind) {
  static constexpr std::array<ErrorKindInfo, 11> kTable{{
      {"usage", 2, 400},
      {"not_found", 3, 404},
      {"not_applicable", 0, 200},
      {"bad_data", 3, 422},
      {"limit", 3, 413},
      {"deadline", 3, 504},
      {"cancelled", 3, 499},
      {"busy", 3, 503},
      {"plugin", 3, 500},
      {"io", 3, 500},
      {"bug", 3, 500},
  }};
  return kTable[static_cast<size_t>(kind)];
}

std::string to_text(const Error& error) {
  std::string out = error.message;
  if (!error.where.empty()) out += " (at " + error.where + ")";
  if (!error.hint.empty()) out += " " + error.hint;
  return out;
}

}  // namespace stepwise
