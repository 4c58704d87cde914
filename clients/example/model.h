// What kinds of training runs differ in: the ranks' groups, the operators, and what each rank calls in a step.
// Immutable once made, and everything a timeline tells points into it: it outlives simulators and sinks.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "clients/example/facts.h"
#include "clients/example/groups.h"
#include "clients/example/program.h"

namespace stepwise::example {

class Model {
 public:
  virtual ~Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  /// Refills `program` (cleared first) with what `rank` calls in the step of index `step`.
  virtual void build_step(int rank, int step, std::vector<Instruction>& program) const = 0;

  const Topology& topology() const { return topology_; }
  const Script& script() const { return script_; }

 protected:
  Model(Topology topology, const Script& script) : topology_(std::move(topology)), script_(script) {}

 private:
  const Topology topology_;
  const Script& script_;
};

/// Of the kind that the facts are of. The facts outlive it.
std::unique_ptr<Model> make_model(const Facts& facts);
std::unique_ptr<Model> make_recsys_model(const Facts& facts);
std::unique_ptr<Model> make_llm_model(const Facts& facts);

}  // namespace stepwise::example
