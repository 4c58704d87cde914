// Mixed calls for as long as one likes: each is answered, with what the same call was answered before and nobody else's
// answer, and the server's memory stays where it was.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "tests/bench/bench.h"
#include "tests/bench/http_server.h"
#include "tests/bench/server_calls.h"

namespace stepwise::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Minutes = std::chrono::duration<double, std::ratio<60>>;

constexpr unsigned kClients = 8;
constexpr auto kSampleEvery = std::chrono::seconds(1);
constexpr double kGrowthMib = 8;  // of the second half's end over its beginning

struct Profile {
  std::string path, id;
};

/// What is asked of each profile; what a tool cannot tell of one it says, which is an answer as well.
std::vector<ToolCall> calls_about(const Profile& profile) {
  std::vector<ToolCall> calls;
  const auto add = [&](const char* tool, Json arguments = Json::object()) {
    arguments["profile"] = profile.id;
    calls.push_back({tool, std::move(arguments)});
  };
  for (const char* tool : {"summarize_profile", "stage_breakdown", "comm_overlap", "repeated_subgraphs", "advise",
                           "problem_operators", "host_api", "memory", "detect_execution_mode"}) {
    add(tool);
  }
  for (const char* by : {"type", "name", "shape"}) add("top_operators", {{"by", by}, {"limit", 5}});
  add("query_sql", {{"sql", "SELECT name, count(*) FROM kernel GROUP BY name ORDER BY 2 DESC, 1 LIMIT 7"}});
  add("validate_advice", {{"markdown", "Set `TASK_QUEUE_ENABLE=2`."}});
  return calls;
}

/// The first answer to each call over each face (pages over MCP are cut by tokens); the same call gets the same one
/// ever after.
class Answers {
 public:
  bool fits(Face face, size_t call, const Json& answer) {
    const std::string text = dump_json(answer);
    const std::lock_guard lock(mutex_);
    return first_.try_emplace({face, call}, text).first->second == text;
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<Face, size_t>, std::string> first_;
};

struct Tally {
  std::atomic<uint64_t> calls{0}, failed{0}, differing{0}, of_others{0};
};

struct Asked {
  ToolCall call;
  std::string profile_id;
};

void keep_asking(int port, const std::vector<Face>& faces, const std::vector<Asked>& all, unsigned seed,
                 Clock::time_point end, Answers& answers, Tally& tally) {
  std::mt19937 random(seed);
  HttpClient client(port);
  for (int64_t id = int64_t{seed} << 32; Clock::now() < end; ++id) {
    const size_t which = random() % all.size();
    const Face face = faces[random() % faces.size()];
    const Json answer = ask(client, face, id, all[which].call);
    ++tally.calls;
    if (!answer.is_null() && answer.value("status", "") == "running") continue;  // it is asked again some time
    if (answer.is_null()) {
      ++tally.failed;
    } else if (answer.value("profile", "") != all[which].profile_id) {
      ++tally.of_others;
    } else if (!answers.fits(face, which, answer)) {
      ++tally.differing;
    }
  }
}

std::vector<Profile> examples(const Settings& settings, HttpClient& client) {
  std::vector<Profile> profiles;
  int64_t id = 0;
  for (const char* kind : {"recsys-train", "recsys-infer", "llm-train"}) {
    const std::string path = (settings.folder / "soaked" / kind).string();
    run_program({settings.program.string(), "--quiet", "example", path, "--kind", kind, "--events", "20000"});
    const Json opened = ask(client, Face::rpc, ++id, {"open_profile", {{"path", path}}});
    if (opened.is_null()) fail("the server does not open " + path);
    profiles.push_back({path, opened["id"]});
  }
  return profiles;
}

double mean_mib(const std::vector<double>& bytes, size_t from, size_t to) {
  double sum = 0;
  for (size_t i = from; i < to; ++i) sum += bytes[i];
  return to == from ? 0 : sum / static_cast<double>(to - from) / (1 << 20);
}

}  // namespace

void bench_soak(const Settings& settings, Report& report) {
  if (settings.minutes == 0) {
    report.note("left out: --minutes says how long, e.g. 60");
    return;
  }
  setenv("XDG_CACHE_HOME", (settings.folder / "cache-soak").c_str(), 1);
  const HttpServer server(settings.program, settings.folder / "soaked");
  HttpClient first(server.port());
  const std::vector<Profile> profiles = examples(settings, first);
  std::vector<Asked> all;
  for (const Profile& profile : profiles) {
    for (ToolCall& call : calls_about(profile)) all.push_back({std::move(call), profile.id});
  }
  std::vector<Face> faces{Face::rpc};
  if (!ask(first, Face::mcp, 1, all.front().call).is_null()) faces.push_back(Face::mcp);

  Answers answers;
  Tally tally;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(Minutes(settings.minutes));
  std::vector<std::thread> clients;
  for (unsigned i = 0; i < kClients; ++i) {
    clients.emplace_back([&, i] { keep_asking(server.port(), faces, all, i + 1, end, answers, tally); });
  }
  std::vector<double> memory;
  uint64_t files = 0, most_files = 0, most_threads = 0;
  while (Clock::now() < end) {
    std::this_thread::sleep_for(kSampleEvery);
    memory.push_back(static_cast<double>(server.anonymous_bytes()));
    files = server.open_files();
    if (memory.size() <= 5) most_files = std::max(most_files, files);
    most_threads = std::max(most_threads, server.threads());
  }
  for (std::thread& client : clients) client.join();

  const size_t count = memory.size(), half = count / 2, tenth = std::max<size_t>(1, count / 10);
  const double before = mean_mib(memory, half, half + tenth), after = mean_mib(memory, count - tenth, count);
  report.note(std::to_string(tally.calls) + " calls on " + (faces.size() == 2 ? "/rpc and /mcp" : "/rpc") + ", " +
              std::to_string(most_threads) + " threads at most, memory " +
              human_bytes(static_cast<uint64_t>(memory.back())) + " at the end");
  report.at_most("failed calls", static_cast<double>(tally.failed), 0, "");
  report.at_most("answers about another profile", static_cast<double>(tally.of_others), 0, "");
  report.at_most("answers unlike the first to that call", static_cast<double>(tally.differing), 0, "");
  report.at_most("memory grown in the second half", after - before, kGrowthMib, "MiB");
  report.at_most("open files at the end", static_cast<double>(files), static_cast<double>(most_files), "");
}

}  // namespace stepwise::bench
