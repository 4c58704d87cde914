// What advice is made from, read when somebody first asks for it: a server lists its tools before that, and most of
// what it is asked needs none. What cannot be read is logged then. [any thread]
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <vector>

#include "core/advice/knowledge.h"
#include "core/advice/rules/rule_book.h"

namespace stepwise::engine {

class AdviceBooks {
 public:
  /// Directories as Knowledge::load and RuleBook::load take them.
  AdviceBooks(std::vector<std::filesystem::path> knowledge_dirs, std::vector<std::filesystem::path> rule_dirs)
      : knowledge_dirs_(std::move(knowledge_dirs)), rule_dirs_(std::move(rule_dirs)) {}

  /// Never nullptr, and the same ones ever after.
  const std::shared_ptr<const advice::Knowledge>& knowledge() const;
  const std::shared_ptr<const advice::RuleBook>& rules() const;

 private:
  const std::vector<std::filesystem::path> knowledge_dirs_, rule_dirs_;
  mutable std::once_flag knowledge_read_, rules_read_;
  mutable std::shared_ptr<const advice::Knowledge> knowledge_;
  mutable std::shared_ptr<const advice::RuleBook> rules_;
};

}  // namespace stepwise::engine
