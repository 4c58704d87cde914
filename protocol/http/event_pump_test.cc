#include "protocol/http/event_pump.h"

#include <deque>
#include <string>

#include "protocol/http/limits.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::http;

namespace {

struct Script final : EventSource {
  std::deque<std::string> events;
  bool ends_when_empty = false;
  int told = 0;
  std::vector<bool> closings;

  State next(std::string& out, std::chrono::milliseconds) override {
    if (!events.empty()) {
      out += events.front();
      events.pop_front();
    }
    return events.empty() && ends_when_empty ? State::ended : State::open;
  }
  void stopping() override {
    ++told;
    events.push_back("bye");
    ends_when_empty = true;
  }
  void closed(bool peer_gone) override { closings.push_back(peer_gone); }
};

struct Fixture {
  std::shared_ptr<Script> source = std::make_shared<Script>();
  ManualClock clock;
  std::atomic<bool> stopping{false};
  bool is_gone = false, takes = true;
  std::string written;
  std::optional<EventPump> pump;

  Fixture() { pump.emplace(source, clock, stopping); }
  EventPump::Step step() {
    return pump->step(
        [this](std::string_view bytes) {
          written += bytes;
          return takes;
        },
        [this] { return is_gone; });
  }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "events go to the peer until the source ends") {
  source->events = {"a", "b"};
  source->ends_when_empty = true;
  CHECK(step() == EventPump::Step::open);
  CHECK(step() == EventPump::Step::ended);
  CHECK(written == "ab");
  pump.reset();
  CHECK(source->closings == std::vector<bool>{false});
}

TEST_CASE_METHOD(Fixture, "a stream that is silent for long says that it lives, and no sooner") {
  clock.advance(kKeepAliveEvery - 1ms);
  step();
  CHECK(written.empty());
  clock.advance(1ms);
  step();
  CHECK(written == ": keep-alive\n\n");
  step();
  CHECK(written == ": keep-alive\n\n");
  clock.advance(kKeepAliveEvery - 1ms);
  source->events = {"event"};
  step();
  clock.advance(1ms);
  step();
  CHECK(written == ": keep-alive\n\nevent");
}

TEST_CASE_METHOD(Fixture, "a peer that went away is told to the source once") {
  is_gone = true;
  CHECK(step() == EventPump::Step::gone);
  pump.reset();
  CHECK(source->closings == std::vector<bool>{true});
}

TEST_CASE_METHOD(Fixture, "so is one that takes nothing, and one whose answer never began") {
  source->events = {"a"};
  takes = false;
  CHECK(step() == EventPump::Step::gone);
  CHECK(source->closings == std::vector<bool>{true});

  const auto other = std::make_shared<Script>();
  { EventPump never_pulled(other, clock, stopping); }
  CHECK(other->closings == std::vector<bool>{true});
}

TEST_CASE_METHOD(Fixture, "before a stop the source may say its last words, and is told once") {
  step();
  stopping = true;
  source->events = {"1", "2"};
  CHECK(step() == EventPump::Step::open);
  CHECK(step() == EventPump::Step::open);
  CHECK(step() == EventPump::Step::ended);
  CHECK(written == "12bye");
  CHECK(source->told == 1);
  CHECK(source->closings == std::vector<bool>{false});
}
