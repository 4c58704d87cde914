// Fifty clients that think between their calls: how long a call takes whose answer the server has at hand.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "core/base/text.h"
#include "tests/bench/bench.h"
#include "tests/bench/http_server.h"
#include "tests/bench/server_calls.h"

namespace stepwise::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kClients = 50;
constexpr auto kThinks = std::chrono::milliseconds(50);
constexpr double kMedianMs = 2, kP99Ms = 25;
constexpr unsigned kRounds = 5, kCallsOfAClient = 100;  // in a round

struct Round {
  std::vector<double> took_ms;  // sorted
  uint64_t failed = 0;
  double at(double quantile) const {
    if (took_ms.empty()) return 0;
    return took_ms[static_cast<size_t>(quantile * static_cast<double>(took_ms.size() - 1))];
  }
};

/// One client a thread, in the process that calls this.
Round make_calls(int port, Face face, const ToolCall& call) {
  const RepeatedCall repeated(face, call);
  std::vector<std::vector<double>> took_ms(kClients);
  std::atomic<uint64_t> failed{0};
  std::vector<std::thread> clients;
  for (unsigned i = 0; i < kClients; ++i) {
    clients.emplace_back([&, i] {
      HttpClient client(port);
      std::this_thread::sleep_for(kThinks * i / kClients);  // spread over one think time
      for (unsigned n = 0; n < kCallsOfAClient; ++n) {
        const auto begin = Clock::now();
        const bool ok = repeated.ask(client, int64_t{i} * kCallsOfAClient + n + 1);
        const std::chrono::duration<double, std::milli> took = Clock::now() - begin;
        if (ok) took_ms[i].push_back(took.count());
        failed += ok ? 0 : 1;
        std::this_thread::sleep_for(kThinks);
      }
    });
  }
  for (std::thread& client : clients) client.join();
  Round round;
  round.failed = failed;
  for (const auto& one : took_ms) round.took_ms.insert(round.took_ms.end(), one.begin(), one.end());
  std::sort(round.took_ms.begin(), round.took_ms.end());
  return round;
}

/// The same in a process of its own, which hands its figures over as bytes of a file.
Round measured_apart(const Settings& settings, int port, Face face, const ToolCall& call) {
  const std::filesystem::path file = settings.folder / "round";
  run_in_child([&] {
    const Round round = make_calls(port, face, call);
    std::string bytes(sizeof round.failed + round.took_ms.size() * sizeof(double), '\0');
    std::memcpy(bytes.data(), &round.failed, sizeof round.failed);
    std::memcpy(bytes.data() + sizeof round.failed, round.took_ms.data(), round.took_ms.size() * sizeof(double));
    write_file(file, bytes);
  });
  std::ifstream in(file, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  Round round;
  std::memcpy(&round.failed, bytes.data(), sizeof round.failed);
  round.took_ms.resize((bytes.size() - sizeof round.failed) / sizeof(double));
  std::memcpy(round.took_ms.data(), bytes.data() + sizeof round.failed, round.took_ms.size() * sizeof(double));
  return round;
}

/// The rounds' median, measured when all of them say the same of the budget.
void report_rounds(Report& report, const std::string& what, std::vector<double> values, double budget) {
  std::sort(values.begin(), values.end());
  const bool agrees = (values.front() <= budget) == (values.back() <= budget);
  report.at_most(what, values[values.size() / 2], budget, "ms", agrees);
}

void load(const Settings& settings, Report& report, const HttpServer& server, Face face, const ToolCall& call) {
  const std::string name = face == Face::rpc ? "/rpc" : "/mcp";
  HttpClient first(server.port());
  if (ask(first, face, 1, call).is_null()) {
    report.note(name + " does not answer: left out");
    return;
  }
  std::vector<double> medians, p99s;
  uint64_t failed = 0, calls = 0;
  const double cpu_before_s = server.cpu_s();
  for (unsigned i = 0; i < kRounds; ++i) {
    const Round round = measured_apart(settings, server.port(), face, call);
    medians.push_back(round.at(0.5));
    p99s.push_back(round.at(0.99));
    failed += round.failed;
    calls += round.took_ms.size() + round.failed;
  }
  const double cpu_ms = 1e3 * (server.cpu_s() - cpu_before_s) / static_cast<double>(calls);
  report.note(name + ": " + std::to_string(calls) + " calls of " + call.tool + " by " + std::to_string(kClients) +
              " clients, " + three_digits(cpu_ms) + " ms of the server's CPU each");
  report_rounds(report, name + ", median", medians, kMedianMs);
  report_rounds(report, name + ", 99th percentile", p99s, kP99Ms);
  report.at_most(name + ", failed calls", static_cast<double>(failed), 0, "");
}

}  // namespace

void bench_load(const Settings& settings, Report& report) {
  setenv("XDG_CACHE_HOME", (settings.folder / "cache").c_str(), 1);
  const std::filesystem::path profile = settings.folder / "served" / "profile";
  run_program({settings.program.string(), "--quiet", "example", profile.string(), "--ranks", "1"});
  const HttpServer server(settings.program, settings.folder / "served");
  HttpClient client(server.port());
  const Json opened = ask(client, Face::rpc, 1, {"open_profile", {{"path", profile.string()}}});
  if (opened.is_null()) fail("the server does not open " + profile.string());
  const ToolCall call{"top_operators", {{"profile", opened["id"]}, {"by", "name"}}};
  for (const Face face : {Face::rpc, Face::mcp}) load(settings, report, server, face, call);
}

}  // namespace stepwise::bench
