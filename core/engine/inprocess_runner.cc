#include "core/engine/inprocess_runner.h"

#include <thread>

#include "core/engine/plugin_call.h"

namespace stepwise::engine {
namespace {

std::string_view view(sw_str text) {
  return text.ptr == nullptr ? std::string_view() : std::string_view(text.ptr, text.len);
}

// What sw_host's ctx points to.
struct CallContext {
  PluginCall call;
  std::thread::id thread = std::this_thread::get_id();
  std::string nested_result{};  // borrowed by the plugin until its next nested call

  // What is tagged [call] in plugin.h must come from the call's own thread: nothing here is locked.
  bool on_call_thread() const { return std::this_thread::get_id() == thread; }
};

CallContext& context(void* ctx) { return *static_cast<CallContext*>(ctx); }

int32_t host_table(void* ctx, uint32_t rank, sw_str name, const sw_table** out) {
  CallContext& own = context(ctx);
  return own.on_call_thread() ? own.call.table(rank, view(name), *out) : SW_FAILED;
}

int32_t host_call(void* ctx, sw_str tool, sw_str args_json, sw_str* result_json) {
  CallContext& own = context(ctx);
  if (!own.on_call_thread()) return SW_FAILED;
  const int32_t status = own.call.call(view(tool), view(args_json), own.nested_result);
  if (status == SW_OK) *result_json = {own.nested_result.data(), own.nested_result.size()};
  return status;
}

int32_t host_cancelled(void* ctx) { return context(ctx).call.cancelled() ? 1 : 0; }

void host_progress(void* ctx, uint64_t done, uint64_t total, sw_str) { context(ctx).call.progress(done, total); }

void host_log(void*, int32_t level, sw_str text) { PluginCall::log(level, view(text)); }

int32_t host_emit(void* ctx, sw_str result_json) {
  CallContext& own = context(ctx);
  return own.on_call_thread() ? own.call.emit(view(result_json)) : SW_FAILED;
}

int32_t host_fail(void* ctx, int32_t kind, sw_str code, sw_str message, sw_str hint) {
  CallContext& own = context(ctx);
  return own.on_call_thread() ? own.call.fail(kind, view(code), view(message), view(hint)) : SW_FAILED;
}

const void* host_extension(void*, sw_str) { return nullptr; }

}  // namespace

Result<std::shared_ptr<PluginLibrary>> InProcessRunner::library(const PluginInfo& plugin) {
  Slot* slot = nullptr;
  {
    const std::lock_guard lock(mutex_);
    slot = &slots_[plugin.library_path];
  }
  const std::lock_guard lock(slot->mutex);
  if (slot->library == nullptr) {
    SW_ASSIGN_OR_RETURN(slot->library, PluginLibrary::load(plugin));
  }
  return slot->library;
}

Result<Json> InProcessRunner::run(const PluginInfo& plugin, const std::string& tool, const Json& arguments,
                                  CallHost& host) {
  SW_ASSIGN_OR_RETURN(const std::shared_ptr<PluginLibrary> library, this->library(plugin));
  const sw_tool* entry = library->tool(tool);
  if (entry == nullptr)
    return Error{ErrorKind::plugin, "plugin.mismatch", "Plugin `" + plugin.id + "` has no tool `" + tool + "`.", "",
                 ""};

  CallContext own{PluginCall(host)};
  sw_host api{};
  api.size = sizeof api;
  api.abi_major = SW_ABI_MAJOR;
  api.abi_minor = SW_ABI_MINOR;
  api.ctx = &own;
  api.table = host_table;
  api.call = host_call;
  api.cancelled = host_cancelled;
  api.progress = host_progress;
  api.log = host_log;
  api.emit = host_emit;
  api.fail = host_fail;
  api.extension = host_extension;

  const std::string args_json = dump_json(arguments);
  const int32_t returned = entry->call(library->self(), &api, {args_json.data(), args_json.size()});
  return own.call.finish(plugin, tool, returned);
}

}  // namespace stepwise::engine
