// The rules and measures that ship with the program, for tests.
#pragma once

#include <memory>

#include "core/advice/gate/own_knowledge_test.h"
#include "core/advice/rules/rule_book.h"

namespace stepwise::advice {

inline std::shared_ptr<const RuleBook> own_rules() {
  std::vector<Error> faults;
  auto book = RuleBook::load({"skills"}, own_knowledge(), faults);
  for (const Error& one : faults) FAIL(one.where << ": " << one.message);
  return book;
}

}  // namespace stepwise::advice
