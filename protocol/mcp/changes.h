// What changed on the server, for whoever subscribed to it. One of these a server; kept alive by all who tell or hear.
//
// Threads: any. Listeners are called on the teller's thread and must not block; once unlisten has returned, the
// listener is not called any more.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>

namespace stepwise::mcp {

struct Change {
  enum class Kind : uint8_t { tools, prompts, resources, resource };
  Kind kind = Kind::tools;
  std::string uri;         // of Kind::resource: the one whose contents changed
  bool is_prefix = false;  // not that one alone, but every one whose address begins so

  bool is_of(const std::string& address) const {
    return is_prefix ? address.compare(0, uri.size(), uri) == 0 : address == uri;
  }
};

class Changes {
 public:
  using Listener = std::function<void(const Change&)>;
  using Id = uint64_t;

  void tell(const Change& change);
  Id listen(Listener listener);
  /// `hook` runs whenever somebody subscribes, on his thread, before he hears anything. One of them; {}: none.
  void on_subscribe(std::function<void()> hook);
  void subscribed() const;
  void unlisten(Id id);

 private:
  mutable std::mutex mutex_;
  Id last_ = 0;
  std::map<Id, Listener> listeners_;
  mutable std::mutex hook_mutex_;
  std::function<void()> hook_;
};

}  // namespace stepwise::mcp
