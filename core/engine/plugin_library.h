// One plugin's shared library: loaded at its first call, never unloaded (GNU unique symbols and threads of its own may
// outlive any attempt). Found by Boost.DLL through the one C symbol; nothing C++ crosses.
#pragma once

#include <memory>
#include <string_view>

#include "core/base/error.h"
#include "core/engine/provider.h"
#include "stepwise/plugin.h"

namespace stepwise::engine {

/// [any thread] after load.
class PluginLibrary {
 public:
  /// Compares what the library says of itself (ABI, id, binary_id, tool names) with its manifest.
  /// Errors: plugin `plugin.load`, `plugin.abi`, `plugin.mismatch`.
  static Result<std::shared_ptr<PluginLibrary>> load(const PluginInfo& manifest);
  ~PluginLibrary();

  /// nullptr: no such tool.
  const sw_tool* tool(std::string_view name) const;
  void* self() const { return self_; }

 private:
  PluginLibrary() = default;
  Result<void> check(const PluginInfo& manifest) const;
  struct Handle;
  static void keep_mapped(std::unique_ptr<Handle> handle);
  std::unique_ptr<Handle> handle_;
  const sw_plugin* plugin_ = nullptr;
  void* self_ = nullptr;
};

}  // namespace stepwise::engine
