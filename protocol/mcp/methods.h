// The methods that mean the same in both eras. Each turns parameters into a result, an error, questions to the client,
// or work for the engine; nothing is sent here, nothing waits.
#pragma once

#include <functional>
#include <string_view>
#include <variant>

#include "core/base/json.h"
#include "core/engine/client.h"
#include "core/engine/engine.h"
#include "protocol/jsonrpc/message.h"
#include "protocol/mcp/server.h"

namespace stepwise::mcp {

using Settled = std::variant<Json, jsonrpc::ErrorObject, engine::ClientAsk>;

/// A call of a tool, and what its answer becomes.
struct Work {
  engine::Request request;
  std::function<Settled(engine::Answer)> settle;
};

using Step = std::variant<Json, jsonrpc::ErrorObject, engine::ClientAsk, Work>;
/// The client's input is what it answered to the method's questions, if it was asked.
using Method = Step (*)(const Server& server, const Json& params, const engine::ClientInput& client);

/// nullptr: no such method, also where the server has nothing that it could give.
Method find_method(const Server& server, std::string_view name);

}  // namespace stepwise::mcp
