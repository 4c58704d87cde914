#include "core/engine/inprocess_runner.h"

#include <optional>
#include <thread>

#include "core/base/log.h"

namespace stepwise::engine {
namespace {

std::string_view view(sw_str text) {
  return text.ptr == nullptr ? std::string_view() : std::string_view(text.ptr, text.len);
}

// The host side of one call: what sw_host's ctx points to.
struct CallContext {
  CallHost& host;
  std::thread::id thread = std::this_thread::get_id();
  std::optional<Json> emitted{};
  std::optional<Error> failure{};
  std::string nested_result{};  // borrowed by the plugin until its next nested call

  // What is tagged [call] in plugin.h must come from the call's own thread: nothing here is locked.
  bool on_call_thread() const { return std::this_thread::get_id() == thread; }
  int32_t fail(Error error) {
    if (!failure) failure = std::move(error);
    return SW_FAILED;
  }
};

CallContext& context(void* ctx) { return *static_cast<CallContext*>(ctx); }

int32_t host_table(void* ctx, uint32_t rank, sw_str name, const sw_table** out) {
  CallContext& call = context(ctx);
  if (!call.on_call_thread()) return SW_FAILED;
  *out = nullptr;
  auto table = call.host.table(rank, view(name));
  if (!table.ok()) return call.fail(table.take_error());
  if (table.value() == nullptr) return SW_MISSING;
  *out = table.value();
  return SW_OK;
}

int32_t host_call(void* ctx, sw_str tool, sw_str args_json, sw_str* result_json) {
  CallContext& call = context(ctx);
  if (!call.on_call_thread()) return SW_FAILED;
  auto arguments = parse_json(view(args_json));
  if (!arguments.ok()) return call.fail(arguments.take_error());
  auto result = call.host.call(view(tool), std::move(arguments).value());
  if (!result.ok()) {
    if (result.error().kind == ErrorKind::cancelled) return SW_CANCELLED;
    return call.fail(result.take_error());
  }
  call.nested_result = dump_json(result.value());
  *result_json = {call.nested_result.data(), call.nested_result.size()};
  return SW_OK;
}

int32_t host_cancelled(void* ctx) { return context(ctx).host.cancel().is_set() ? 1 : 0; }

void host_progress(void* ctx, uint64_t done, uint64_t total, sw_str) {
  // The gauge keeps a pointer to the phase's text, and a plugin's text is only borrowed: one word for all of them.
  context(ctx).host.progress().set(done, total, "analyzing");
}

void host_log(void*, int32_t level, sw_str text) {
  static constexpr log::Level kLevels[] = {log::Level::debug, log::Level::info, log::Level::warn, log::Level::error};
  log::write(kLevels[level < 0 || level > 3 ? 1 : level], view(text));
}

int32_t host_emit(void* ctx, sw_str result_json) {
  CallContext& call = context(ctx);
  if (!call.on_call_thread()) return SW_FAILED;
  if (call.emitted)
    return call.fail({ErrorKind::plugin, "plugin.emit", "The analyzer gave two results for one call.", "", ""});
  if (result_json.len > limits::kMaxResultBytes) {
    return call.fail({ErrorKind::limit, "plugin.result_size",
                      "The analyzer's result is larger than " + std::to_string(limits::kMaxResultBytes >> 20) + " MiB.",
                      "Narrow the call.", ""});
  }
  auto parsed = parse_json(view(result_json));
  if (!parsed.ok()) {
    return call.fail({ErrorKind::plugin, "plugin.result",
                      "The analyzer's result is not JSON: " + parsed.error().message, "", parsed.error().where});
  }
  call.emitted = std::move(parsed).value();
  return SW_OK;
}

int32_t host_fail(void* ctx, int32_t kind, sw_str code, sw_str message, sw_str hint) {
  CallContext& call = context(ctx);
  if (!call.on_call_thread()) return SW_FAILED;
  const bool known = kind >= 0 && kind <= static_cast<int32_t>(ErrorKind::bug);
  call.fail({known ? static_cast<ErrorKind>(kind) : ErrorKind::plugin, std::string(view(code)),
             std::string(view(message)), std::string(view(hint)), ""});
  return SW_OK;
}

const void* host_extension(void*, sw_str) { return nullptr; }

}  // namespace

Result<std::shared_ptr<PluginLibrary>> InProcessRunner::library(const PluginInfo& plugin) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<PluginLibrary>& slot = libraries_[plugin.library_path];
  if (slot == nullptr) {
    SW_ASSIGN_OR_RETURN(slot, PluginLibrary::load(plugin));
  }
  return slot;
}

Result<Json> InProcessRunner::run(const PluginInfo& plugin, const std::string& tool, const Json& arguments,
                                  CallHost& host) {
  SW_ASSIGN_OR_RETURN(const std::shared_ptr<PluginLibrary> library, this->library(plugin));
  const sw_tool* entry = library->tool(tool);
  if (entry == nullptr)
    return Error{ErrorKind::plugin, "plugin.mismatch", "Plugin `" + plugin.id + "` has no tool `" + tool + "`.", "",
                 ""};

  CallContext call{host};
  sw_host api{};
  api.size = sizeof api;
  api.abi_major = SW_ABI_MAJOR;
  api.abi_minor = SW_ABI_MINOR;
  api.ctx = &call;
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
  if (host.cancel().is_set() || returned == SW_CANCELLED) {
    return Error{ErrorKind::cancelled, "call.cancelled", "The call was cancelled.", "", ""};
  }
  if (call.failure) return *std::move(call.failure);
  if (returned != SW_OK || !call.emitted) {
    return Error{ErrorKind::plugin, "plugin.no_result",
                 "Tool `" + tool + "` of plugin `" + plugin.id + "` gave no result.", "", ""};
  }
  return *std::move(call.emitted);
}

}  // namespace stepwise::engine
