// A modern client's `subscriptions/listen`: acknowledges what it may hear, and passes exactly that on, each message
// with the id of the request that asked for it.
//
// Life: made (the acknowledgement is sent) -> end (the final result) or destroyed (nothing more is sent).
// Not locked: its connection does that; but for changes, which come on the teller's thread and only queue messages.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "protocol/jsonrpc/message.h"
#include "protocol/mcp/changes.h"
#include "protocol/mcp/outlet.h"
#include "protocol/mcp/server.h"

namespace stepwise::mcp {

class Listening {
 public:
  /// `wanted`: the request's `notifications`.
  Listening(const Server& server, const jsonrpc::Id& id, const Json& wanted, std::shared_ptr<Outlet> outlet);
  ~Listening();
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

  void end();

 private:
  void send(const char* method, Json params) const;
  void changed(const Change& change) const;

  const std::shared_ptr<Changes> changes_;
  const jsonrpc::Id id_;
  const std::shared_ptr<Outlet> outlet_;
  std::set<Change::Kind> kinds_;
  std::set<std::string> uris_;
  Changes::Id changes_id_ = 0;
};

/// The notifications by which a client hears of a change that subscribed to these addresses, with their parameters.
/// `lists`: it hears of lists that changed.
std::vector<std::pair<const char*, Json>> notifications_of(const Change& change, const std::set<std::string>& addresses,
                                                           bool lists);

}  // namespace stepwise::mcp
