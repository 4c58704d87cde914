// Tools for protocol tests, whose timing the client controls: nothing in a transcript waits for a clock.
//
//   echo {text, times 1..9}  says the text
//   hold {key}               reports progress 1 of 2, then waits until release {key} or a cancel
//   release {key}            lets hold {key} go on, also one that comes later
//   fail_always              a failure with code, hint and place
//   read_profile             needs a profile
#pragma once

#include <condition_variable>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/engine/provider.h"

namespace stepwise::transcripts {

class FixtureTools final : public engine::ToolProvider {
 public:
  std::vector<engine::ToolDecl> tools() const override;
  Result<engine::ToolResult> call(const std::string& tool, const Json& arguments, engine::CallHost& host) override;

 private:
  Result<engine::ToolResult> hold(const std::string& key, engine::CallHost& host);
  void release(const std::string& key);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::string> released_;
};

}  // namespace stepwise::transcripts
