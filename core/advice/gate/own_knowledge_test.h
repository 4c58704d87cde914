// The knowledge base that ships with the program, for tests.
#pragma once

#include <memory>

#include "core/advice/knowledge.h"
#include "tests/catch.h"

namespace stepwise::advice {

inline std::shared_ptr<const Knowledge> own_knowledge() {
  static const auto knowledge = [] {
    std::vector<Error> faults;
    auto loaded = Knowledge::load({"skills/knowledge"}, faults);
    for (const Error& one : faults) FAIL(one.where << ": " << one.message);
    return loaded;
  }();
  return knowledge;
}

}  // namespace stepwise::advice
