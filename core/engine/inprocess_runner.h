// Runs plugins in the host's own process: first-party ones, and those that the operator trusts.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "core/engine/plugin_library.h"
#include "core/engine/provider.h"

namespace stepwise::engine {

class InProcessRunner : public PluginRunner {
 public:
  Result<Json> run(const PluginInfo& plugin, const std::string& tool, const Json& arguments, CallHost& host) override;

 private:
  Result<std::shared_ptr<PluginLibrary>> library(const PluginInfo& plugin);
  std::mutex mutex_;  // of the map and of loading: dlopen of two plugins at once buys nothing
  std::map<std::string, std::shared_ptr<PluginLibrary>> libraries_;
};

}  // namespace stepwise::engine
