#include "clients/example/model.h"

namespace stepwise::example {

std::unique_ptr<Model> make_model(const Facts& facts) {
  return facts.kind == ExampleKind::llm_train ? make_llm_model(facts) : make_recsys_model(facts);
}

}  // namespace stepwise::example
