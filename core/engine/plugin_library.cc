#include "core/engine/plugin_library.h"

#define BOOST_DLL_USE_STD_FS
#include <boost/dll/shared_library.hpp>

#include <cstddef>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "core/base/log.h"

namespace stepwise::engine {
namespace {

std::string_view view(sw_str text) { return {text.ptr, text.len}; }

Error load_error(const char* code, const PluginInfo& manifest, const std::string& why) {
  return {ErrorKind::plugin, code, "Plugin `" + manifest.id + "` cannot be loaded: " + why,
          "`stepwise tools` lists the tools that work without it.", manifest.library_path};
}

// What a plugin's structure ends before is not its own; an older one may end before these.
bool has_open(const sw_plugin& plugin) { return plugin.size >= offsetof(sw_plugin, open) + sizeof plugin.open; }
bool has_close(const sw_plugin& plugin) { return plugin.size >= offsetof(sw_plugin, close) + sizeof plugin.close; }

// While it is opened a plugin may only log; tables and calls belong to a call.
sw_host make_opening_host() {
  sw_host host{};
  host.size = sizeof host;
  host.abi_major = SW_ABI_MAJOR;
  host.abi_minor = SW_ABI_MINOR;
  host.table = [](void*, uint32_t, sw_str, const sw_table**) -> int32_t { return SW_MISSING; };
  host.call = [](void*, sw_str, sw_str, sw_str*) -> int32_t { return SW_FAILED; };
  host.cancelled = [](void*) -> int32_t { return 0; };
  host.progress = [](void*, uint64_t, uint64_t, sw_str) {};
  host.log = [](void*, int32_t, sw_str text) { log::info(view(text)); };
  host.emit = [](void*, sw_str) -> int32_t { return SW_FAILED; };
  host.fail = [](void*, int32_t, sw_str, sw_str message, sw_str) -> int32_t {
    log::warn(view(message));
    return SW_OK;
  };
  host.extension = [](void*, sw_str) -> const void* { return nullptr; };
  return host;
}

}  // namespace

struct PluginLibrary::Handle {
  boost::dll::shared_library library;
};

/// Dropping a handle would unmap code that a written-off thread may still run: they are kept to the end of the process,
/// in a list that is never destroyed.
void PluginLibrary::keep_mapped(std::unique_ptr<Handle> handle) {
  static std::mutex mutex;
  static auto* const kept = new std::vector<std::unique_ptr<Handle>>;
  const std::lock_guard lock(mutex);
  kept->push_back(std::move(handle));
}

Result<std::shared_ptr<PluginLibrary>> PluginLibrary::load(const PluginInfo& manifest) {
  auto made = std::shared_ptr<PluginLibrary>(new PluginLibrary);
  made->handle_ = std::make_unique<Handle>();
  try {
    // The throwing form: the other one loses the dynamic linker's words.
    made->handle_->library.load(manifest.library_path,
                                boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_local);
    const auto entry = made->handle_->library.get<const sw_plugin*(uint16_t, uint16_t)>("sw_entry");
    made->plugin_ = entry(SW_ABI_MAJOR, SW_ABI_MINOR);
  } catch (const std::exception& e) {
    return load_error("plugin.load", manifest, e.what());
  }
  SW_RETURN_IF_ERROR(made->check(manifest));
  if (has_open(*made->plugin_) && made->plugin_->open != nullptr) {
    const sw_host host = make_opening_host();
    if (made->plugin_->open(&host, &made->self_) != SW_OK)
      return load_error("plugin.load", manifest, "its open failed.");
  }
  return made;
}

Result<void> PluginLibrary::check(const PluginInfo& manifest) const {
  if (plugin_ == nullptr) return load_error("plugin.abi", manifest, "it refuses this version of Stepwise.");
  if (plugin_->size < offsetof(sw_plugin, open) || plugin_->abi_major != SW_ABI_MAJOR) {
    return load_error("plugin.abi", manifest, "it was built for another ABI.");
  }
  if (view(plugin_->id) != manifest.id || view(plugin_->binary_id) != manifest.binary_id) {
    return load_error("plugin.mismatch", manifest,
                      "plugin.json and the library are not of one build (id or binary_id differ).");
  }
  std::set<std::string, std::less<>> expected;
  for (const ToolDecl& tool : manifest.tools) expected.insert(tool.name);
  std::set<std::string, std::less<>> found;
  for (uint32_t i = 0; i < plugin_->tool_count; ++i) {
    const auto* tool = reinterpret_cast<const sw_tool*>(reinterpret_cast<const char*>(plugin_->tools) +
                                                        size_t{i} * plugin_->tool_stride);
    found.insert(std::string(view(tool->name)));
  }
  if (found != expected)
    return load_error("plugin.mismatch", manifest, "plugin.json lists other tools than the library has.");
  return {};
}

PluginLibrary::~PluginLibrary() {
  if (plugin_ != nullptr && has_close(*plugin_) && plugin_->close != nullptr) plugin_->close(self_);
  keep_mapped(std::move(handle_));
}

const sw_tool* PluginLibrary::tool(std::string_view name) const {
  for (uint32_t i = 0; i < plugin_->tool_count; ++i) {
    const auto* tool = reinterpret_cast<const sw_tool*>(reinterpret_cast<const char*>(plugin_->tools) +
                                                        size_t{i} * plugin_->tool_stride);
    if (view(tool->name) == name) return tool;
  }
  return nullptr;
}

}  // namespace stepwise::engine
