// One running call, as a tool sees it.
//
// A tool is a function `int32_t tool(Call& call)`. It reads tables, and returns call.emit(...) or call.fail(...).
// Cancellation needs no care: loops by for_each_row end early, nothing can be emitted any more, and what emit and fail
// return is what the tool returns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "stepwise/args.hpp"
#include "stepwise/column.hpp"
#include "stepwise/json_writer.hpp"
#include "stepwise/plugin.h"

namespace stepwise::sdk {

/// What kind of failure: decides how it is shown (exit code, HTTP status).
enum class Fault : int32_t {
  usage = SW_KIND_USAGE,
  not_found = SW_KIND_NOT_FOUND,
  not_applicable = SW_KIND_NOT_APPLICABLE,
  bad_data = SW_KIND_BAD_DATA,
  limit = SW_KIND_LIMIT,
  plugin = SW_KIND_PLUGIN,
};

class Call {
 public:
  static constexpr uint64_t kBatchRows = 4096;  // rows between two looks at the cancel flag

  Call(const sw_host& host, Args args) : host_(&host), args_(std::move(args)) {}

  // ---- [call]: on the call's own thread
  const Args& args() const { return args_; }
  /// nullopt: the profile has no such table. A table that does not fit its declaration fails the call.
  std::optional<TableView> table(uint32_t rank, const table::TableDecl& decl);
  /// The result of another tool; it must stand in the manifest's "calls". nullopt: it failed, and so does this call.
  std::optional<Value> call_tool(std::string_view tool, std::string_view args_json = "{}");
  /// The result, once. Returns what the tool must return.
  int32_t emit(const JsonWriter& result);
  /// `message`: a full sentence for the reader who can act. `hint`: what to do. Returns what the tool must return.
  int32_t fail(Fault kind, std::string_view code, std::string_view message, std::string_view hint = {});

  // ---- [any thread]
  bool cancelled() const { return host_->cancelled != nullptr && host_->cancelled(host_->ctx) != 0; }
  void progress(uint64_t done, uint64_t total, std::string_view phase) const;
  void log(int32_t level, std::string_view text) const;
  /// nullptr: the host has no such extension.
  const void* extension(std::string_view id) const;

  /// visit(row) for each row, in order. False: cancelled on the way.
  template <class Visit>
  bool for_each_row(uint64_t rows, Visit&& visit) const {
    for (uint64_t begin = 0; begin < rows; begin += kBatchRows) {
      if (cancelled()) return false;
      const uint64_t end = std::min(rows, begin + kBatchRows);
      for (uint64_t row = begin; row < end; ++row) visit(row);
    }
    return !cancelled();
  }

 private:
  const sw_host* host_;
  Args args_;
  bool failed_ = false;  // the host has the failure already; nothing can be emitted any more
};

}  // namespace stepwise::sdk
