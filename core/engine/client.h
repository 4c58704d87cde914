// What a tool and a client say to each other beside arguments and result: questions back, and log messages.
//
// A question is an answer: the tool gives `ClientAsk`, ends, and is called again with the client's `ClientInput`. No
// thread waits for a client, and a face that must ask by requests of its own (old MCP) does so by itself.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/json.h"

namespace stepwise::engine {

struct ClientInput {
  Json capabilities = Json::object();  // what the client can be asked, as it declared it: {"elicitation": {}, ...}
  Json responses = Json::object();     // its answers, by the keys of the questions; {} in the first call
  std::string state;                   // what the tool gave with its questions
};

struct ClientAsk {
  Json requests = Json::object();  // {key: {"method": "elicitation/create", "params": {...}}}
  std::string state;               // comes back unchanged; the face protects it
  bool empty() const { return requests.empty() && state.empty(); }
};

enum class LogLevel : uint8_t { debug, info, notice, warning, error, critical, alert, emergency };  // of syslog

struct LogMessage {
  LogLevel level = LogLevel::info;
  std::string logger;
  Json data;
};

/// The code of the error by which a tool says that it needs a capability which the client did not declare; `where`
/// names it ("sampling").
inline constexpr const char* kNeedsCapability = "client.capability";

}  // namespace stepwise::engine
