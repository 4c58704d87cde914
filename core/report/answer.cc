#include "core/report/answer.h"

#include "core/base/text.h"

namespace stepwise::report {

const Json* find_value(const Json& object, std::string_view dotted_path) {
  const Json* at = &object;
  while (true) {
    const size_t dot = dotted_path.find('.');
    if (!at->is_object()) return nullptr;
    const auto next = at->find(std::string(dotted_path.substr(0, dot)));
    if (next == at->end() || next->is_null()) return nullptr;
    at = &*next;
    if (dot == std::string_view::npos) return at;
    dotted_path.remove_prefix(dot + 1);
  }
}

std::optional<double> find_number(const Json& object, std::string_view dotted_path) {
  const Json* value = find_value(object, dotted_path);
  if (!value || !value->is_number()) return std::nullopt;
  return value->get<double>();
}

std::string find_text(const Json& object, std::string_view dotted_path) {
  const Json* value = find_value(object, dotted_path);
  if (value && value->is_object()) value = find_value(*value, "value");
  return value && value->is_string() ? to_valid_utf8(value->get_ref<const std::string&>()) : "";
}

const Json& find_list(const Json& object, std::string_view dotted_path) {
  static const Json kNone = Json::array();
  const Json* value = find_value(object, dotted_path);
  return value && value->is_array() ? *value : kNone;
}

}  // namespace stepwise::report
