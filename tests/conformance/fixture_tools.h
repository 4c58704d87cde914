// The tools that the conformance suite calls by name, and what each must answer. A tool that asks keeps no state: it is
// called again with the client's answers.
//
// What the suite expects stands in its scenarios. One tool is for our own tests of clients:
// test_trigger_resource_change.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/provider.h"
#include "protocol/mcp/changes.h"

namespace stepwise::conformance {

/// After that long the HTTP face of this program closes a legacy stream, for the client to come back. Longer than any
/// tool here takes but test_reconnection, on a busy machine too.
inline constexpr std::chrono::milliseconds kStreamReleasedAfter{2500};

class FixtureTools final : public engine::ToolProvider {
 public:
  /// `changes` is what the test_trigger_* tools tell of.
  explicit FixtureTools(std::shared_ptr<mcp::Changes> changes) : changes_(std::move(changes)) {}

  std::vector<engine::ToolDecl> tools() const override;
  Result<engine::ToolResult> call(const std::string& tool, const Json& arguments, engine::CallHost& host) override;

 private:
  Result<engine::ToolResult> wait_for_cancel(engine::CallHost& host);

  std::shared_ptr<mcp::Changes> changes_;
  std::atomic<int> cancelled_{0};
};

}  // namespace stepwise::conformance
