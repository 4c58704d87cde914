#include "core/engine/advice_tools.h"

#include "core/engine/advise.h"
#include "core/engine/lookup_parameter.h"
#include "core/engine/manifest.h"
#include "core/engine/validate_advice.h"

namespace stepwise::engine {

Result<std::shared_ptr<AdviceTools>> AdviceTools::make(std::shared_ptr<const AdviceBooks> books) {
  auto made = std::shared_ptr<AdviceTools>(new AdviceTools(std::move(books)));
  for (const Json& declaration :
       {lookup_parameter_declaration(), advise_declaration(), validate_advice_declaration()}) {
    SW_ASSIGN_OR_RETURN(ToolDecl decl, tool_from_json(declaration, ""));
    made->tools_.push_back(std::move(decl));
  }
  return made;
}

Result<ToolResult> AdviceTools::call(const std::string& tool, const Json& arguments, CallHost& host) {
  if (tool == "lookup_parameter") return lookup_parameter(*books_->knowledge(), arguments);
  if (tool == "validate_advice") return validate_advice(*books_->rules(), books_->knowledge(), arguments, host);
  return advise(*books_->rules(), books_->knowledge(), arguments, host);
}

}  // namespace stepwise::engine
