// Plays a transcript against a server and says what went otherwise.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "protocol/transport/transport.h"
#include "tests/transcripts/client_end.h"
#include "tests/transcripts/transcript.h"

namespace stepwise::transcripts {

struct Exchange {
  std::vector<std::string> sent;      // by the client, whole messages
  std::vector<std::string> received;  // from the server, in the order of arrival
  std::string failure;                // empty: all as written; else line and what came instead
};

/// `serve` runs on a thread of its own until the input ends.
Exchange replay(const Transcript& transcript, ClientEnd& client,
                const std::function<void(transport::Transport&)>& serve);

}  // namespace stepwise::transcripts
