#include "stepwise/args.hpp"

#include <charconv>
#include <limits>

namespace stepwise::sdk {

std::optional<double> ProfileInfo::declared_number(std::string_view key) const {
  const Value value = declare[key];
  if (const auto number = value.number()) return number;
  const auto text = value.text();
  if (!text || text->empty()) return std::nullopt;
  double number = 0;
  const auto [end, ec] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (ec != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return number;
}

std::optional<std::string> ProfileInfo::declared_text(std::string_view key) const { return declare[key].text(); }

namespace {

std::vector<uint32_t> rank_list(const Value& list) {
  std::vector<uint32_t> ranks;
  for (size_t i = 0; i < list.size(); ++i) {
    const auto rank = list.at(i).integer();
    if (rank && *rank >= 0 && *rank <= std::numeric_limits<uint32_t>::max())
      ranks.push_back(static_cast<uint32_t>(*rank));
  }
  return ranks;
}

}  // namespace

std::vector<uint32_t> Args::ranks() const { return rank_list(object_["ranks"]); }

std::vector<uint32_t> Args::all_ranks() const { return rank_list(object_["all_ranks"]); }

ProfileInfo Args::profile() const {
  const Value profile = object_["profile"];
  ProfileInfo info;
  info.id = profile["id"].text().value_or("");
  info.kind = profile["kind"].text().value_or("");
  info.framework = profile["framework"].text().value_or("");
  info.declare = profile["declare"];
  // Text, since JSON readers in the field lose digits of integers past 2^53.
  if (const auto origin = profile["origin_ns"].text()) {
    int64_t ns = 0;
    const auto [end, ec] = std::from_chars(origin->data(), origin->data() + origin->size(), ns);
    if (ec == std::errc() && end == origin->data() + origin->size()) info.origin_ns = ns;
  }
  return info;
}

}  // namespace stepwise::sdk
