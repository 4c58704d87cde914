// Every way to break the contract with the host, one a tool. Written against the C interface: the SDK would prevent
// half of them. Those from crash_now on are for the worker alone.
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "stepwise/registration.hpp"

namespace {

using stepwise::sdk::as_sw_str;

constexpr int kConnection = 3;  // the worker's

int32_t emit(const sw_host* host, std::string_view json) { return host->emit(host->ctx, as_sw_str(json)); }

int32_t answer_well(void*, const sw_host* host, sw_str) { return emit(host, R"({"n": 1})"); }

int32_t answer_nothing(void*, const sw_host*, sw_str) { return SW_OK; }

int32_t emit_twice(void*, const sw_host* host, sw_str) {
  emit(host, R"({"n": 1})");
  emit(host, R"({"n": 2})");
  return SW_OK;
}

int32_t emit_no_json(void*, const sw_host* host, sw_str) { return emit(host, "{\"n\": \xff"); }

int32_t emit_deep(void*, const sw_host* host, sw_str) {
  return emit(host, R"({"n": )" + std::string(100'000, '[') + std::string(100'000, ']') + "}");
}

int32_t emit_too_much(void*, const sw_host* host, sw_str) {
  return emit(host, R"({"n": ")" + std::string(32u << 20, 'n') + "\"}");
}

int32_t call_undeclared(void*, const sw_host* host, sw_str) {
  sw_str result{nullptr, 0};
  host->call(host->ctx, as_sw_str("answer_well"), as_sw_str("{}"), &result);
  return emit(host, R"({"n": 1})");
}

int32_t read_undeclared(void*, const sw_host* host, sw_str) {
  const sw_table* table = nullptr;
  host->table(host->ctx, 0, as_sw_str("kernel"), &table);
  return emit(host, R"({"n": 1})");
}

int32_t fail_oddly(void*, const sw_host* host, sw_str) {
  host->fail(host->ctx, 4711, as_sw_str("hostile.kind"), as_sw_str("An odd failure."), as_sw_str("None."));
  return 4711;
}

int32_t wait_cancelled(void*, const sw_host* host, sw_str) {
  host->progress(host->ctx, 1, 2, as_sw_str("waiting"));
  while (host->cancelled(host->ctx) == 0) ::usleep(1000);
  return SW_CANCELLED;
}

int32_t flood_progress(void*, const sw_host* host, sw_str) {
  for (uint64_t i = 0; i < 100'000; ++i) host->progress(host->ctx, i, 100'000, as_sw_str("flooding"));
  return emit(host, R"({"n": 1})");
}

int32_t count_calls(void*, const sw_host* host, sw_str) {
  static std::atomic<int> calls{0};
  return emit(host, R"({"n": )" + std::to_string(++calls) + "}");
}

[[noreturn]] int32_t crash_now(void*, const sw_host*, sw_str) { std::abort(); }

int32_t crash_null(void*, const sw_host*, sw_str) {
  volatile int* nowhere = nullptr;
  *nowhere = 1;
  return SW_OK;
}

int32_t write_table(void*, const sw_host* host, sw_str) {
  const sw_table* table = nullptr;
  if (host->table(host->ctx, 0, as_sw_str("step"), &table) != SW_OK) return SW_FAILED;
  *static_cast<volatile char*>(const_cast<void*>(table->columns[0].data)) = 1;
  return emit(host, R"({"n": 1})");
}

[[noreturn]] int32_t exit_now(void*, const sw_host*, sw_str) { ::_exit(7); }

int32_t spin_forever(void*, const sw_host* host, sw_str) {
  host->progress(host->ctx, 1, 2, as_sw_str("spinning"));
  for (volatile uint64_t turns = 0;;) turns = turns + 1;
}

int32_t break_frame(void*, const sw_host*, sw_str) {
  const std::string garbage(1000, '\x7f');
  if (::write(kConnection, garbage.data(), garbage.size()) < 0) return SW_FAILED;
  for (;;) ::pause();
}

int32_t claim_huge(void*, const sw_host*, sw_str) {
  const struct {
    uint32_t bytes = 0xffffffff;
    uint16_t kind = 35, flags = 0;  // EMIT
  } header;
  if (::write(kConnection, &header, sizeof header) < 0) return SW_FAILED;
  for (;;) ::pause();
}

int32_t close_connection(void*, const sw_host*, sw_str) {
  ::shutdown(kConnection, SHUT_WR);
  for (;;) ::pause();
}

int32_t leave_child(void*, const sw_host*, sw_str) {
  if (::fork() == 0) {
    for (;;) ::pause();
  }
  ::_exit(8);
}

constexpr sw_tool tool(std::string_view name, int32_t (*call)(void*, const sw_host*, sw_str)) {
  return {sizeof(sw_tool), 0, as_sw_str(name), call};
}

}  // namespace

STEPWISE_PLUGIN("hostile", "0.1.0", "Apache-2.0", tool("answer_well", answer_well),
                tool("answer_nothing", answer_nothing), tool("emit_twice", emit_twice),
                tool("emit_no_json", emit_no_json), tool("emit_deep", emit_deep), tool("emit_too_much", emit_too_much),
                tool("call_undeclared", call_undeclared), tool("read_undeclared", read_undeclared),
                tool("fail_oddly", fail_oddly), tool("wait_cancelled", wait_cancelled),
                tool("flood_progress", flood_progress), tool("count_calls", count_calls), tool("crash_now", crash_now),
                tool("crash_null", crash_null), tool("write_table", write_table), tool("exit_now", exit_now),
                tool("spin_forever", spin_forever), tool("break_frame", break_frame), tool("claim_huge", claim_huge),
                tool("close_connection", close_connection), tool("leave_child", leave_child));
