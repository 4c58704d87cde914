// What host and worker say to each other: messages of numbers and texts, cut into length-prefixed frames, over a
// stream socket. Both ends are of one build and one machine (native byte order); no JSON but that of the plugin ABI.
//
//   host    LOAD                                          CALL ... CANCEL
//   worker       READY | [TABLE NESTED EMIT FAIL -> ANSWER]* [PROGRESS LOG]* DONE
//
// TABLE, NESTED, EMIT and FAIL are questions: the worker's call waits for the one answer. The host trusts nothing that
// comes: sizes, kinds and order are checked, and what does not fit ends the worker.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/store/descriptor.h"

namespace stepwise::sandbox {

/// Where the worker finds its socket. 0 is /dev/null, 1 and 2 are the host's standard error.
inline constexpr int kWorkerDescriptor = 3;

enum class MessageKind : uint16_t {
  load = 1,    // text plugin id, text binary_id, text library path, u32 count, text tool name...
  call,        // u32 forget segments, text tool, text args_json
  cancel,      //
  table_at,    // answer to table: i32 status; if SW_OK: u32 segment, u64 ingest print, u64 source print, u32 sent;
               // sent = 1: the segment's descriptor comes with it
  nested_is,   // answer to nested: i32 status, text result_json
  noted,       // answer to emit and fail: i32 status
  ready = 32,  // u32 ok, i32 kind, text code, text message, text hint, text where
  table,       // u32 rank, text name
  nested,      // text tool, text args_json
  emit,        // text result_json
  fail,        // i32 kind, text code, text message, text hint
  progress,    // u64 done, u64 total
  log,         // i32 level, text
  done,        // i32 what the tool returned, u32 fit for another call
};

struct Message {
  MessageKind kind{};
  std::string payload{};
  store::Descriptor descriptor{};
};

struct FrameHeader {
  uint32_t payload_bytes;
  uint16_t kind;
  uint16_t flags;
};
inline constexpr uint16_t kMoreFollows = 1;     // the message goes on in the next frame
inline constexpr uint16_t kWithDescriptor = 2;  // a descriptor came with this frame

class PayloadWriter {
 public:
  PayloadWriter& u32(uint32_t value) { return raw(&value, sizeof value); }
  PayloadWriter& i32(int32_t value) { return raw(&value, sizeof value); }
  PayloadWriter& u64(uint64_t value) { return raw(&value, sizeof value); }
  PayloadWriter& text(std::string_view value);
  Message message(MessageKind kind) { return {kind, std::move(payload_)}; }

 private:
  PayloadWriter& raw(const void* data, size_t bytes);
  std::string payload_;
};

/// Reads in the order of writing. After something that is not there, everything reads as 0 or empty, and is_whole() is
/// false.
class PayloadReader {
 public:
  explicit PayloadReader(std::string_view payload) : rest_(payload) {}
  uint32_t u32() { return number<uint32_t>(); }
  int32_t i32() { return number<int32_t>(); }
  uint64_t u64() { return number<uint64_t>(); }
  /// Points into the payload.
  std::string_view text();
  /// All was there, and nothing is left over.
  bool is_whole() const { return whole_ && rest_.empty(); }

 private:
  template <class T>
  T number() {
    T value{};
    take(&value, sizeof value);
    return value;
  }
  void take(void* out, size_t bytes);

  std::string_view rest_;
  bool whole_ = true;
};

}  // namespace stepwise::sandbox
