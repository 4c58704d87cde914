// Plugins that break every rule (tests/plugins): whatever they do in a worker, the host goes on answering and keeps
// nothing of them.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>

#include "clients/example/example.h"
#include "tests/catch.h"
#include "tests/isolation/isolated_engine.h"

using namespace stepwise;
using namespace stepwise::testing;

namespace {

struct Host {
  ScratchDir dir;
  ManualClock clock;
  std::unique_ptr<engine::Engine> engine;

  explicit Host(Where where = Where::in_worker)
      : engine(start_engine(where, hostile_plugins(), dir.path / "cache", clock)) {}

  Error error_of(const std::string& tool, Json arguments = Json::object()) const {
    const auto answer = call(*engine, tool, std::move(arguments));
    INFO(tool);
    REQUIRE(answer.error.has_value());
    return *answer.error;
  }
  bool answers() const { return call(*engine, "answer_well").structured["n"] == 1; }
  int calls_of_this_worker(int n) const { return call(*engine, "count_calls", {{"n", n}}).structured["n"].get<int>(); }
  std::string profile() const {
    example::ExampleOptions options;
    options.dir = dir.path / "profile";
    options.events = 1;
    options.ranks = options.steps = 1;
    REQUIRE(example::write_example(options).ok());
    return options.dir.string();
  }
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

long open_descriptors() {
  namespace fs = std::filesystem;
  return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
}

bool has_children() { return ::waitpid(-1, nullptr, WNOHANG | __WALL) >= 0 || errno != ECHILD; }

/// Waits for the first progress, which says that the tool is running.
class ProgressSink : public engine::Sink {
 public:
  void progress(const ProgressGauge::Value& value) override {
    const std::lock_guard lock(mutex_);
    running_ = running_ || value.done == 1;
    changed_.notify_all();
  }
  void done(engine::Answer) override {}
  void wait_until_running() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return running_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool running_ = false;
};

void cancel_while_it_runs(engine::Engine& engine, const char* tool) {
  const auto sink = std::make_shared<ProgressSink>();
  engine::Request request;
  request.tool = tool;
  request.answer_running = false;
  request.want_progress = true;
  const auto id = engine.submit(std::move(request), sink);
  sink->wait_until_running();
  engine.cancel(id);
}

}  // namespace

TEST_CASE("a worker that dies is told by how it died, and the next call is answered") {
  const Host host;
  struct Death {
    const char *tool, *says;
  };
  for (const Death& death :
       {Death{"crash_now", "ended by signal 6 (Aborted)"}, Death{"exit_now", "exited with status 7"},
        Death{"leave_child", "exited with status 8"}, Death{"crash_null", "before it had answered"},
        Death{"never_runs", "exited with status 3"}}) {
    const Error error = host.error_of(death.tool);
    CHECK(error.code == "plugin.worker");
    CHECK(error.kind == ErrorKind::plugin);
    INFO(error.message);
    CHECK(contains(error.message, death.says));
    CHECK(host.answers());
  }
}

TEST_CASE("a worker that breaks the protocol is stopped, and the next call is answered") {
  const Host host;
  struct Breach {
    const char *tool, *says;
  };
  for (const Breach& breach :
       {Breach{"break_frame", "it sent something that is no message"},
        Breach{"claim_huge", "it sent a frame that is too large"}, Breach{"close_connection", "had to be killed"}}) {
    const Error error = host.error_of(breach.tool);
    CHECK(error.code == "plugin.worker");
    INFO(error.message);
    CHECK(contains(error.message, breach.says));
    CHECK(host.answers());
  }
}

TEST_CASE("tables are read-only in the worker: a plugin that writes into one ends its worker alone") {
  const Host host;
  const Error error = host.error_of("write_table", {{"profile", host.profile()}});
  CHECK(error.code == "plugin.worker");
  CHECK(host.answers());
}

TEST_CASE("faults of a plugin's answer read the same from a worker as in process") {
  const Host in_process(Where::in_process), in_worker;
  const std::string profile = in_process.profile();
  struct Fault {
    const char *tool, *code;
    bool with_profile = false;
  };
  for (const Fault& fault : {Fault{"answer_nothing", "plugin.no_result"}, Fault{"emit_twice", "plugin.emit"},
                             Fault{"emit_no_json", "plugin.result"}, Fault{"emit_deep", "plugin.result"},
                             Fault{"emit_too_much", "plugin.result_size"}, Fault{"call_undeclared", "plugin.calls"},
                             Fault{"read_undeclared", "plugin.table", true}, Fault{"fail_oddly", "hostile.kind"}}) {
    const Json arguments = fault.with_profile ? Json{{"profile", profile}} : Json::object();
    const Error there = in_worker.error_of(fault.tool, arguments), here = in_process.error_of(fault.tool, arguments);
    CHECK(here.code == fault.code);
    CHECK(there.code == here.code);
    CHECK(there.kind == here.kind);
    CHECK(there.message == here.message);
    CHECK(there.hint == here.hint);
    CHECK(there.where == here.where);
  }
  CHECK(in_worker.calls_of_this_worker(1) == 1);
}

TEST_CASE("one worker takes a plugin's calls one after the other") {
  const Host host;
  CHECK(host.calls_of_this_worker(1) == 1);
  CHECK(host.calls_of_this_worker(2) == 2);
  CHECK(host.answers());
  CHECK(host.error_of("emit_twice").code == "plugin.emit");
  CHECK(host.calls_of_this_worker(3) == 3);
  CHECK(host.error_of("exit_now").code == "plugin.worker");
  CHECK(host.calls_of_this_worker(4) == 1);
}

TEST_CASE("a call that ignores its cancellation is ended, and gives its slot back") {
  const Host host;
  cancel_while_it_runs(*host.engine, "spin_forever");
  CHECK(host.answers());
  CHECK(host.engine->counters().abandoned_threads == 0);
}

TEST_CASE("a call that obeys its cancellation gives its slot back") {
  const Host host;
  cancel_while_it_runs(*host.engine, "wait_cancelled");
  CHECK(host.answers());
}

TEST_CASE("stopping the engine ends a worker that spins") {
  const Host host;
  const auto sink = std::make_shared<ProgressSink>();
  engine::Request request;
  request.tool = "spin_forever";
  request.answer_running = false;
  request.want_progress = true;
  host.engine->submit(std::move(request), sink);
  sink->wait_until_running();
  CHECK(host.engine->stop());
}

TEST_CASE("more progress than anybody wants to know is no fault") {
  const Host host;
  CHECK(call(*host.engine, "flood_progress").structured["n"] == 1);
}

TEST_CASE("what a plugin prints does not disturb its answer") {
  const Host host;
  CHECK(call(*host.engine, "print_text").structured["n"] == 1);
}

TEST_CASE("a plugin that dies three times in a row is not started again at once") {
  Host host;
  for (int i = 0; i < 3; ++i) CHECK(host.error_of("exit_now").code == "plugin.worker");
  const Error refused = host.error_of("answer_well");
  CHECK(refused.code == "plugin.backoff");
  CHECK(refused.kind == ErrorKind::busy);
  CHECK(contains(refused.hint, "in 1 s"));
  CHECK(call(*host.engine, "print_text").structured["n"] == 1);  // another plugin: not its fault
  host.clock.advance(std::chrono::milliseconds(999));
  CHECK(host.error_of("answer_well").code == "plugin.backoff");
  host.clock.advance(std::chrono::milliseconds(1));
  CHECK(host.error_of("exit_now").code == "plugin.worker");
  host.clock.advance(std::chrono::milliseconds(1999));  // doubled
  CHECK(host.error_of("answer_well").code == "plugin.backoff");
  host.clock.advance(std::chrono::milliseconds(1));
  CHECK(host.answers());
  CHECK(host.error_of("exit_now").code == "plugin.worker");
  CHECK(host.calls_of_this_worker(1) == 1);  // an answer forgives what was before it
}

TEST_CASE("a worker that is not there is an error that says so") {
  const ScratchDir dir;
  engine::EngineOptions options;
  options.plugin_dirs = {hostile_plugins()};
  options.cache_root = dir.path / "cache";
  options.isolated_runner = std::make_shared<sandbox::WorkerRunner>(dir.path / "no-such-worker");
  const auto engine = engine::Engine::start(std::move(options)).value();
  const auto answer = call(*engine, "answer_well");
  REQUIRE(answer.error.has_value());
  CHECK(answer.error->code == "plugin.worker");
  CHECK(contains(to_text(*answer.error), "no-such-worker"));
}

TEST_CASE("which plugins are isolated is the operator's choice") {
  const ScratchDir dir;
  engine::EngineOptions options;
  options.plugin_dirs = {hostile_plugins()};
  options.cache_root = dir.path / "cache";
  options.isolated_runner = std::make_shared<sandbox::WorkerRunner>(dir.path / "no-such-worker");
  options.runs_isolated = [](const engine::PluginInfo& plugin) { return plugin.id != "hostile"; };
  const auto engine = engine::Engine::start(std::move(options)).value();
  CHECK(call(*engine, "answer_well").structured["n"] == 1);
  CHECK(call(*engine, "print_text").error->code == "plugin.worker");
}

TEST_CASE("a plugin that takes long to open keeps no other from answering") {
  const ScratchDir dir;
  const std::string pipe = dir.path / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), S_IRUSR | S_IWUSR) == 0);
  REQUIRE(::setenv("STEPWISE_TEST_PIPE", pipe.c_str(), 1) == 0);
  engine::EngineOptions options;
  options.plugin_dirs = {hostile_plugins()};
  options.cache_root = dir.path / "cache";
  options.call_slots = 2;
  const auto engine = engine::Engine::start(std::move(options)).value();
  REQUIRE(call(*engine, "answer_well").structured["n"] == 1);
  engine::Answer opened;
  std::thread opening([&] { opened = call(*engine, "open_slowly"); });
  const int writer = ::open(pipe.c_str(), O_WRONLY | O_CLOEXEC);  // waits for the plugin to open it
  CHECK(call(*engine, "answer_well").structured["n"] == 1);
  ::close(writer);
  opening.join();
  CHECK(opened.structured["n"] == 1);
  ::unsetenv("STEPWISE_TEST_PIPE");
}

TEST_CASE("of a plugin's structure nothing is read behind its end") {
  for (const Where where : {Where::in_process, Where::in_worker}) {
    CHECK(call(*Host(where).engine, "be_short").structured["n"] == 1);
  }
}

TEST_CASE("nothing is left of workers: no descriptors, no processes") {
  CHECK(Host().answers());  // what the process opens once and for all
  const long before = open_descriptors();
  {
    const Host host;
    CHECK(host.error_of("write_table", {{"profile", host.profile()}}).code == "plugin.worker");
    CHECK(host.answers());
    const long with_one_worker = open_descriptors();
    for (int i = 0; i < 3; ++i) {
      CHECK(host.error_of("crash_now").code == "plugin.worker");
      CHECK(host.error_of("break_frame").code == "plugin.worker");
      CHECK(host.calls_of_this_worker(i) == 1);
      CHECK(open_descriptors() == with_one_worker);
    }
    CHECK(has_children());
  }
  CHECK(open_descriptors() == before);
  CHECK_FALSE(has_children());
}
