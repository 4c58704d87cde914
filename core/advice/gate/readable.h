// A Markdown text as its reader sees it: markup taken off, letters made plain, with the place of each byte.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stepwise::advice {

/// hidden: what no reader sees, or only who looks for it: comments, tags, addresses of links. It stands at the end,
/// each piece on a line of its own.
enum class Zone : uint8_t { prose, inline_code, block, hidden };

struct Readable {
  std::string text;
  std::vector<Zone> zones;           // of each byte
  std::vector<uint32_t> begin, end;  // of each byte: the bytes [begin, end) of what was given
  size_t steps = 0;                  // bytes looked at: the cost, for tests
};

/// Emphasis, tags, comments, escapes, links and entities are taken off, code keeps what stands in it. Look-alike
/// letters are replaced, what has no width goes. Linear; texts below 4 GiB.
Readable read_markdown(std::string_view text);

}  // namespace stepwise::advice
