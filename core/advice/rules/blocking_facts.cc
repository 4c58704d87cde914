#include "core/advice/rules/blocking_facts.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "core/advice/rules/answer_values.h"
#include "core/base/text.h"

namespace stepwise::advice {
namespace {

constexpr const char* kTool = "host_api";
constexpr size_t kMostPlaces = 3;

const Json& groups_of(const Answers& answers) {
  static const Json kNone = Json::array();
  const auto host = answers.find(kTool);
  return host == answers.end() ? kNone : list(host->second, "blocking");
}

/// "train.py(12): step" of a file of a program; nothing else, since a profile may say anything there.
void take_line(const std::string& source, Place& place) {
  const size_t open = source.rfind(".py(");
  if (open == source.npos) return;
  const size_t begin = open + 4, end = source.find(')', begin);
  if (end == source.npos) return;
  const auto line = to_integer(std::string_view(source).substr(begin, end - begin));
  const std::string file = source.substr(0, open + 3);
  const bool is_path = std::all_of(file.begin(), file.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-./\\+~ ").find(c) != std::string_view::npos;
  });
  if (!line || *line <= 0 || !is_path) return;
  place.file = file;
  place.line = *line;
}

/// "cudaMemcpyAsync in aten::copy_ of ## sparse_data_dist ##"
std::string how_of(const Json& group, std::string_view lang) {
  const std::string call = text(at(group, {"call"})), op = text(at(group, {"op"})),
                    within = text(at(group, {"within"}));
  if (lang == "zh") {
    const std::string outer = within.empty() ? "" : within + " 内 ";
    return outer + (op.empty() ? "" : op + " 中的 ") + call;
  }
  return call + (op.empty() ? "" : " in " + op) + (within.empty() ? "" : " of " + within);
}

}  // namespace

void add_blocking_facts(const Answers& answers, std::vector<Fact>& out) {
  const Json& groups = groups_of(answers);
  if (groups.empty()) return;
  out.push_back({"host.blocking_calls", at(groups.front(), {"call"}), kTool});
  double all_us = 0, copies_us = 0, waits_us = 0, allocations_us = 0;
  for (const Json& one : groups) {
    const double idle_us = number(at(one, {"device_idle_us"})).value_or(0);
    const std::string kind = text(at(one, {"kind"}));
    all_us += idle_us;
    if (kind == "copy") copies_us += idle_us;
    if (kind == "synchronisation" || kind == "read") waits_us += idle_us;
    if (kind == "allocation") allocations_us += idle_us;
  }
  out.push_back({"host.blocking_copy_ratio", quotient(copies_us, all_us), kTool});
  out.push_back({"host.blocking_wait_ratio", quotient(waits_us, all_us), kTool});
  out.push_back({"host.blocking_allocation_ratio", quotient(allocations_us, all_us), kTool});
}

Places places_of(const Answers& answers, std::string_view lang) {
  std::vector<Place> places;
  for (const Json& one : groups_of(answers)) {
    if (number(at(one, {"device_idle_us"})).value_or(0) <= 0 || places.size() == kMostPlaces) break;
    Place place{"", 0, how_of(one, lang)};
    take_line(text(at(one, {"source"})), place);
    places.push_back(std::move(place));
  }
  if (places.empty()) return {};
  return {{"host_blocks", std::move(places)}};
}

}  // namespace stepwise::advice
