#include "tests/transcripts/replay.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "core/base/text.h"
#include "tests/transcripts/match.h"

namespace stepwise::transcripts {
namespace {

class Replay {
 public:
  Replay(const Transcript& transcript, ClientEnd& client) : transcript_(transcript), client_(client) {}

  Exchange run() {
    for (const Step& step : transcript_.steps) {
      if (!play(step)) break;
    }
    if (!ended_) client_.end();
    while (auto message = client_.take()) {
      if (exchange_.failure.empty()) fail(0, "not expected: " + shorten(*message, 300));
      exchange_.received.push_back(std::move(*message));
    }
    return std::move(exchange_);
  }

 private:
  bool play(const Step& step) {
    if (const auto* expected = std::get_if<Expect>(&step.what)) return expect(step.line, *expected);
    const auto& send = std::get<Send>(step.what);
    if (ended_) return fail(step.line, "nothing can be sent after the end of the input");
    exchange_.sent.push_back(send.text);
    if (send.finished) {
      client_.put(send.text);
    } else {
      client_.put_unfinished(send.text);
      client_.end();
      ended_ = true;
    }
    return true;
  }

  bool expect(size_t line, const Expect& expected) {
    std::vector<Json> left = expected.patterns;
    while (!left.empty()) {
      const auto text = client_.take();
      if (!text) return fail(line, "nothing came; expected " + dump_json(left.front()));
      exchange_.received.push_back(*text);
      const auto message = parse_json(*text);
      if (!message.ok()) return fail(line, "no JSON: " + shorten(*text, 300));
      std::string why;
      const auto fits = [&](const Json& pattern) {
        const std::string bad = mismatch(pattern, message.value());
        if (!bad.empty()) why += "\n  " + bad;
        return bad.empty();
      };
      const auto found = std::find_if(left.begin(), left.end(), fits);
      if (found == left.end()) return fail(line, "came " + shorten(*text, 500) + why);
      left.erase(found);
    }
    return true;
  }

  bool fail(size_t line, const std::string& what) {
    exchange_.failure = transcript_.name + (line > 0 ? ":" + std::to_string(line) : " at its end") + ": " + what;
    return false;
  }

  const Transcript& transcript_;
  ClientEnd& client_;
  bool ended_ = false;
  Exchange exchange_;
};

}  // namespace

Exchange replay(const Transcript& transcript, ClientEnd& client,
                const std::function<void(transport::Transport&)>& serve) {
  std::thread server([&] {
    serve(client.server_end());
    client.server_done();
  });
  Exchange exchange = Replay(transcript, client).run();
  server.join();
  return exchange;
}

}  // namespace stepwise::transcripts
