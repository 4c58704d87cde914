#include "core/base/json.h"

#include <algorithm>

namespace stepwise {
namespace {

/// Deepest nesting of brackets outside of strings; of a text that is no JSON some figure.
int depth_of(std::string_view text) {
  int depth = 0, deepest = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return deepest;
}

}  // namespace

Result<Json> parse_json(std::string_view text, int max_depth) {
  // dump() recurses, so a value deeper than the limit must never come into being. The library can be told by a callback
  // while it parses, but then looks at all elements of a list after each of them.
  if (depth_of(text) > max_depth) {
    return Error{ErrorKind::limit, "json.depth",
                 "The JSON is nested deeper than " + std::to_string(max_depth) + " levels.", "", ""};
  }
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& e) {
    return Error{ErrorKind::bad_data, "json.syntax", "The text is not valid JSON.", "", "@" + std::to_string(e.byte)};
  } catch (const Json::out_of_range&) {
    return Error{ErrorKind::bad_data, "json.syntax", "The text is not valid JSON: a number is out of range.", "", ""};
  } catch (const Json::exception& e) {
    return Error{ErrorKind::bad_data, "json.syntax", std::string("The text is not valid JSON: ") + e.what(), "", ""};
  }
}

std::string dump_json(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string dump_json_pretty(const Json& value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace stepwise
