// The host's half of one call of a plugin, wherever the plugin runs: what it may ask for, that it answers once and how
// large, and with which error the call ends. The runners differ only in how the plugin's questions reach it.
//
// Each function returns what the plugin's own function of that name returns (SW_OK, SW_MISSING, SW_FAILED,
// SW_CANCELLED). The first failure is kept; it is the call's error. Nothing is locked: on the call's thread alone, but
// for what is marked [any thread].
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/engine/provider.h"

namespace stepwise::engine {

class PluginCall {
 public:
  explicit PluginCall(CallHost& host) : host_(host) {}
  PluginCall(const PluginCall&) = delete;
  PluginCall& operator=(const PluginCall&) = delete;

  int32_t table(uint32_t rank, std::string_view name, const sw_table*& out);
  int32_t call(std::string_view tool, std::string_view args_json, std::string& result_json);
  int32_t emit(std::string_view result_json);
  int32_t fail(int32_t kind, std::string_view code, std::string_view message, std::string_view hint);

  /// [any thread]
  bool cancelled() const { return host_.cancel().is_set(); }
  /// [any thread]
  void progress(uint64_t done, uint64_t total);
  /// [any thread]
  static void log(int32_t level, std::string_view text);

  /// The call's outcome, once the plugin has returned. Errors: the first failure; cancelled `call.cancelled`; plugin
  /// `plugin.no_result`.
  Result<Json> finish(const PluginInfo& plugin, std::string_view tool, int32_t returned);

  static Error cancelled_error();
  /// A failure in a plugin's words; a kind that it may not use becomes ErrorKind::plugin.
  static Error failure_of(int32_t kind, std::string_view code, std::string_view message, std::string_view hint);

 private:
  int32_t fail(Error error);

  CallHost& host_;
  std::optional<Json> emitted_;
  std::optional<Error> failure_;
};

}  // namespace stepwise::engine
