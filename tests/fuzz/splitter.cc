// The splitter of traces: the same events and losses whatever the chunks and windows; each event is a whole JSON
// object.
#include <algorithm>
#include <cstring>
#include <string>
#include <tuple>
#include <vector>

#include "core/ingest/base/splitter.h"
#include "tests/fuzz/target.h"

namespace stepwise::fuzz {
namespace {

using namespace ingest;

struct Cut {
  std::vector<std::string> events;
  std::vector<std::tuple<Diag, uint64_t>> losses;
  friend bool operator==(const Cut&, const Cut&) = default;
};

Cut cut(std::string_view bytes, size_t window_bytes, size_t chunk_bytes) {
  Cut out;
  EventSplitter splitter(window_bytes);
  const auto take_window = [&] {
    const TraceWindow window = splitter.take();
    for (size_t i = 0; i < window.events.size(); ++i) out.events.emplace_back(window.event(i));
    for (const Loss& loss : window.losses) out.losses.emplace_back(loss.diag, loss.offset);
  };
  while (!bytes.empty() && !splitter.gave_up()) {
    while (splitter.window_ready()) take_window();
    const auto room = splitter.room();
    const size_t count = std::min({room.size(), bytes.size(), chunk_bytes});
    std::memcpy(room.data(), bytes.data(), count);
    splitter.commit(count);
    bytes.remove_prefix(count);
  }
  splitter.finish();
  take_window();
  while (splitter.window_ready()) take_window();
  std::sort(out.losses.begin(), out.losses.end());
  return out;
}

}  // namespace

void run_splitter(std::string_view target, std::string_view bytes) {
  const Cut whole = cut(bytes, limits::kTraceWindowBytes, limits::kTraceWindowBytes);
  demand(cut(bytes, 64, 1) == whole, target, "events or losses depend on the windows");
  demand(cut(bytes, 100, 37) == whole, target, "events or losses depend on the chunks");
  for (const std::string& event : whole.events) {
    demand(event.starts_with('{') && event.ends_with('}'), target, "an event is no object");
  }
}

}  // namespace stepwise::fuzz
