// A conversation with a server, written for people: what the client sends, and what must come back.
//
//   # Any comment.
//   {"jsonrpc": "2.0", "id": 1, "method": "ping"}
//   #< {"id": 1, "result": {}}
//   ---
//
// Messages are in the readable framing (divided by lines `---`, lines with # are comments), so that a transcript is
// also valid input of that transport. What the runner wants beyond that stands in comments:
//   #< JSON            a message that must come now, as a pattern (match.h); several may come in any order
//   #! raw TEXT        send this text; \xHH, \n, \r and \\ stand for bytes
//   #! huge N          send a message of N bytes
//   #! unfinished TEXT send this text without the frame's end, then end the input
// At its end the input ends, and no message may come that was not expected.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"

namespace stepwise::transcripts {

struct Send {
  std::string text;
  bool finished = true;
};
struct Expect {
  std::vector<Json> patterns;
};
struct Step {
  size_t line = 0;  // where it begins in the file
  std::variant<Send, Expect> what;
};

struct Transcript {
  std::string name;
  std::vector<Step> steps;
};

/// Errors: bad_data `transcript.*`, io; where = file:line.
Result<Transcript> parse_transcript(std::string name, std::string_view text);
Result<Transcript> read_transcript(const std::filesystem::path& file);

}  // namespace stepwise::transcripts
