// stepwise analyze: the main job. Opens a profile, asks every analysis that applies, prints one screen, writes a
// report.
#include <algorithm>
#include <filesystem>
#include <system_error>

#include "clients/cli/caller.h"
#include "clients/cli/commands.h"
#include "clients/cli/host.h"
#include "clients/cli/report_files.h"
#include "clients/cli/summary.h"
#include "core/report/answer.h"
#include "core/report/digest.h"
#include "core/report/markdown.h"
#include "core/report/model.h"
#include "core/report/plan.h"

namespace stepwise::cli {
namespace {

namespace fs = std::filesystem;

/// A tool that needs nothing but a profile and changes nothing: an analysis that came after the plan was written.
bool applies_unplanned(const engine::ToolDecl& decl) {
  if (decl.plugin.empty() || !decl.needs_profile || report::is_planned(decl.name)) return false;
  const auto read_only = decl.annotations.find("readOnlyHint");
  if (read_only == decl.annotations.end() || *read_only != true) return false;
  const auto required = decl.input.find("required");
  return required == decl.input.end() ||
         std::ranges::all_of(*required, [](const Json& name) { return name == "profile"; });
}

report::ChapterResult ask(Caller& caller, const engine::ToolDecl& decl, std::string chapter, Json arguments,
                          const std::string& profile_id) {
  report::ChapterResult result;
  result.chapter = std::move(chapter);
  result.tool = decl.name;
  result.title = decl.title;
  result.columns = decl.view.columns;
  result.arguments = arguments;
  arguments["profile"] = profile_id;
  engine::Answer answer = caller.call(decl.name, std::move(arguments));
  result.answer = std::move(answer.structured);
  result.error = std::move(answer.error);
  return result;
}

/// Stops early when a signal came; what is there then is of no use.
std::vector<report::ChapterResult> ask_all(Caller& caller, const engine::Registry& registry,
                                           const std::string& profile_id) {
  std::vector<report::ChapterResult> results;
  for (const report::PlannedCall& planned : report::plan()) {
    const engine::RegisteredTool* tool = registry.find(planned.tool);
    auto arguments = parse_json(planned.arguments_json);
    if (tool == nullptr || !arguments.ok()) continue;
    auto result = ask(caller, tool->decl, std::string(planned.chapter), std::move(arguments).value(), profile_id);
    if (caller.stopped()) return results;
    const bool applies = report::find_text(result.answer, "status") != "not_applicable";
    if (applies || planned.asked == report::Asked::always) results.push_back(std::move(result));
  }
  for (const auto& [name, tool] : registry.tools()) {
    if (!applies_unplanned(tool.decl)) continue;
    results.push_back(ask(caller, tool.decl, name, Json::object(), profile_id));
    if (caller.stopped()) return results;
  }
  return results;
}

std::string profile_name(const std::string& path) {
  std::error_code ec;
  const fs::path real = fs::canonical(path, ec);
  const std::string name = real.filename().string();
  return ec || name.empty() ? path : name;
}

/// No analysis gave anything. Where each failed, the first failure is the reason; else the profile is.
Error nothing_readable(const std::string& path, const std::vector<report::ChapterResult>& results,
                       const report::Digest& facts) {
  const bool all_failed =
      !results.empty() && std::ranges::all_of(results, [](const auto& result) { return result.error.has_value(); });
  if (all_failed) return *results.front().error;
  std::vector<std::string> reasons;
  for (const auto* list : {&facts.failures, &facts.warnings, &facts.missing}) {
    for (const report::Digest::Text& one : *list) {
      if (std::ranges::find(reasons, one.text) == reasons.end()) reasons.push_back(one.text);
    }
  }
  std::string message = "Nothing in the profile could be analyzed.";
  for (const std::string& reason : reasons) message += " " + reason;
  return {ErrorKind::bad_data, "analyze.nothing_readable", std::move(message),
          "See its files with: stepwise call open_profile --profile " + path, path};
}

std::vector<ReportFile> report_files(const AnalyzeArguments& arguments, const Json& model) {
  std::vector<ReportFile> files;
  if (arguments.write_markdown) files.push_back({"report.md", report::to_markdown(model, arguments.lang)});
  if (arguments.write_json) files.push_back({"report.json", dump_json_pretty(model)});
  return files;
}

SummaryPlace place_of(const WrittenReport& written) {
  SummaryPlace place{{}, written.note};
  for (const fs::path& file : written.files) place.files.push_back(file.lexically_normal().string());
  return place;
}

}  // namespace

int run(const AnalyzeArguments& arguments, const Invocation& invocation) {
  Console& console = invocation.console;
  auto engine = start_engine(invocation.globals);
  if (!engine.ok()) return console.fail(engine.error());
  Caller caller(*engine.value(), console, invocation.stop, !invocation.globals.quiet);
  engine::Answer opened = caller.call("open_profile", arguments.opening.for_path(arguments.path));
  if (opened.error) return console.fail(*opened.error);
  const std::string id = opened.structured.value("id", std::string());

  // A signal that came meanwhile makes this call fail too, so a half-asked report is never written.
  const auto results = ask_all(caller, *engine.value()->registry(), id);
  // Once more, now that its segments are read: it knows the origin of its clock.
  opened = caller.call("open_profile", {{"path", arguments.path}});
  if (opened.error) return console.fail(*opened.error);

  const Json model = report::make_model(STEPWISE_VERSION, profile_name(arguments.path), opened.structured, results);
  const report::Digest facts = report::digest(model);
  if (!facts.measured) return console.fail(nothing_readable(arguments.path, results, facts));
  auto written = write_report_files(arguments.out_dir, arguments.path, report_files(arguments, model));
  if (!written.ok()) return console.fail(written.error());
  const SummaryPlace place = place_of(written.value());
  if (invocation.globals.json) {
    console.result(dump_json_pretty(model));
  } else if (!invocation.globals.quiet) {
    console.result(summary_screen(facts, place, console.result_terminal(), arguments.lang));
  } else if (!place.note.empty()) {
    console.note(place.note + " The report is in " + written.value().dir.string() + ".\n");
  }
  return 0;
}

}  // namespace stepwise::cli
