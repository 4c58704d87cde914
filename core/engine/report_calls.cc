#include "core/engine/report_calls.h"

#include <algorithm>

#include "core/report/answer.h"
#include "core/report/plan.h"

namespace stepwise::engine {
namespace {

/// The plan's arguments as far as the tool takes them, and the report's language where the tool writes texts in it.
Json arguments_for(const ToolDecl& tool, Json planned, report::Lang lang) {
  const auto takes = [&](const std::string& name) {
    return tool.input.contains("properties") && tool.input["properties"].contains(name);
  };
  for (auto it = planned.begin(); it != planned.end();) it = takes(it.key()) ? std::next(it) : planned.erase(it);
  if (takes("lang")) planned["lang"] = lang == report::Lang::zh ? "zh" : "en";
  return planned;
}

}  // namespace

bool applies_unplanned(const ToolDecl& tool) {
  if (tool.plugin.empty() || !tool.needs_profile || report::is_planned(tool.name)) return false;
  const auto read_only = tool.annotations.find("readOnlyHint");
  if (read_only == tool.annotations.end() || *read_only != true) return false;
  const auto required = tool.input.find("required");
  return required == tool.input.end() ||
         std::ranges::all_of(*required, [](const Json& name) { return name == "profile"; });
}

Result<std::vector<report::ChapterResult>> ask_for_report(const Registry& registry, report::Lang lang,
                                                          const AskTool& ask) {
  std::vector<report::ChapterResult> results;
  const auto add = [&](const ToolDecl& tool, std::string_view chapter, const Json& planned,
                       report::Asked asked) -> Result<void> {
    report::ChapterResult result;
    result.chapter = chapter;
    result.tool = tool.name;
    result.title = tool.title;
    result.columns = tool.view.columns;
    result.arguments = arguments_for(tool, planned, lang);
    auto answer = ask(tool, result.arguments);
    if (answer.ok()) {
      result.answer = std::move(answer).value();
    } else if (answer.error().kind == ErrorKind::cancelled) {
      return answer.take_error();
    } else {
      result.error = answer.take_error();
    }
    const bool applies = report::find_text(result.answer, "status") != "not_applicable";
    if (applies || asked == report::Asked::always) results.push_back(std::move(result));
    return {};
  };
  for (const report::PlannedCall& planned : report::plan()) {
    const RegisteredTool* tool = registry.find(planned.tool);
    auto arguments = parse_json(planned.arguments_json);
    if (tool == nullptr || !arguments.ok()) continue;
    SW_RETURN_IF_ERROR(add(tool->decl, planned.chapter, arguments.value(), planned.asked));
  }
  for (const auto& [name, tool] : registry.tools()) {
    if (!applies_unplanned(tool.decl)) continue;
    SW_RETURN_IF_ERROR(add(tool.decl, name, Json::object(), report::Asked::always));
  }
  return results;
}

}  // namespace stepwise::engine
