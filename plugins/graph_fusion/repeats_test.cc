// The search against hand-made sequences, against a naive search of every window and chain, and its cost.
#include "repeats.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>

#include "tests/catch.h"

using namespace stepwise::graph_fusion;

namespace {

/// Types as letters; edges as pairs of positions; -1 consumers where there are several.
Sequence sequence_of(const std::string& letters, const std::vector<std::pair<uint32_t, uint32_t>>& edges) {
  Sequence sequence;
  for (const char letter : letters) sequence.types.push_back(letter);
  sequence.earlier.resize(letters.size());
  sequence.only_consumer.assign(letters.size(), -1);
  std::vector<int> consumers(letters.size(), 0);
  for (const auto& [from, to] : edges) {
    sequence.earlier[to].push_back(from);
    sequence.only_consumer[from] = ++consumers[from] == 1 ? int64_t{to} : -1;
  }
  for (auto& one : sequence.earlier) std::sort(one.begin(), one.end());
  return sequence;
}

Sequence chained(const std::string& letters) {
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  for (uint32_t i = 1; i < letters.size(); ++i) edges.emplace_back(i - 1, i);
  return sequence_of(letters, edges);
}

std::string word(const Sequence& sequence, const std::vector<uint32_t>& positions) {
  std::string out;
  for (const uint32_t p : positions) out += static_cast<char>(sequence.types[p]);
  return out;
}

/// "AB 3/4": disjoint and overlapping counts.
std::vector<std::string> told(const Sequence& sequence, const RepeatOptions& options = {}) {
  std::vector<std::string> out;
  for (const Repeat& one : find_repeats(sequence, options, [] { return false; }).repeats) {
    out.push_back(word(sequence, positions_of(sequence, one.instances[0], one.length)) + " " +
                  std::to_string(one.instances.size()) + "/" + std::to_string(one.count_overlapping));
  }
  std::sort(out.begin(), out.end());
  return out;
}

using Words = std::vector<std::string>;
using Positions = std::vector<uint32_t>;

bool is_connected(const Sequence& sequence, const Positions& window) {
  std::vector<size_t> part(window.size());
  for (size_t i = 0; i < part.size(); ++i) part[i] = i;
  for (size_t i = 0; i < window.size(); ++i) {
    for (const uint32_t other : sequence.earlier[window[i]]) {
      if (other < window[0]) continue;
      const size_t from = part[other - window[0]], to = part[i];
      std::replace(part.begin(), part.end(), from, to);
    }
  }
  return std::all_of(part.begin(), part.end(), [&](size_t one) { return one == part[0]; });
}

struct Found {
  std::vector<Positions> instances;
  size_t disjoint = 0;
};

/// Everything by its definition, as slow as it gets.
Words naive(const Sequence& sequence, const RepeatOptions& options) {
  std::map<std::string, Found> all;
  const auto size = static_cast<uint32_t>(sequence.types.size());
  for (uint32_t start = 0; start < size; ++start) {
    Positions window, chain;
    int64_t at = start;
    for (uint32_t length = 1; length <= options.max_length; ++length) {
      if (start + length <= size) window.push_back(start + length - 1);
      const bool is_window = window.size() == length && (!sequence.has_edges || is_connected(sequence, window));
      if (at >= 0) chain.push_back(static_cast<uint32_t>(at));
      const bool is_chain = chain.size() == length && chain != window;
      if (at >= 0) at = sequence.only_consumer[static_cast<size_t>(at)];
      if (length < options.min_length) continue;
      if (is_window) all[word(sequence, window)].instances.push_back(window);
      if (is_chain) all[word(sequence, chain)].instances.push_back(chain);
    }
  }
  for (auto& [letters, found] : all) {
    std::vector<bool> used(size, false);
    for (const Positions& one : found.instances) {
      if (std::any_of(one.begin(), one.end(), [&](uint32_t p) { return used[p]; })) continue;
      for (const uint32_t p : one) used[p] = true;
      ++found.disjoint;
    }
  }
  Words out;
  for (const auto& [letters, found] : all) {
    if (found.disjoint < options.min_count) continue;
    bool is_closed = true;
    for (const auto& [longer, other] : all) {
      if (longer.size() <= letters.size() || other.instances.size() != found.instances.size() ||
          other.disjoint != found.disjoint) {
        continue;
      }
      for (size_t left = 0; left + letters.size() <= longer.size(); ++left) {
        const bool all_lie = std::all_of(found.instances.begin(), found.instances.end(), [&](const Positions& one) {
          return std::any_of(other.instances.begin(), other.instances.end(), [&](const Positions& around) {
            return std::equal(one.begin(), one.end(), around.begin() + static_cast<std::ptrdiff_t>(left));
          });
        });
        is_closed = is_closed && !all_lie;
      }
    }
    if (is_closed) {
      out.push_back(letters + " " + std::to_string(found.disjoint) + "/" + std::to_string(found.instances.size()));
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Layers of one wiring, as models have them, with some noise.
Sequence random_graph(std::mt19937& random, uint32_t size, uint32_t letters, double noise) {
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  const uint32_t layer = 3 + below(6);
  std::string text;
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  std::string types;
  std::vector<uint32_t> back;
  for (uint32_t i = 0; i < layer; ++i) {
    types += static_cast<char>('A' + below(letters));
    back.push_back(1 + below(4));
  }
  const auto is_noise = [&] { return random() % 1000 < noise * 1000; };
  for (uint32_t i = 0; i < size; ++i) {
    text += is_noise() ? static_cast<char>('A' + below(letters)) : types[i % layer];
    const uint32_t distance = is_noise() ? 1 + below(5) : back[i % layer];
    if (distance <= i) edges.emplace_back(i - distance, i);
    if (below(4) == 0 && i >= 6) edges.emplace_back(i - 6, i);
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return sequence_of(text, edges);
}

}  // namespace

TEST_CASE("repeats: a chain of layers gives the layer, not its parts") {
  CHECK(told(chained("ABCxABCyABC")) == Words{"ABC 3/3"});
  // With the operator around it in two of three places, both are told.
  CHECK(told(chained("xABCxABCyABC")) == Words{"ABC 3/3", "xABC 2/2"});
  CHECK(told(chained("ABCD")).empty());
  CHECK(told(chained("")).empty());
}

TEST_CASE("repeats: disjoint and overlapping counts differ where a sequence overlaps itself") {
  CHECK(told(chained("AAAAA")) == Words{"AA 2/4"});  // AAA: one disjoint only
  CHECK(told(chained("ABABA")) == Words{"AB 2/2", "BA 2/2"});
}

TEST_CASE("repeats: what is adjacent but not connected is no instance") {
  // A and B side by side three times, connected in two of them only.
  CHECK(told(sequence_of("ABxAByAB", {{0, 1}, {3, 4}})) == Words{"AB 2/2"});
  // Two branches are connected by their end: no AB, but ABC; AC is a chain around B.
  CHECK(told(sequence_of("ABCABC", {{0, 2}, {1, 2}, {3, 5}, {4, 5}})) == Words{"ABC 2/2", "AC 2/2"});
}

TEST_CASE("repeats: a chain may stand apart in the order; an operator with two consumers ends one") {
  // A0 -> B2 and A1 -> B3, interleaved.
  CHECK(told(sequence_of("AABB", {{0, 2}, {1, 3}})) == Words{"AB 2/2"});
  // A0 feeds two: no chain begins there, and 0 and 2 are no window.
  CHECK(told(sequence_of("AABBC", {{0, 2}, {0, 4}, {1, 3}})).empty());
}

TEST_CASE("repeats: without edges the plain order decides") {
  Sequence sequence = sequence_of("ABzABz", {});
  CHECK(told(sequence).empty());
  sequence.has_edges = false;
  CHECK(told(sequence) == Words{"ABz 2/2"});
}

TEST_CASE("repeats: lengths and counts select") {
  const Sequence sequence = chained("ABCABCyABxAB");
  CHECK(told(sequence) == Words{"AB 4/4", "ABC 2/2"});
  CHECK(told(sequence, {2, 2, 2}) == Words{"AB 4/4", "BC 2/2"});  // nothing longer holds BC
  CHECK(told(sequence, {3, 20, 2}) == Words{"ABC 2/2"});
  CHECK(told(sequence, {2, 20, 3}) == Words{"AB 4/4"});
}

TEST_CASE("repeats: as a naive search finds them, on random graphs") {
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    const Sequence sequence = random_graph(random, 10 + random() % 50, 2 + random() % 4, (random() % 4) * 0.1);
    RepeatOptions options;
    options.max_length = 4 + random() % 8;
    options.min_count = 2 + random() % 2;
    INFO("round " << round << ": " << std::string(sequence.types.begin(), sequence.types.end()));
    CHECK(told(sequence, options) == naive(sequence, options));
  }
}

TEST_CASE("repeats: the cost grows with the operators, not faster") {
  for (const double noise : {0.0, 0.02, 1.0}) {
    uint64_t steps[2];
    for (const int large : {0, 1}) {
      std::mt19937 random(3);
      const Sequence sequence = random_graph(random, large == 0 ? 5'000 : 50'000, 12, noise);
      steps[large] = find_repeats(sequence, {}, [] { return false; }).steps;
    }
    INFO(noise << ": " << steps[0] << " and " << steps[1]);
    CHECK(steps[1] < steps[0] * 11);
    CHECK(steps[1] < 50'000u * 20 * 20);
  }
}

TEST_CASE("repeats: an operator that many feed does not cost more") {
  uint64_t steps[2];
  for (const int large : {0, 1}) {
    // Many operators feed each hub, and each hub the next one.
    const uint32_t size = large == 0 ? 4'000 : 40'000, per_hub = size / 4;
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    std::string letters;
    for (uint32_t i = 0; i < size; ++i) {
      const bool is_hub = i % per_hub == per_hub - 1;
      letters += is_hub ? 'H' : static_cast<char>('A' + i % 2);
      const uint32_t hub = i - i % per_hub + per_hub - 1;
      if (!is_hub) edges.emplace_back(i, hub);
      if (is_hub && hub + per_hub < size) edges.emplace_back(i, hub + per_hub);
    }
    const RepeatResult result = find_repeats(sequence_of(letters, edges), {}, [] { return false; });
    CHECK_FALSE(result.repeats.empty());
    steps[large] = result.steps;
  }
  INFO(steps[0] << " and " << steps[1]);
  CHECK(steps[1] < steps[0] * 11);
}

TEST_CASE("repeats: a cancelled search ends") {
  int asked = 0;
  find_repeats(chained(std::string(1000, 'A')), {}, [&] { return ++asked > 1; });
  CHECK(asked <= 4);
}
