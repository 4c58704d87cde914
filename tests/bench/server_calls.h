// One call of a tool, as /rpc and as /mcp want it.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/json.h"
#include "tests/bench/http_client.h"

namespace stepwise::bench {

enum class Face { rpc, mcp };

struct ToolCall {
  std::string tool;
  Json arguments;
};

/// The answer's structure; null: it failed, or it answers another request.
Json ask(HttpClient& client, Face face, int64_t id, const ToolCall& call);

/// A call that is made many times: only the id differs.
class RepeatedCall {
 public:
  RepeatedCall(Face face, const ToolCall& call);
  /// False: it failed, or it answers another request. Looks at the bytes alone, so that asking costs little.
  bool ask(HttpClient& client, int64_t id) const;

 private:
  Face face_;
  std::string headers_, before_id_, after_id_;
};

}  // namespace stepwise::bench
