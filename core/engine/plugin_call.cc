#include "core/engine/plugin_call.h"

#include <utility>

#include "core/base/limits.h"
#include "core/base/log.h"

namespace stepwise::engine {

Error PluginCall::cancelled_error() {
  return {ErrorKind::cancelled, "call.cancelled", "The call was cancelled.", "", ""};
}

Error PluginCall::failure_of(int32_t kind, std::string_view code, std::string_view message, std::string_view hint) {
  const bool known = kind >= 0 && kind <= static_cast<int32_t>(ErrorKind::bug);
  return {known ? static_cast<ErrorKind>(kind) : ErrorKind::plugin, std::string(code), std::string(message),
          std::string(hint), ""};
}

int32_t PluginCall::fail(Error error) {
  if (!failure_) failure_ = std::move(error);
  return SW_FAILED;
}

int32_t PluginCall::table(uint32_t rank, std::string_view name, const sw_table*& out) {
  out = nullptr;
  auto table = host_.table(rank, name);
  if (!table.ok()) return fail(table.take_error());
  if (table.value() == nullptr) return SW_MISSING;
  out = table.value();
  return SW_OK;
}

int32_t PluginCall::call(std::string_view tool, std::string_view args_json, std::string& result_json) {
  auto arguments = parse_json(args_json);
  if (!arguments.ok()) return fail(arguments.take_error());
  auto result = host_.call(tool, std::move(arguments).value());
  if (!result.ok()) {
    if (result.error().kind == ErrorKind::cancelled) return SW_CANCELLED;
    return fail(result.take_error());
  }
  result_json = dump_json(result.value());
  return SW_OK;
}

int32_t PluginCall::emit(std::string_view result_json) {
  if (emitted_) return fail({ErrorKind::plugin, "plugin.emit", "The analyzer gave two results for one call.", "", ""});
  if (result_json.size() > limits::kMaxResultBytes) {
    return fail({ErrorKind::limit, "plugin.result_size",
                 "The analyzer's result is larger than " + std::to_string(limits::kMaxResultBytes >> 20) + " MiB.",
                 "Narrow the call.", ""});
  }
  auto parsed = parse_json(result_json);
  if (!parsed.ok()) {
    return fail({ErrorKind::plugin, "plugin.result", "The analyzer's result is not JSON: " + parsed.error().message, "",
                 parsed.error().where});
  }
  emitted_ = std::move(parsed).value();
  return SW_OK;
}

int32_t PluginCall::fail(int32_t kind, std::string_view code, std::string_view message, std::string_view hint) {
  fail(failure_of(kind, code, message, hint));
  return SW_OK;
}

void PluginCall::progress(uint64_t done, uint64_t total) {
  // The gauge keeps a pointer to the phase's text, and a plugin's text is only borrowed: one word for all of them.
  host_.progress().set(done, total, "analyzing");
}

void PluginCall::log(int32_t level, std::string_view text) {
  static constexpr log::Level kLevels[] = {log::Level::debug, log::Level::info, log::Level::warn, log::Level::error};
  log::write(kLevels[level < 0 || level > 3 ? 1 : level], text);
}

Result<Json> PluginCall::finish(const PluginInfo& plugin, std::string_view tool, int32_t returned) {
  if (cancelled() || returned == SW_CANCELLED) return cancelled_error();
  if (failure_) return *std::move(failure_);
  if (returned != SW_OK || !emitted_) {
    return Error{ErrorKind::plugin, "plugin.no_result",
                 "Tool `" + std::string(tool) + "` of plugin `" + plugin.id + "` gave no result.", "", ""};
  }
  return *std::move(emitted_);
}

}  // namespace stepwise::engine
