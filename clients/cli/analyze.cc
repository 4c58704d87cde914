// stepwise analyze: the main job. Opens a profile, asks every analysis that applies, prints one screen, writes a
// report.
#include "clients/cli/caller.h"
#include "clients/cli/commands.h"
#include "clients/cli/host.h"
#include "clients/cli/summary.h"
#include "core/engine/report_calls.h"
#include "core/report/make_report.h"
#include "core/report/report_files.h"

namespace stepwise::cli {
namespace {

SummaryPlace place_of(const report::WrittenReport& written) {
  SummaryPlace place{{}, written.note};
  for (const report::WrittenFile& file : written.files) place.files.push_back(file.path.lexically_normal().string());
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

  const auto ask = [&](const engine::ToolDecl& tool, Json given) -> Result<Json> {
    given["profile"] = id;
    engine::Answer answer = caller.call(tool.name, std::move(given));
    if (answer.error) return *std::move(answer.error);
    return std::move(answer.structured);
  };
  const auto results = engine::ask_for_report(*engine.value()->registry(), arguments.lang, ask);
  if (!results.ok()) return console.fail(results.error());  // a signal came: a half-asked report is never written
  // Once more, now that its segments are read: it knows the origin of its clock.
  opened = caller.call("open_profile", {{"path", arguments.path}});
  if (opened.error) return console.fail(*opened.error);

  const auto made = report::make_report(STEPWISE_VERSION, arguments.path, opened.structured, results.value());
  if (!made.ok()) return console.fail(made.error());
  const report::Report& report = made.value();
  auto written = report::write_report_files(arguments.out_dir, arguments.path,
                                            report::report_files(report.model, arguments.formats, arguments.lang));
  if (!written.ok()) return console.fail(written.error());
  const SummaryPlace place = place_of(written.value());
  if (invocation.globals.json) {
    console.result(dump_json_pretty(report.model));
  } else if (!invocation.globals.quiet) {
    console.result(summary_screen(report.facts, place, console.result_terminal(), arguments.lang));
  } else if (!place.note.empty()) {
    console.note(place.note + " The report is in " + written.value().dir.string() + ".\n");
  }
  return 0;
}

}  // namespace stepwise::cli
