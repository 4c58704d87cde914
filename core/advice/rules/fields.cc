#include "core/advice/rules/fields.h"

namespace stepwise::advice {

void Fields::texts(const char* name, std::vector<std::string>& out, bool needed) {
  const Json* value = member(name, needed);
  if (value == nullptr) return;
  Entry::texts(name, out);
  if (needed && value->is_array() && value->empty()) fault(std::string("/") + name, "must not be empty.");
}

void Fields::both(const char* name, Text& out, bool needed) {
  const Json* value = member(name, needed);
  if (value == nullptr) return;
  Fields inner(*value, where() + "/" + name, faults());
  inner.text("en", out.en, true);
  inner.text("zh", out.zh, true);
  inner.refuse_others();
}

void Fields::condition(const char* name, Condition& out, bool needed) {
  const Json* value = member(name, needed);
  if (value == nullptr) return;
  auto parsed = condition_from_json(*value);
  if (parsed.ok()) {
    out = std::move(parsed).value();
    return;
  }
  Error error = parsed.take_error();
  error.where = where() + "/" + name + error.where;
  faults().push_back(std::move(error));
}

}  // namespace stepwise::advice
