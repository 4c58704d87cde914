#include "protocol/mcp/session.h"

#include <utility>

namespace stepwise::mcp {

Session::Session(std::shared_ptr<const Server> server, transport::Transport& out)
    : outlet_(std::make_shared<TransportOutlet>(out)), connection_(Connection::make(std::move(server), outlet_)) {}

Session::~Session() {
  connection_->abandon();
  outlet_->detach();
}

void Session::message(std::string_view text) { connection_->handle(jsonrpc::parse(text), outlet_); }

void Session::lost(const Error& why) { connection_->handle(jsonrpc::refusal(why), outlet_); }

void Session::finish(std::chrono::milliseconds within) { connection_->finish(within); }

}  // namespace stepwise::mcp
