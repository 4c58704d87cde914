// Where a thing is known from, and how surely.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/json.h"

namespace stepwise::advice {

enum class Confidence : uint8_t { none, low, medium, high };
const char* to_string(Confidence confidence);

struct Source {
  bool is_code = false;         // code_repository; else official_doc
  std::string ref, at, commit;  // hicann/ge, path or address, commit (empty for documents)
  std::string says;             // empty: the whole entry is what it says
};

Json to_json(const Source& source);

}  // namespace stepwise::advice
