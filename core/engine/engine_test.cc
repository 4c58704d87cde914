// What many callers at once may rely on. Counters and gates, no clocks.
#include "core/engine/engine.h"

#include "core/engine/test_provider.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::engine;
using namespace stepwise::engine::testing;
using namespace std::chrono_literals;

namespace {

// Waits for what the engine does after a call returned; bounded by the test run's own time limit.
template <class Condition>
void eventually(Condition condition) {
  while (!condition()) std::this_thread::yield();
}

}  // namespace

TEST_CASE("two callers of one call: one execution, equal answers") {
  TestEngine t;
  const auto a = t.submit("wait_for_gate", {{"n", 5}});
  t.provider->gate.wait_reached(1);
  const auto b = t.submit("wait_for_gate", {{"n", 5}});
  eventually([&] { return t.engine->counters().joins == 1; });
  t.provider->gate.open();
  CHECK(a->wait().structured == b->wait().structured);
  CHECK(a->wait().structured["n"] == 5);
  CHECK(t.engine->counters().executions == 1);
  CHECK(t.provider->gate.reached() == 1);
}

TEST_CASE("other arguments are other work") {
  TestEngine t;
  t.provider->gate.open();
  CHECK(t.submit("wait_for_gate", {{"n", 1}})->wait().structured["n"] == 1);
  CHECK(t.submit("wait_for_gate", {{"n", 2}})->wait().structured["n"] == 2);
  CHECK(t.engine->counters().executions == 2);
}

TEST_CASE("a second call is answered from the kept result, defaults filled in or given") {
  TestEngine t;
  t.provider->gate.open();
  t.submit("wait_for_gate")->wait();
  CHECK(t.submit("wait_for_gate", {{"n", 0}})->wait().structured["n"] == 0);
  CHECK(t.engine->counters().executions == 1);
  CHECK(t.engine->counters().result_cache_hits == 1);
}

TEST_CASE("cancelling one of two waiters leaves the other") {
  TestEngine t;
  WaiterId first = 0;
  const auto a = t.submit("wait_for_gate", Json::object(), &first);
  t.provider->gate.wait_reached(1);
  const auto b = t.submit("wait_for_gate");
  eventually([&] { return t.engine->counters().joins == 1; });
  t.engine->cancel(first);
  t.provider->gate.open();
  CHECK_FALSE(b->wait().error.has_value());
  CHECK(a->answers() == 0);
  CHECK(t.engine->counters().executions == 1);
}

TEST_CASE("cancelling both stops the work at once, and a new call starts anew") {
  TestEngine t;
  WaiterId first = 0, second = 0;
  const auto a = t.submit("wait_for_gate", Json::object(), &first);
  const auto b = t.submit("wait_for_gate", Json::object(), &second);
  eventually([&] { return t.engine->counters().joins == 1; });
  t.provider->gate.wait_reached(1);
  t.engine->cancel(first);
  t.engine->cancel(second);
  CHECK(t.engine->counters().waiting == 0);
  // The gate is still shut: only the flag can have ended the call, and only a free slot can reach it again.
  const auto c = t.submit("wait_for_gate");
  t.provider->gate.wait_reached(2);
  t.provider->gate.open();
  CHECK_FALSE(c->wait().error.has_value());
  CHECK(a->answers() + b->answers() == 0);
  CHECK(t.engine->counters().executions == 2);
}

TEST_CASE("what takes long is answered `running`; the work goes on and the retry joins it") {
  EngineOptions options;
  options.running_after = 1ms;
  TestEngine t(std::move(options));
  const auto first = t.submit("wait_for_gate");
  const Answer answer = first->wait();
  CHECK(answer.structured["status"] == "running");
  CHECK(answer.structured["retry_after_ms"].is_number());
  t.provider->gate.wait_reached(1);
  t.provider->gate.open();
  Answer last;
  do {
    last = t.submit("wait_for_gate")->wait();
  } while (last.structured["status"] == "running");
  CHECK(last.structured["status"] == "ok");
  CHECK(t.engine->counters().executions == 1);
}

TEST_CASE("a call that is told `running` while it waits for a slot still gets its turn") {
  EngineOptions options;
  options.call_slots = 1;
  options.running_after = 1ms;
  TestEngine t(std::move(options));
  t.submit("ignore_cancel")->wait();  // `running`: it holds the one slot
  t.provider->stuck.wait_reached(1);
  CHECK(t.submit("wait_for_gate")->wait().structured["status"] == "running");  // queued behind it
  CHECK(t.provider->gate.reached() == 0);
  t.provider->stuck.open();
  t.provider->gate.wait_reached(1);  // nobody has asked again
  CHECK(t.engine->counters().executions == 2);
}

TEST_CASE("a call that ignores its deadline is abandoned, and its slot is replaced") {
  EngineOptions options;
  options.analysis_deadline = 1ms;
  options.call_slots = 1;
  TestEngine t(std::move(options));
  const Answer answer = t.submit("ignore_cancel")->wait();
  REQUIRE(answer.error.has_value());
  CHECK(answer.error->kind == ErrorKind::deadline);
  CHECK(t.engine->counters().abandoned_threads == 1);
  // The one slot works again, though on a slow machine this call may pass the short deadline, too.
  eventually([&] { return t.submit("fail_always")->wait().error->code == "test.fails"; });
}

TEST_CASE("a tool of the engine's own that hangs again and again is refused alone") {
  EngineOptions options;
  options.analysis_deadline = 1ms;
  options.call_slots = limits::kMaxAbandonedThreads;
  TestEngine t(std::move(options));
  std::vector<std::shared_ptr<TestSink>> sinks;
  for (int i = 0; i < limits::kMaxAbandonedThreads; ++i) sinks.push_back(t.submit("ignore_cancel", {{"n", i}}));
  for (const auto& sink : sinks) CHECK(sink->wait().error->kind == ErrorKind::deadline);
  const Answer refused = t.submit("ignore_cancel", {{"n", -1}})->wait();
  REQUIRE(refused.error.has_value());
  CHECK(refused.error->code == "plugin.hangs");
  CHECK(refused.error->message.rfind("`ignore_cancel` is refused", 0) == 0);
  eventually([&] { return t.submit("fail_always")->wait().error->code == "test.fails"; });
}

TEST_CASE("a call that obeys its deadline is not abandoned") {
  EngineOptions options;
  options.analysis_deadline = 1ms;
  TestEngine t(std::move(options));
  const Answer answer = t.submit("wait_for_gate")->wait();
  REQUIRE(answer.error.has_value());
  CHECK(answer.error->code == "call.deadline");
  CHECK(t.engine->counters().abandoned_threads == 0);
}

TEST_CASE("three nested calls on one slot finish") {
  EngineOptions options;
  options.call_slots = 1;
  TestEngine t(std::move(options));
  CHECK(t.submit("call_one", {{"n", 1}})->wait().structured["n"] == 3);
  CHECK(t.engine->counters().executions == 1);
}

TEST_CASE("failures are answered and never kept") {
  TestEngine t;
  CHECK(t.submit("fail_always")->wait().error->code == "test.fails");
  CHECK(t.submit("fail_always")->wait().error->code == "test.fails");
  CHECK(t.engine->counters().executions == 2);
}

TEST_CASE("a result that breaks the tool's own schema does not get out") {
  TestEngine t;
  const Answer answer = t.submit("break_schema")->wait();
  REQUIRE(answer.error.has_value());
  CHECK(answer.error->code == "plugin.schema");
  CHECK(answer.error->where == "/n");
}

TEST_CASE("unknown tools and arguments teach the right ones") {
  TestEngine t;
  const Answer tool = t.submit("wait_for_gat")->wait();
  REQUIRE(tool.error.has_value());
  CHECK(tool.error->code == "tool.unknown");
  CHECK(tool.error->hint.find("wait_for_gate") != std::string::npos);
  const Answer argument = t.submit("fail_always", {{"m", 1}})->wait();
  REQUIRE(argument.error.has_value());
  CHECK(argument.error->code == "args.unknown");
  const Answer profile = t.submit("open_profile", {{"path", (t.dir / "absent").string()}})->wait();
  REQUIRE(profile.error.has_value());
  CHECK(profile.error->kind == ErrorKind::not_found);
}

TEST_CASE("past the limit of calls in flight the server is busy, and recovers") {
  TestEngine t;
  std::vector<std::shared_ptr<TestSink>> sinks;
  for (int i = 0; i < limits::kMaxCallsInAll; ++i) sinks.push_back(t.submit("wait_for_gate", {{"n", i}}));
  CHECK(t.submit("fail_always")->wait().error->kind == ErrorKind::busy);
  t.provider->gate.open();
  for (const auto& sink : sinks) CHECK_FALSE(sink->wait().error.has_value());
  eventually([&] { return t.engine->counters().waiting == 0; });
  CHECK(t.submit("fail_always")->wait().error->code == "test.fails");
}

TEST_CASE("progress reaches those who asked for it") {
  TestEngine t;
  const auto sink = std::make_shared<TestSink>();
  Request request;
  request.tool = "wait_for_gate";
  request.want_progress = true;
  t.engine->submit(std::move(request), sink);
  sink->wait_progress();
  t.provider->gate.open();
  CHECK_FALSE(sink->wait().error.has_value());
}

TEST_CASE("stop answers every waiter and refuses new calls") {
  TestEngine t;
  const auto waiting = t.submit("wait_for_gate");
  t.provider->gate.wait_reached(1);
  CHECK(t.engine->stop());
  REQUIRE(waiting->answers() == 1);
  CHECK(waiting->wait().error->code == "server.stopping");
  CHECK(t.engine->stop());
}
