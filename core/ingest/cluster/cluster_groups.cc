// communication_group.json: {"collective": [[ranks]...], "p2p": [[ranks]...], "comm_group_parallel_info": [{...}]}.
// The last, which only newer files have, names the groups of the lists before.
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/ingest/base/rank_set.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/cluster/cluster_rows.h"

namespace stepwise::ingest {
namespace {

class Parser {
 public:
  Parser(const std::string& file, IngestContext& context) : summary_(file, context) {}

  Result<void> run(const std::filesystem::path& file) {
    constexpr int kGroupDepth = 3;  // a group's object lies in a list and the root
    const auto take = [this](std::string_view key, JsonNode value, int64_t place) {
      if (key == "comm_group_parallel_info") {
        return summary_.each_element(value, place, "its list of named groups is none",
                                     [this](JsonNode group) { return read_named(group); });
      }
      if (key != "collective" && key != "p2p") return Walk::done;
      return summary_.each_element(value, place, "a kind of groups is no list",
                                   [&](JsonNode group) { return read_listed(std::string(key), group); });
    };
    SW_RETURN_IF_ERROR(summary_.read_fields(file, kGroupDepth, take));
    return {};
  }

  void append(const std::string& file, store::SegmentBuilder& out) {
    std::multiset<std::pair<std::string, std::string>> named;  // kind, ranks
    for (const CommGroup& group : named_) named.emplace(group.kind, group.ranks);
    for (const CommGroup& group : listed_) {
      const auto same = named.find({group.kind, group.ranks});
      if (same == named.end()) {
        append_group(group, file, out);
      } else {
        named.erase(same);
      }
    }
    for (const CommGroup& group : named_) append_group(group, file, out);
  }

 private:
  /// nullopt: counted.
  Walk read_ranks(JsonNode value, int64_t place, std::optional<std::string>& out) {
    std::vector<int64_t> ranks;
    bool is_whole = true;
    const auto take = [&](JsonNode rank) {
      const auto number = rank.scaled(0);
      is_whole &= number && *number >= 0;
      ranks.push_back(number.value_or(0));
      return Walk::done;
    };
    const Walk walk = summary_.each_element(value, place, "a group is no list of ranks", take);
    if (walk != Walk::done) return walk;
    if (is_whole && !ranks.empty()) {
      out = to_text(std::move(ranks));
    } else {
      summary_.count_shape(place, "First: a group has no ranks, or one that is no number.");
    }
    return Walk::done;
  }

  Walk read_listed(std::string kind, JsonNode value) {
    const int64_t place = summary_.place_of(value);
    std::optional<std::string> ranks;
    const Walk walk = read_ranks(value, place, ranks);
    if (ranks) listed_.push_back({std::move(kind), *ranks, {}, {}, {}, place});
    return walk;
  }

  Walk read_named(JsonNode value) {
    CommGroup group;
    group.place = summary_.place_of(value);
    std::optional<std::string> kind, ranks;
    bool has_ranks = false;
    const auto take = [&](std::string_view key, JsonNode cell, int64_t place) {
      if (key == "type") kind = cell.text();
      if (key == "group_name") group.hash = cell.text();
      if (key == "group_id") group.name = cell.text();
      if (key == "pg_name") group.parallel = cell.text();
      if (key != "rank_set") return Walk::done;
      has_ranks = true;
      return read_ranks(cell, place, ranks);
    };
    const Walk walk = summary_.each_field(value, group.place, "a named group", take);
    if (walk != Walk::done) return walk;
    if (kind && ranks) {
      group.kind = *kind;
      group.ranks = *ranks;
      named_.push_back(std::move(group));
    } else if (!kind || !has_ranks) {
      summary_.count_shape(group.place, "First: a named group lacks its type or its ranks.");
    }
    return Walk::done;
  }

  JsonSummary summary_;
  std::vector<CommGroup> listed_, named_;
};

}  // namespace

Result<void> read_cluster_groups(const std::filesystem::path& file, const std::string& relative_path,
                                 IngestContext& context, store::SegmentBuilder& out) {
  Parser parser(relative_path, context);
  SW_RETURN_IF_ERROR(parser.run(file));
  parser.append(relative_path, out);
  return {};
}

}  // namespace stepwise::ingest
