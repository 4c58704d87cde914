#include "stepwise/call.hpp"

#include <exception>
#include <new>
#include <string>

#include "stepwise/registration.hpp"

namespace stepwise::sdk {

std::optional<TableView> Call::table(uint32_t rank, const table::TableDecl& decl) {
  const sw_table* table = nullptr;
  const int32_t status = host_->table(host_->ctx, rank, as_sw_str(decl.name), &table);
  if (status == SW_FAILED) failed_ = true;
  if (status != SW_OK || table == nullptr) return std::nullopt;
  std::string why;
  auto view = TableView::bind(decl, *table, why);
  if (!view) {
    fail(Fault::plugin, "plugin.table",
         "Table `" + std::string(decl.name) + "` is not what this analyzer was built for: " + why + ".",
         "Use plugins of the same release as the program.");
  }
  return view;
}

std::optional<Value> Call::call_tool(std::string_view tool, std::string_view args_json) {
  sw_str result{nullptr, 0};
  const int32_t status = host_->call(host_->ctx, as_sw_str(tool), as_sw_str(args_json), &result);
  if (status == SW_FAILED) failed_ = true;
  if (status != SW_OK) return std::nullopt;
  auto value = Value::parse({result.ptr, result.len});
  if (!value) fail(Fault::plugin, "plugin.nested", "The result of `" + std::string(tool) + "` is not JSON.");
  return value;
}

int32_t Call::emit(const JsonWriter& result) {
  if (cancelled()) return SW_CANCELLED;
  if (failed_) return SW_FAILED;
  if (!result.complete())
    return fail(Fault::plugin, "plugin.result", "The analyzer wrote a result that is not complete.");
  return host_->emit(host_->ctx, as_sw_str(result.str()));
}

int32_t Call::fail(Fault kind, std::string_view code, std::string_view message, std::string_view hint) {
  if (!failed_) {
    failed_ = true;
    host_->fail(host_->ctx, static_cast<int32_t>(kind), as_sw_str(code), as_sw_str(message), as_sw_str(hint));
  }
  return SW_FAILED;
}

void Call::progress(uint64_t done, uint64_t total, std::string_view phase) const {
  if (host_->progress != nullptr) host_->progress(host_->ctx, done, total, as_sw_str(phase));
}

void Call::log(int32_t level, std::string_view text) const {
  if (host_->log != nullptr) host_->log(host_->ctx, level, as_sw_str(text));
}

const void* Call::extension(std::string_view id) const {
  return host_->extension == nullptr ? nullptr : host_->extension(host_->ctx, as_sw_str(id));
}

int32_t run_tool(const sw_host* host, sw_str args_json, ToolFunction function) noexcept {
  const auto failed = [host](std::string_view what) {
    host->fail(host->ctx, SW_KIND_PLUGIN, as_sw_str("plugin.exception"), as_sw_str(what), as_sw_str(""));
    return SW_FAILED;
  };
  try {
    auto args = Value::parse({args_json.ptr, args_json.len});
    if (!args || !args->is_object()) return failed("The host gave arguments that are no JSON object.");
    Call call(*host, Args(std::move(*args)));
    return function(call);
  } catch (const std::bad_alloc&) {
    return failed("The analyzer ran out of memory.");
  } catch (const std::exception& e) {
    try {
      return failed(std::string("The analyzer failed: ") + e.what());
    } catch (...) {
      return failed("The analyzer failed.");
    }
  } catch (...) {
    return failed("The analyzer failed.");
  }
}

}  // namespace stepwise::sdk
