#include "core/engine/prose_guard.h"

#include <set>
#include <string>

#include "core/advice/gate/gate.h"
#include "core/advice/gate/mention.h"

namespace stepwise::engine {
namespace {

class Guard {
 public:
  explicit Guard(std::shared_ptr<const advice::Knowledge> knowledge)
      : gate_(std::move(knowledge), advice::Context{.mode = "undetermined"}) {}

  void text(std::string& text) {
    for (const advice::Mention& mention : gate_.finder().find(text)) {
      const advice::Verdict verdict = gate_.check({mention.name, mention.value});
      // A name alone may be a fact of the profile; a value is advice.
      const bool passes =
          mention.value ? verdict.decision == advice::Decision::accepted : verdict.rule != advice::GateRule::r1;
      if (passes) continue;
      left_out_.insert(mention.name);
      text = "(left out: it names " + mention.name + ", which did not pass the gate)";
      return;
    }
  }

  /// `schema`: of the value; null where nothing is said of it.
  void value(Json& value, const Json& schema) {
    if (schema.is_object() && schema.value("x-role", Json()) == "data") return;
    if (value.is_string()) {
      std::string words = value.get<std::string>();
      text(words);
      value = std::move(words);
    } else if (value.is_array()) {
      const Json items = schema.is_object() ? schema.value("items", Json()) : Json();
      for (Json& one : value) this->value(one, items);
    } else if (value.is_object()) {
      const Json properties = schema.is_object() ? schema.value("properties", Json::object()) : Json::object();
      for (auto& [key, one] : value.items()) this->value(one, properties.value(key, Json()));
    }
  }

  const std::set<std::string>& left_out() const { return left_out_; }

 private:
  advice::Gate gate_;
  std::set<std::string> left_out_;
};

}  // namespace

void guard_prose(const ToolDecl& tool, const std::shared_ptr<const advice::Knowledge>& knowledge, ToolResult& result) {
  Guard guard(knowledge);
  const Json properties = tool.output.value("properties", Json::object());
  for (auto& [key, value] : result.body.items()) guard.value(value, properties.value(key, Json()));
  const Json rows = properties.value("rows", Json());
  for (Json& row : result.rows) {
    const bool is_data = rows.is_object() && rows.value("x-role", Json()) == "data";
    if (!is_data) guard.value(row, rows.is_object() ? rows.value("items", Json()) : Json());
  }
  guard.text(result.text);
  for (Evidence& one : result.evidence) guard.text(one.says);
  for (Missing& one : result.missing) guard.text(one.costs);
  for (Warning& one : result.warnings) guard.text(one.text);
  for (Next& one : result.next) guard.text(one.why);
  for (const std::string& name : guard.left_out()) {
    result.warnings.push_back({"advice.left_out", "A text of `" + tool.name + "` named " + name +
                                                      " and was left out: see lookup_parameter."});
  }
}

}  // namespace stepwise::engine
