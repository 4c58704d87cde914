#include "core/engine/advice_books.h"

#include "core/base/log.h"

namespace stepwise::engine {
namespace {

void tell(const std::vector<Error>& refused) {
  for (const Error& error : refused) log::warn(to_text(error));
}

}  // namespace

const std::shared_ptr<const advice::Knowledge>& AdviceBooks::knowledge() const {
  std::call_once(knowledge_read_, [this] {
    std::vector<Error> refused;
    knowledge_ = advice::Knowledge::load(knowledge_dirs_, refused);
    tell(refused);
  });
  return knowledge_;
}

const std::shared_ptr<const advice::RuleBook>& AdviceBooks::rules() const {
  std::call_once(rules_read_, [this] {
    std::vector<Error> refused;
    rules_ = advice::RuleBook::load(rule_dirs_, knowledge(), refused);
    tell(refused);
  });
  return rules_;
}

}  // namespace stepwise::engine
