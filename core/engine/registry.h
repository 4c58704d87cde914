// All tools at one moment: an immutable snapshot, swapped whole. Made from manifests alone; no plugin code runs.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/advice_books.h"
#include "core/engine/provider.h"

namespace stepwise::engine {

struct RegisteredTool {
  ToolDecl decl;
  std::shared_ptr<ToolProvider> provider;  // one of the two is set
  std::shared_ptr<const PluginInfo> plugin;
};

class Registry {
 public:
  /// A name that two claim is an error (usage `registry.name_taken`), and so are cycles and unknown names in `calls`
  /// (`registry.calls`), unknown schema keywords (`registry.schema`) and names outside [a-z_]{3,28} of plugins.
  /// A plugin whose schema claims the role of advice is refused too (`registry.advice`).
  static Result<std::shared_ptr<const Registry>> make(const std::vector<std::shared_ptr<ToolProvider>>& providers,
                                                      const std::vector<std::shared_ptr<const PluginInfo>>& plugins,
                                                      std::shared_ptr<const AdviceBooks> books = nullptr);

  const RegisteredTool* find(std::string_view name) const;
  /// By name, sorted: the order never depends on who registered first.
  const std::map<std::string, RegisteredTool, std::less<>>& tools() const { return tools_; }
  std::vector<std::string> nearest(std::string_view name) const;
  /// What third parties' words are held against; never nullptr, without any an empty one. Read when it is first asked
  /// for.
  const std::shared_ptr<const advice::Knowledge>& knowledge() const { return books_->knowledge(); }

 private:
  std::shared_ptr<const AdviceBooks> books_;
  std::map<std::string, RegisteredTool, std::less<>> tools_;
};

}  // namespace stepwise::engine
