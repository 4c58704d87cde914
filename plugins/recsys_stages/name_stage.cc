#include "name_stage.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "keywords.h"
#include "name_words.h"

namespace stepwise::recsys_stages {
namespace {

struct Hit {
  const Keyword* keyword;
  size_t begin, end;
};

bool fits(const NameWords& words, Edge edge, size_t begin, size_t end) {
  switch (edge) {
    case Edge::start:
      return words.begins[begin];
    case Edge::whole:
      return words.begins[begin] && words.ends[end - 1];
    case Edge::end:
      return words.ends[end - 1];
    case Edge::any:
      break;
  }
  return true;
}

// The more specific keyword hides those inside it: `zero_grad` is no gradient, `adagrad` neither.
std::vector<Hit> find_keywords(const NameWords& words) {
  std::vector<Hit> hits;
  for (const Keyword& keyword : kKeywords) {
    for (size_t at = words.text.find(keyword.text); at != std::string::npos;
         at = words.text.find(keyword.text, at + 1)) {
      const size_t end = at + keyword.text.size();
      if (fits(words, keyword.edge, at, end)) hits.push_back({&keyword, at, end});
    }
  }
  std::vector<Hit> open;
  for (const Hit& hit : hits) {
    const auto hides = [&hit](const Hit& other) {
      return other.begin <= hit.begin && hit.end <= other.end && other.end - other.begin > hit.end - hit.begin;
    };
    if (hit.keyword->weight != Weight::mask && std::none_of(hits.begin(), hits.end(), hides)) open.push_back(hit);
  }
  return open;
}

Stage decide(const std::vector<Hit>& hits) {
  const auto has = [&hits](Weight weight) {
    return std::any_of(hits.begin(), hits.end(), [weight](const Hit& hit) { return hit.keyword->weight == weight; });
  };
  const auto longer = [](const Hit& a, const Hit& b) {
    const size_t a_size = a.end - a.begin, b_size = b.end - b.begin;
    return a_size != b_size ? a_size > b_size : a.begin < b.begin;
  };
  std::vector<Hit> ranked = hits;
  std::stable_sort(ranked.begin(), ranked.end(), longer);
  for (const Hit& hit : ranked) {
    if (hit.keyword->weight == Weight::decides) return hit.keyword->stage;
  }
  if (has(Weight::gradient)) return has(Weight::embedding) ? Stage::update_embedding : Stage::backward;
  return ranked.empty() ? Stage::unclassified : ranked.front().keyword->stage;
}

// The longest that begins a word of the name; nullptr: none does.
const OwnKeyword* longest_of(const Vocabulary& own, const NameWords& words) {
  const OwnKeyword* longest = nullptr;
  for (const OwnKeyword& keyword : own) {
    for (size_t at = words.text.find(keyword.text); at != std::string::npos;
         at = words.text.find(keyword.text, at + 1)) {
      const bool is_longer = longest == nullptr || keyword.text.size() > longest->text.size();
      if (words.begins[at] && is_longer) longest = &keyword;
    }
  }
  return longest;
}

// A gradient stays one: what a user calls forward is backward in `tower_backward`, and embedding an update.
Stage decide_own(const OwnKeyword& own, const std::vector<Hit>& hits) {
  const bool gradient =
      std::any_of(hits.begin(), hits.end(), [](const Hit& hit) { return hit.keyword->weight == Weight::gradient; });
  if (gradient && own.stage == Stage::embedding_fetch) return Stage::update_embedding;
  if (gradient && own.stage == Stage::forward) return Stage::backward;
  return own.stage;
}

bool begins_with(std::string_view name, std::string_view lower_prefix) {
  return name.size() >= lower_prefix.size() &&
         std::equal(lower_prefix.begin(), lower_prefix.end(), name.begin(), [](char prefix, char c) {
           return prefix == static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
         });
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

bool is_no_range(std::string_view name) {
  return begins_with(name, "profilerstep") || begins_with(name, "enqueue") || begins_with(name, "dequeue") ||
         contains(name, ".py(") || contains(name, ".py:") || name.ends_with(".py");
}

Collective collective_kind(std::string_view name) {
  const NameWords words(name);
  if (contains(words.text, "alltoall") || contains(words.text, "all2all")) return Collective::all_to_all;
  if (contains(words.text, "allreduce")) return Collective::all_reduce;
  if (contains(words.text, "allgather")) return Collective::all_gather;
  return Collective::other;
}

NameVerdict judge_name(std::string_view name, const Vocabulary& own) {
  if (is_no_range(name)) return {};
  for (const std::string_view prefix : kCollectivePrefixes) {
    if (begins_with(name, prefix)) return {Stage::unclassified, collective_kind(name)};
  }
  const NameWords words(name);
  const std::vector<Hit> hits = find_keywords(words);
  const OwnKeyword* keyword = longest_of(own, words);
  if (keyword == nullptr) return {decide(hits), Collective::none};
  return {decide_own(*keyword, hits), Collective::none};
}

std::optional<WaitKind> wait_kind(std::string_view name) {
  if (is_no_range(name)) return std::nullopt;
  if (name == "aten::item" || name == "aten::_local_scalar_dense") return WaitKind::synchronization;
  const NameWords words(name);
  if (contains(words.text, "synchronize")) return WaitKind::synchronization;
  const bool waits = words.text.starts_with("wait") || name.ends_with(".result") || contains(name, ".result(") ||
                     contains(name, " wait()") || name.ends_with(".wait") || contains(name, ".wait(");
  return waits ? std::optional(WaitKind::result) : std::nullopt;
}

}  // namespace stepwise::recsys_stages
