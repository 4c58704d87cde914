#include "sandbox/served_call.h"

#include <algorithm>
#include <utility>

#include "core/engine/segment_service.h"
#include "sandbox/limits.h"

namespace stepwise::sandbox {
namespace {

using engine::PluginCall;

constexpr table::Group kGroups[] = {table::Group::files, table::Group::trace, table::Group::graph,
                                    table::Group::cluster};

/// The segment that a table of this call lies in.
std::shared_ptr<const store::Segment> segment_of(const engine::CallHost& host, uint32_t rank, std::string_view name,
                                                 const sw_table* table) {
  for (const table::Group group : kGroups) {
    const engine::LoadedSegment* loaded = host.segment(rank, group);
    if (loaded == nullptr) continue;
    const auto same = loaded->segment->table(name);
    if (same.ok() && same.value() == table) return loaded->segment;
  }
  return nullptr;
}

}  // namespace

Result<Json> ServedCall::run(const std::string& tool, const Json& arguments) {
  if (!worker_.is_loaded) SW_RETURN_IF_ERROR(load());

  auto& held = worker_.segments;
  const bool forget = held.size() >= kMaxSegmentsHeld ||
                      std::any_of(held.begin(), held.end(), [](const auto& segment) { return segment.expired(); });
  if (forget) held.clear();
  PayloadWriter task;
  task.u32(forget ? 1 : 0).text(tool).text(dump_json(arguments));
  SW_RETURN_IF_ERROR(send(task.message(MessageKind::call)));
  SW_ASSIGN_OR_RETURN(const int32_t returned, serve());
  return call_.finish(plugin_, tool, returned);
}

Result<void> ServedCall::load() {
  PayloadWriter task;
  task.text(plugin_.id).text(plugin_.binary_id).text(plugin_.library_path);
  task.u32(static_cast<uint32_t>(plugin_.tools.size()));
  for (const engine::ToolDecl& tool : plugin_.tools) task.text(tool.name);
  SW_RETURN_IF_ERROR(send(task.message(MessageKind::load)));
  SW_ASSIGN_OR_RETURN(const Message message, next());
  if (message.kind != MessageKind::ready) return broke_protocol("it spoke before its plugin was loaded");
  PayloadReader in(message.payload);
  worker_.is_loaded = in.u32() != 0;
  const int32_t kind = in.i32();
  const std::string_view code = in.text(), text = in.text(), hint = in.text(), where = in.text();
  if (!in.is_whole()) return broke_protocol("it sent a malformed message");
  if (worker_.is_loaded) return {};
  Error error = PluginCall::failure_of(kind, code, text, hint);
  error.where = where;
  return error;
}

Result<int32_t> ServedCall::serve() {
  for (;;) {
    SW_ASSIGN_OR_RETURN(const Message message, next());
    if (message.kind != MessageKind::done) {
      SW_RETURN_IF_ERROR(answer(message));
      continue;
    }
    PayloadReader in(message.payload);
    const int32_t returned = in.i32();
    const bool is_fit = in.u32() != 0;
    if (!in.is_whole()) return broke_protocol("it sent a malformed message");
    worker_is_fit_ = is_fit;
    return returned;
  }
}

Result<void> ServedCall::answer(const Message& message) {
  PayloadReader in(message.payload);
  PayloadWriter out;
  const auto malformed = [this] { return broke_protocol("it sent a malformed message"); };
  switch (message.kind) {
    case MessageKind::table: {
      const uint32_t rank = in.u32();
      const std::string_view name = in.text();
      return in.is_whole() ? answer_table(rank, name) : malformed();
    }
    case MessageKind::nested: {
      const std::string_view tool = in.text(), args_json = in.text();
      if (!in.is_whole()) return malformed();
      std::string result_json;
      out.i32(call_.call(tool, args_json, result_json)).text(result_json);
      return send(out.message(MessageKind::nested_is));
    }
    case MessageKind::emit: {
      const std::string_view result_json = in.text();
      if (!in.is_whole()) return malformed();
      return send(out.i32(call_.emit(result_json)).message(MessageKind::noted));
    }
    case MessageKind::fail: {
      const int32_t kind = in.i32();
      const std::string_view code = in.text(), text = in.text(), hint = in.text();
      if (!in.is_whole()) return malformed();
      return send(out.i32(call_.fail(kind, code, text, hint)).message(MessageKind::noted));
    }
    case MessageKind::progress: {
      const uint64_t done = in.u64(), total = in.u64();
      if (!in.is_whole()) return malformed();
      call_.progress(done, total);
      return {};
    }
    case MessageKind::log: {
      const int32_t level = in.i32();
      const std::string_view text = in.text();
      if (!in.is_whole()) return malformed();
      PluginCall::log(level, text.substr(0, kMaxLogLineBytes));
      return {};
    }
    default:
      return broke_protocol("it sent a message that has no place in a call");
  }
}

Result<void> ServedCall::answer_table(uint32_t rank, std::string_view name) {
  const sw_table* table = nullptr;
  int32_t status = call_.table(rank, name, table);
  const auto segment = status == SW_OK ? segment_of(host_, rank, name, table) : nullptr;
  if (status == SW_OK && segment == nullptr) {
    call_.fail(static_cast<int32_t>(ErrorKind::bug), "plugin.worker", "A table lies in no segment of its call.", "");
    status = SW_FAILED;
  }
  PayloadWriter out;
  out.i32(status);
  if (status != SW_OK) return send(out.message(MessageKind::table_at));

  auto& held = worker_.segments;
  const auto at = std::find_if(held.begin(), held.end(), [&](const auto& one) { return one.lock() == segment; });
  const auto number = static_cast<uint32_t>(at - held.begin());
  const bool is_new = at == held.end();
  if (is_new) held.push_back(segment);
  out.u32(number).u64(segment->key().ingest_print).u64(segment->key().source_print).u32(is_new ? 1 : 0);
  return send(out.message(MessageKind::table_at), is_new ? segment->descriptor() : -1);
}

bool ServedCall::is_overdue() {
  if (!call_.cancelled()) return false;
  const auto now = std::chrono::steady_clock::now();
  if (!cancel_seen_) cancel_seen_ = now;
  return now - *cancel_seen_ >= kCancelGrace;
}

Result<Message> ServedCall::next() {
  for (;;) {
    if (is_overdue()) {
      worker_died_ = true;
      return PluginCall::cancelled_error();
    }
    if (cancel_seen_ && !std::exchange(cancel_told_, true)) {
      SW_RETURN_IF_ERROR(send({MessageKind::cancel}));
    }
    Message message;
    switch (worker_.channel.receive(message, kTick)) {
      case Channel::Arrival::message:
        return message;
      case Channel::Arrival::violation:
        return broke_protocol(worker_.channel.violation());
      case Channel::Arrival::closed:
        return died();
      case Channel::Arrival::nothing:
        // A process that the worker left behind may hold the connection open.
        if (worker_.process->has_ended()) return died();
    }
  }
}

Result<void> ServedCall::send(const Message& message, int descriptor) {
  const auto give_up = [this] { return is_overdue() || worker_.process->has_ended(); };
  if (worker_.channel.send(message, give_up, descriptor)) return {};
  if (is_overdue()) {
    worker_died_ = true;
    return PluginCall::cancelled_error();
  }
  return died();
}

Error ServedCall::died() {
  worker_died_ = true;
  worker_.process->end();
  if (call_.cancelled()) return PluginCall::cancelled_error();
  return {ErrorKind::plugin, "plugin.worker",
          "The worker of plugin `" + plugin_.id + "` " + worker_.process->how_it_ended() + " before it had answered.",
          "The other analyzers go on; the next call starts a new worker.", plugin_.library_path};
}

Error ServedCall::broke_protocol(const std::string& how) {
  worker_died_ = true;
  return {ErrorKind::plugin, "plugin.worker", "The worker of plugin `" + plugin_.id + "` was stopped: " + how + ".",
          "The other analyzers go on; the next call starts a new worker.", plugin_.library_path};
}

}  // namespace stepwise::sandbox
