// Events of hand-made Kineto traces.
#pragma once

#include <string>
#include <vector>

#include "core/ingest/timeline/kineto_trace.h"
#include "core/ingest/timeline/trace_test_read.h"

namespace stepwise::ingest {

/// tid, ts and dur as they stand in the file.
inline std::string slice(const std::string& category, const std::string& name, const std::string& pid,
                         const std::string& tid, const std::string& ts, const std::string& dur,
                         const std::string& args = "") {
  return R"({"ph": "X", "cat": ")" + category + R"(", "name": ")" + name + R"(", "pid": )" + pid + R"(, "tid": )" +
         tid + R"(, "ts": )" + ts + R"(, "dur": )" + dur + (args.empty() ? "" : R"(, "args": {)" + args + "}") + "}";
}

inline std::string arrow(const char* phase, const std::string& category, const std::string& id, const std::string& pid,
                         const std::string& tid, const std::string& ts) {
  return std::string(R"({"ph": ")") + phase + R"(", "id": )" + id + R"(, "pid": )" + pid + R"(, "tid": )" + tid +
         R"(, "ts": )" + ts + R"(, "cat": ")" + category + R"(", "name": "launch", "bp": "e"})";
}

inline std::string list_of(const std::vector<std::string>& events) {
  std::string text = "[";
  for (const std::string& event : events) text += (text.size() == 1 ? "" : ",\n") + event;
  return text + "]";
}

/// before, behind: other keys of the object, as {"a": 1, "b": 2} has them between its brackets.
inline std::string trace_of(const std::vector<std::string>& events, const std::string& before = "",
                            const std::string& behind = "") {
  return "{" + (before.empty() ? "" : before + ", ") + "\"traceEvents\": " + list_of(events) +
         (behind.empty() ? "" : ", " + behind) + "}";
}

inline std::unique_ptr<TraceRead> read_kineto_text(const std::string& text, IngestOptions options = {.threads = 1}) {
  return read_trace_text(text, options, read_kineto_trace);
}

}  // namespace stepwise::ingest
