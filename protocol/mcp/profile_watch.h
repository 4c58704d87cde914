// Tells clients that subscribed when the files of an open profile change: then everything that the server gives of it
// may be different.
//
// Life: made -> destroyed (its thread is joined). It looks from time to time once somebody has subscribed, and then at
// once: what changes from that moment on is told.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "core/engine/engine.h"
#include "protocol/mcp/changes.h"

namespace stepwise::mcp {

class ProfileWatch {
 public:
  /// The engine outlives it.
  ProfileWatch(engine::Engine& engine, std::shared_ptr<Changes> changes,
               std::chrono::milliseconds every = std::chrono::seconds(2));
  ~ProfileWatch();
  ProfileWatch(const ProfileWatch&) = delete;
  ProfileWatch& operator=(const ProfileWatch&) = delete;

  /// One look, now; [any thread].
  void look() const;

 private:
  void run();

  engine::Engine& engine_;
  const std::shared_ptr<Changes> changes_;
  const std::chrono::milliseconds every_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stopping_ = false, wanted_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace stepwise::mcp
