// The answer of a tool to which the profile gives too little.
#pragma once

#include <string_view>

#include "stepwise/sdk.hpp"

namespace stepwise::overview {

/// `why`: a full sentence. Returns what the tool must return.
inline int32_t answer_not_applicable(sdk::Call& call, std::string_view why) {
  sdk::JsonWriter w;
  w.begin_object().field("status", "not_applicable").field("why", why).end_object();
  return call.emit(w);
}

}  // namespace stepwise::overview
