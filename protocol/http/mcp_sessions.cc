#include "protocol/http/mcp_sessions.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "protocol/mcp/random_id.h"

namespace stepwise::http {
namespace {

// A client that lost its connection while an answer was on its way comes back soon, and for few of them.
constexpr size_t kFinishedStreamsKept = 8, kFinishedBytesKept = 1u << 20;

}  // namespace

McpSession::McpSession(const std::shared_ptr<const mcp::Server>& server)
    : unasked_(std::make_shared<McpStream>(0)), connection_(mcp::Connection::make(server, unasked_)) {}

McpSession::~McpSession() { connection_->abandon(); }

std::shared_ptr<McpStream> McpSession::new_stream(bool answer_alone) {
  const std::lock_guard lock(mutex_);
  auto stream = std::make_shared<McpStream>(++last_stream_, answer_alone);
  streams_.emplace(last_stream_, stream);
  // Newest first: what is past either bound goes.
  size_t finished = 0, bytes = 0;
  for (auto it = streams_.end(); it != streams_.begin();) {
    --it;
    if (!it->second->finished()) continue;
    bytes += it->second->bytes();
    if (++finished > kFinishedStreamsKept || bytes > kFinishedBytesKept) it = streams_.erase(it);
  }
  return stream;
}

bool McpSession::in_use() const {
  if (unasked_->has_reader() || connection_->is_busy()) return true;
  const std::lock_guard lock(mutex_);
  return std::any_of(streams_.begin(), streams_.end(), [](const auto& one) { return one.second->has_reader(); });
}

std::optional<std::pair<std::shared_ptr<McpStream>, uint64_t>> McpSession::find(const std::string& event_id) const {
  const size_t dash = event_id.find('-');
  if (dash == std::string::npos) return std::nullopt;
  const auto stream = to_integer(std::string_view(event_id).substr(0, dash));
  const auto event = to_integer(std::string_view(event_id).substr(dash + 1));
  if (!stream || !event || *stream < 0 || *event < 0) return std::nullopt;
  std::shared_ptr<McpStream> found = unasked_;
  if (*stream != 0) {
    const std::lock_guard lock(mutex_);
    const auto it = streams_.find(static_cast<uint64_t>(*stream));
    if (it == streams_.end()) return std::nullopt;
    found = it->second;
  }
  // An event that was never sent: whoever waited for what follows it would wait for ever.
  if (static_cast<uint64_t>(*event) > found->last_event()) return std::nullopt;
  return std::pair{std::move(found), static_cast<uint64_t>(*event)};
}

void McpSession::finish(std::chrono::milliseconds within, mcp::Connection::Why why) {
  connection_->finish(within, why);
  unasked_->end();
}

McpSessions::McpSessions(std::shared_ptr<const mcp::Server> server, size_t most, Clock clock)
    : server_(std::move(server)), most_(most), clock_(std::move(clock)) {}

std::pair<std::string, std::shared_ptr<McpSession>> McpSessions::open() {
  std::string id = mcp::random_id();
  auto session = std::make_shared<McpSession>(server_);
  std::shared_ptr<McpSession> ended;
  {
    const std::lock_guard lock(mutex_);
    if (sessions_.size() >= most_) {
      ended = make_room();
      if (ended == nullptr) return {};
    }
    sessions_.emplace(id, Entry{session, false, clock_()});
  }
  if (ended != nullptr) ended->finish(std::chrono::milliseconds(0), mcp::Connection::Why::session_ended);
  return {std::move(id), std::move(session)};
}

std::shared_ptr<McpSession> McpSessions::make_room() {
  auto best = sessions_.end();
  for (auto it = sessions_.begin(); it != sessions_.end(); ++it) {
    const auto rank = [](const Entry& entry) { return std::pair{entry.is_followed, entry.used}; };
    const bool is_better = best == sessions_.end() || rank(it->second) < rank(best->second);
    if (is_better && !it->second.session->in_use()) best = it;
  }
  if (best == sessions_.end()) return nullptr;
  auto session = std::move(best->second.session);
  sessions_.erase(best);
  return session;
}

std::shared_ptr<McpSession> McpSessions::find(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) return nullptr;
  found->second.used = clock_();
  found->second.is_followed = true;
  return found->second.session;
}

bool McpSessions::end(const std::string& id) {
  std::shared_ptr<McpSession> session;
  {
    const std::lock_guard lock(mutex_);
    const auto found = sessions_.find(id);
    if (found == sessions_.end()) return false;
    session = std::move(found->second.session);
    sessions_.erase(found);
  }
  session->finish(std::chrono::milliseconds(0), mcp::Connection::Why::session_ended);
  return true;
}

void McpSessions::finish_all(std::chrono::milliseconds within) {
  std::vector<std::shared_ptr<McpSession>> all;
  {
    const std::lock_guard lock(mutex_);
    for (auto& [id, entry] : sessions_) all.push_back(std::move(entry.session));
    sessions_.clear();
  }
  const auto until = std::chrono::steady_clock::now() + within;
  for (const auto& session : all) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    session->finish(std::max(left, std::chrono::milliseconds(0)), mcp::Connection::Why::server_stops);
  }
}

size_t McpSessions::count() const {
  const std::lock_guard lock(mutex_);
  return sessions_.size();
}

}  // namespace stepwise::http
