// The engine's tools about advice: lookup_parameter, advise, validate_advice.
#pragma once

#include <memory>

#include "core/engine/advice_books.h"
#include "core/engine/provider.h"

namespace stepwise::engine {

class AdviceTools : public ToolProvider {
 public:
  /// As EngineTools::make.
  static Result<std::shared_ptr<AdviceTools>> make(std::shared_ptr<const AdviceBooks> books);

  std::vector<ToolDecl> tools() const override { return tools_; }
  Result<ToolResult> call(const std::string& tool, const Json& arguments, CallHost& host) override;

 private:
  explicit AdviceTools(std::shared_ptr<const AdviceBooks> books) : books_(std::move(books)) {}

  const std::shared_ptr<const AdviceBooks> books_;
  std::vector<ToolDecl> tools_;
};

}  // namespace stepwise::engine
