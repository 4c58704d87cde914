// The gate: nothing unverified gets through. Immutable; any thread.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/advice/applies.h"
#include "core/advice/gate/advice.h"
#include "core/advice/gate/verdict.h"
#include "core/advice/knowledge.h"

namespace stepwise::advice {

class MentionFinder;  // mention.h

class Gate {
 public:
  Gate(std::shared_ptr<const Knowledge> knowledge, Context context);

  const Knowledge& knowledge() const { return *knowledge_; }
  const Context& context() const { return context_; }
  const MentionFinder& finder() const { return *finder_; }

  /// One parameter, with or without a value.
  Verdict check(const Proposed& proposed) const;
  /// Of a name that the knowledge base does not hold, without looking for those that were perhaps meant, which is slow.
  Verdict unknown(const std::string& name) const;
  /// All that one piece of advice wants at once: what conflicts with another of them is refused.
  std::vector<Verdict> check_together(std::span<const Proposed> proposed) const;

  /// nullopt: nothing of it may be said (it does not apply here, or is done already). What is merely not verified
  /// leaves as a direction: without parameters, without example, marked so. Prose and example are searched for
  /// parameters that are not among the draft's own; one found there downgrades too.
  std::optional<Advice> pass(Draft draft) const;

 private:
  std::vector<const Parameter*> entries_of(const Proposed& proposed) const;
  Verdict judge(const Parameter& one, const Proposed& proposed) const;

  std::shared_ptr<const Knowledge> knowledge_;
  Context context_;
  std::shared_ptr<const MentionFinder> finder_;
};

}  // namespace stepwise::advice
