#include "core/base/json.h"

#include <limits>

namespace stepwise {
namespace {

struct TooDeep {};

}  // namespace

Result<Json> parse_json(std::string_view text, int max_depth) {
  try {
    // dump() recurses, so a value deeper than the limit must never come into being.
    auto guard = [max_depth](int depth, Json::parse_event_t event, Json&) {
      const bool opens = event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start;
      if (opens && depth >= max_depth) throw TooDeep{};
      return true;
    };
    return Json::parse(text, guard);
  } catch (const TooDeep&) {
    return Error{ErrorKind::limit, "json.depth",
                 "The JSON is nested deeper than " + std::to_string(max_depth) + " levels.", "", ""};
  } catch (const Json::parse_error& e) {
    return Error{ErrorKind::bad_data, "json.syntax", "The text is not valid JSON.", "", "@" + std::to_string(e.byte)};
  } catch (const Json::exception& e) {
    return Error{ErrorKind::bad_data, "json.syntax", std::string("The text is not valid JSON: ") + e.what(), "", ""};
  }
}

std::string dump_json(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string dump_json_pretty(const Json& value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace stepwise
