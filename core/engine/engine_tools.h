// The engine's own tools: what is open, what can be asked.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "core/engine/open_profile.h"
#include "core/engine/provider.h"
#include "core/engine/registry.h"
#include "core/engine/segment_service.h"
#include "core/query/query.h"

namespace stepwise::engine {

class EngineTools : public ToolProvider {
 public:
  using CurrentRegistry = std::function<std::shared_ptr<const Registry>()>;
  /// Declarations are JSON of our own: a mistake in them is an error `plugin.manifest`, found by every test.
  struct Parts {
    Sessions& sessions;
    SegmentService& segments;
    CurrentRegistry registry;
    std::filesystem::path out_dir;  // of exports
  };
  static Result<std::shared_ptr<EngineTools>> make(Parts parts);

  std::vector<ToolDecl> tools() const override { return tools_; }
  Result<ToolResult> call(const std::string& tool, const Json& arguments, CallHost& host) override;

 private:
  explicit EngineTools(Parts parts) : parts_(std::move(parts)) {}
  Result<ToolResult> open_profile(const Json& arguments, CallHost& host) const;
  Result<ToolResult> list_profiles() const;
  Result<ToolResult> close_profile(const Json& arguments) const;
  Result<ToolResult> list_analyses(const Json& arguments) const;

  Parts parts_;
  query::Queries queries_;
  std::vector<ToolDecl> tools_;
};

}  // namespace stepwise::engine
