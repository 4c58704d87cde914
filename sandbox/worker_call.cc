#include "sandbox/worker_call.h"

#include <algorithm>
#include <utility>

#include "core/base/limits.h"
#include "sandbox/limits.h"

namespace stepwise::sandbox {
namespace {

std::string_view view(sw_str text) {
  return text.ptr == nullptr ? std::string_view() : std::string_view(text.ptr, text.len);
}

// What sw_host's ctx points to.
struct CallContext {
  HostLink& link;
  ReceivedSegments& segments;
  std::thread::id thread = std::this_thread::get_id();
  std::string nested_result{};  // borrowed by the plugin until its next nested call

  bool on_call_thread() const { return std::this_thread::get_id() == thread; }
};

CallContext& context(void* ctx) { return *static_cast<CallContext*>(ctx); }

int32_t status_of(const Message& answer) { return PayloadReader(answer.payload).i32(); }

int32_t tell_failure(HostLink& link, int32_t kind, std::string_view code, std::string_view message,
                     std::string_view hint) {
  PayloadWriter out;
  return status_of(link.ask(out.i32(kind).text(code).text(message).text(hint).message(MessageKind::fail)));
}

int32_t host_table(void* ctx, uint32_t rank, sw_str name, const sw_table** out) {
  CallContext& own = context(ctx);
  if (!own.on_call_thread()) return SW_FAILED;
  *out = nullptr;
  PayloadWriter question;
  Message answer = own.link.ask(question.u32(rank).text(view(name)).message(MessageKind::table));
  if (const int32_t status = status_of(answer); status != SW_OK) return status;
  const auto table = own.segments.table(answer, view(name));
  if (!table.ok()) {
    const Error& error = table.error();
    tell_failure(own.link, static_cast<int32_t>(error.kind), error.code, error.message, error.hint);
    return SW_FAILED;
  }
  *out = table.value();
  return *out == nullptr ? SW_MISSING : SW_OK;
}

int32_t host_call(void* ctx, sw_str tool, sw_str args_json, sw_str* result_json) {
  CallContext& own = context(ctx);
  if (!own.on_call_thread() || args_json.len > limits::kMaxResultBytes) return SW_FAILED;
  PayloadWriter question;
  const Message answer = own.link.ask(question.text(view(tool)).text(view(args_json)).message(MessageKind::nested));
  PayloadReader in(answer.payload);
  const int32_t status = in.i32();
  if (status != SW_OK) return status;
  own.nested_result = in.text();
  *result_json = {own.nested_result.data(), own.nested_result.size()};
  return SW_OK;
}

int32_t host_cancelled(void* ctx) { return context(ctx).link.is_cancelled() ? 1 : 0; }

void host_progress(void* ctx, uint64_t done, uint64_t total, sw_str) {
  PayloadWriter out;
  context(ctx).link.tell(out.u64(done).u64(total).message(MessageKind::progress));
}

void host_log(void* ctx, int32_t level, sw_str text) {
  PayloadWriter out;
  context(ctx).link.tell(out.i32(level).text(view(text).substr(0, kMaxLogLineBytes)).message(MessageKind::log));
}

int32_t host_emit(void* ctx, sw_str result_json) {
  CallContext& own = context(ctx);
  if (!own.on_call_thread()) return SW_FAILED;
  // One byte past the limit is enough for the host to refuse it.
  const std::string_view text = view(result_json).substr(0, limits::kMaxResultBytes + 1);
  PayloadWriter out;
  return status_of(own.link.ask(out.text(text).message(MessageKind::emit)));
}

int32_t host_fail(void* ctx, int32_t kind, sw_str code, sw_str message, sw_str hint) {
  CallContext& own = context(ctx);
  return own.on_call_thread() ? tell_failure(own.link, kind, view(code), view(message), view(hint)) : SW_FAILED;
}

const void* host_extension(void*, sw_str) { return nullptr; }

sw_host host_api(CallContext& own) {
  sw_host api{};
  api.size = sizeof api;
  api.abi_major = SW_ABI_MAJOR;
  api.abi_minor = SW_ABI_MINOR;
  api.ctx = &own;
  api.table = host_table;
  api.call = host_call;
  api.cancelled = host_cancelled;
  api.progress = host_progress;
  api.log = host_log;
  api.emit = host_emit;
  api.fail = host_fail;
  api.extension = host_extension;
  return api;
}

}  // namespace

Result<const sw_table*> ReceivedSegments::table(Message& answer, std::string_view name) {
  PayloadReader in(answer.payload);
  in.i32();  // the status
  const uint32_t number = in.u32();
  const uint64_t ingest_print = in.u64(), source_print = in.u64();
  if (in.u32() != 0) {
    auto opened = store::Segment::open_descriptor(answer.descriptor.release(), {ingest_print, source_print});
    is_complete_ = is_complete_ && opened.ok();
    if (!opened.ok()) return opened.take_error();
    segments_[number] = std::move(opened).value();
  }
  const auto found = segments_.find(number);
  if (found == segments_.end()) {
    return Error{ErrorKind::bug, "plugin.worker", "The worker lacks a segment that the host has sent.", "", ""};
  }
  return found->second->table(name);
}

void run_task(const Message& task, engine::PluginLibrary& library, ReceivedSegments& segments, HostLink& link) {
  PayloadReader in(task.payload);
  if (in.u32() != 0) segments.forget();
  const std::string_view tool = in.text(), args_json = in.text();
  int32_t returned = SW_FAILED;
  if (const sw_tool* entry = library.tool(tool); entry != nullptr) {
    CallContext own{link, segments};
    const sw_host api = host_api(own);
    returned = entry->call(library.self(), &api, {args_json.data(), args_json.size()});
  }
  PayloadWriter out;
  link.tell(out.i32(returned).u32(segments.is_complete() ? 1 : 0).message(MessageKind::done));
}

}  // namespace stepwise::sandbox
