#include "protocol/http/metrics_endpoint.h"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "protocol/http/answers.h"
#include "protocol/http/prometheus.h"

namespace stepwise::http {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double seconds_of(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

/// The value of a field of /proc/self/stat by proc(5)'s number; 0: it cannot be read.
double stat_field(int field) {
  constexpr int kFirstBehindName = 3;
  std::ifstream file("/proc/self/stat");
  std::string line;
  std::getline(file, line);
  const size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return 0;
  size_t at = name_end + 2;
  for (int i = kFirstBehindName; i < field && at < line.size(); ++i) at = line.find(' ', at) + 1;
  return at < line.size() ? std::strtod(line.c_str() + at, nullptr) : 0;
}

double entries(const char* directory) {
  std::error_code ec;
  double count = 0;
  for (std::filesystem::directory_iterator it(directory, ec), end; !ec && it != end; it.increment(ec)) ++count;
  return count;
}

void add_process(PrometheusText& out) {
  constexpr int kThreads = 20, kStartTicks = 22, kResidentPages = 24;
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const double ticks_a_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
  const double booted_at = seconds_of(CLOCK_REALTIME) - seconds_of(CLOCK_BOOTTIME);
  out.counter("process_cpu_seconds_total", "CPU time of user and system.",
              seconds(usage.ru_utime) + seconds(usage.ru_stime));
  out.gauge("process_resident_memory_bytes", "Memory that is in RAM, with mapped segments.",
            stat_field(kResidentPages) * static_cast<double>(::sysconf(_SC_PAGESIZE)));
  out.gauge("process_open_fds", "Descriptors that are open.", entries("/proc/self/fd"));
  out.gauge("process_threads", "Threads.", stat_field(kThreads));
  out.gauge("process_start_time_seconds", "When the process began, in seconds since 1970.",
            booted_at + stat_field(kStartTicks) / ticks_a_second);
}

void add_http(PrometheusText& out, const HttpCounters& http) {
  const auto figure = [](uint64_t value) { return static_cast<double>(value); };
  out.counter("stepwise_http_connections_total", "Connections that were accepted.", figure(http.connections));
  out.gauge("stepwise_http_open_connections", "Connections that are open.", figure(http.open_connections));
  out.counter("stepwise_http_requests_total", "Requests that were answered or refused.", figure(http.requests));
  out.gauge("stepwise_http_open_streams", "Event streams that are open.", figure(http.open_streams));
  out.gauge("stepwise_http_idle_streams", "Of those, streams that wait for what may never happen.",
            figure(http.idle_streams));
  out.begin_counters("stepwise_http_answers_total", "Answers by status.");
  for (const auto& [status, count] : http.answers) out.sample("status", std::to_string(status), count);
  out.begin_counters("stepwise_http_refused_total", "Requests, connections and answers that a guard ended.");
  for (const auto& [guard, count] : http.refused_by) out.sample("guard", guard, count);
}

void add_engine(PrometheusText& out, const engine::EngineCounters& engine) {
  const auto figure = [](uint64_t value) { return static_cast<double>(value); };
  out.counter("stepwise_engine_executions_total", "Distinct pieces of work that were begun.",
              figure(engine.executions));
  out.counter("stepwise_engine_joins_total", "Calls that found their work under way.", figure(engine.joins));
  out.counter("stepwise_engine_ingests_total", "Segments that were read from their sources.", figure(engine.ingests));
  out.counter("stepwise_engine_result_cache_hits_total", "Calls that were answered by a kept result.",
              figure(engine.result_cache_hits));
  out.gauge("stepwise_engine_waiting_calls", "Calls that wait for their answer.", figure(engine.waiting));
  out.counter("stepwise_engine_abandoned_threads_total", "Threads that were written off.",
              figure(engine.abandoned_threads));
}

}  // namespace

HttpHandler metrics_endpoint(const engine::Engine& engine, std::shared_ptr<const Tally> tally,
                             std::shared_ptr<const McpEndpoint> mcp) {
  return [&engine, tally = std::move(tally), mcp = std::move(mcp)](const HttpRequest& request,
                                                                   const std::function<bool()>&) {
    if (request.method != "GET" && request.method != "HEAD") return wrong_method_answer("GET, HEAD");
    PrometheusText out;
    add_process(out);
    add_http(out, tally->get());
    if (mcp != nullptr) {
      out.gauge("stepwise_mcp_sessions", "Sessions of MCP's legacy era that are open.",
                static_cast<double>(mcp->sessions()));
    }
    add_engine(out, engine.counters());
    HttpResponse response;
    response.content_type = PrometheusText::kContentType;
    response.body = out.take();
    return response;
  };
}

}  // namespace stepwise::http
