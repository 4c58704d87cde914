#include "core/engine/write_report.h"

#include <algorithm>
#include <optional>

#include "core/engine/manifest.h"
#include "core/engine/open_profile.h"
#include "core/engine/report_calls.h"
#include "core/engine/report_chapters.h"
#include "core/report/plan.h"
#include "core/report/report_files.h"

namespace stepwise::engine {
namespace {

namespace fs = std::filesystem;

Json writing_declaration() {
  const Json objects = {{"type", "array"}, {"items", {{"type", "object"}}}};
  return {{"name", "write_report"},
          {"title", "Write the report"},
          {"description",
           "Runs every analysis that applies and writes the report as files; answers their paths and the report's "
           "self-checks."},
          {"exposure", "core"},
          {"per", "profile"},
          {"annotations",
           {{"readOnlyHint", false}, {"destructiveHint", false}, {"idempotentHint", true}, {"openWorldHint", false}}},
          {"input",
           {{"type", "object"},
            {"properties",
             {{"dir", {{"type", "string"}, {"description", "Folder within the output directory; default: itself."}}},
              {"format",
               {{"type", "array"},
                {"items", {{"type", "string"}, {"enum", report::kFormats}}},
                {"description", "Default: all three."}}},
              {"lang", {{"type", "string"}, {"enum", {"en", "zh"}}, {"default", "en"}}}}}}},
          {"output",
           {{"type", "object"},
            {"required", {"files", "checks"}},
            {"properties", {{"files", objects}, {"checks", objects}}}}}};
}

Json reading_declaration() {
  return {
      {"name", "read_report"},
      {"title", "Read the report"},
      {"description",
       "The report that write_report writes, a chapter at a time and without writing it; without `chapter` the list of "
       "chapters."},
      {"exposure", "extra"},
      {"per", "profile"},
      {"input",
       {{"type", "object"},
        {"properties",
         {{"chapter",
           {{"type", "integer"}, {"minimum", 1}, {"maximum", 99}, {"description", "Its number in the list."}}},
          {"from",
           {{"type", "integer"},
            {"minimum", 0},
            {"default", 0},
            {"description", "Where in the chapter to go on: `next` says it."}}},
          {"bytes",
           {{"type", "integer"},
            {"minimum", 500},
            {"maximum", kMostChapterBytes},
            {"default", kChapterBytes},
            {"description", "At most so many bytes of it."}}},
          {"lang", {{"type", "string"}, {"enum", {"en", "zh"}}, {"default", "en"}}}}}}},
      {"output",
       {{"type", "object"},
        {"properties",
         {{"chapters", {{"type", "array"}, {"items", {{"type", "object"}}}}},
          {"chapter", {{"type", "integer"}}},
          {"from",
           {{"type", "integer"}, {"description", "Where in the chapter this begins, unless at its beginning."}}},
          {"title", {{"type", "string"}}},
          {"markdown", {{"type", "string"}}}}}}}};
}

bool asks(const ToolDecl& tool) {
  return tool.name == "open_profile" || report::is_planned(tool.name) || applies_unplanned(tool);
}

/// A link below the output directory may lead anywhere.
bool leads_out(const fs::path& out_dir, const fs::path& dir) {
  std::error_code ec;
  const fs::path root = fs::weakly_canonical(fs::absolute(out_dir, ec), ec);
  const fs::path real = fs::weakly_canonical(fs::absolute(dir, ec), ec);
  return std::mismatch(root.begin(), root.end(), real.begin(), real.end()).first != root.end();
}

/// A client names a folder, but not where on this machine: it lies within the output directory.
Result<fs::path> directory(const fs::path& out_dir, const std::string& wanted) {
  const fs::path relative = fs::path(wanted).lexically_normal();
  const bool leaves = relative.is_absolute() || (!relative.empty() && *relative.begin() == "..");
  const bool is_name = std::none_of(wanted.begin(), wanted.end(), [](unsigned char c) { return c < ' '; });
  if (leaves || !is_name || leads_out(out_dir, out_dir / relative)) {
    return Error{ErrorKind::usage, "report.dir", "`dir` lies outside the output directory " + out_dir.string() + ".",
                 "Name a folder within it, e.g. \"before\".", "/dir"};
  }
  return wanted.empty() ? out_dir : out_dir / relative;
}

Result<report::Formats> formats(const Json& arguments) {
  const auto given = arguments.find("format");
  if (given == arguments.end() || given->empty()) return report::Formats{};
  return report::formats_from(given->get<std::vector<std::string>>());
}

}  // namespace

Result<std::shared_ptr<WriteReport>> WriteReport::make(Parts parts, const std::vector<ToolDecl>& others) {
  auto made = std::shared_ptr<WriteReport>(new WriteReport(std::move(parts)));
  SW_ASSIGN_OR_RETURN(made->writing_, tool_from_json(writing_declaration(), ""));
  SW_ASSIGN_OR_RETURN(made->reading_, tool_from_json(reading_declaration(), ""));
  for (ToolDecl* const tool : {&made->writing_, &made->reading_}) {
    for (const ToolDecl& other : others) {
      if (asks(other)) tool->calls.push_back(other.name);
    }
    tool->on_demand = true;
  }
  made->writing_.pure = false;
  return made;
}

Result<ToolResult> WriteReport::call(const std::string& tool, const Json& arguments, CallHost& host) {
  return tool == reading_.name ? read(arguments, host) : write(arguments, host);
}

Result<report::Report> WriteReport::make_report(report::Lang lang, CallHost& host) const {
  const fs::path& path = host.profile()->layout.opened;
  // All are asked before the call begins again: what each of them wants is read in one go.
  bool again = false;
  const auto answer = [&](const std::string& tool, const Json& given) {
    auto got = host.answer(tool, given);
    again = again || (!got.ok() && got.error().code == "call.again");
    return got;
  };
  auto opened = answer("open_profile", {{"path", path.string()}});
  SW_ASSIGN_OR_RETURN(const auto results,
                      ask_for_report(*parts_.registry(), lang, [&](const ToolDecl& tool, const Json& given) {
                        return answer(tool.name, given);
                      }));
  if (again) {
    return Error{ErrorKind::bug, "call.again", "The call begins again when more of the profile has been read.", "", ""};
  }
  if (!opened.ok()) return opened.take_error();
  return report::make_report(parts_.version, path.string(), opened.value(), results);
}

Result<ToolResult> WriteReport::read(const Json& arguments, CallHost& host) const {
  const auto lang = report::lang_from(arguments.value("lang", "en")).value_or(report::Lang::en);
  SW_ASSIGN_OR_RETURN(const report::Report made, make_report(lang, host));
  const auto files = report::report_files(made.model, {.markdown = true, .html = false, .json = false}, lang);
  if (!arguments.contains("chapter")) return chapter_result(files.front().text, std::nullopt);
  const ChapterPart part{arguments["chapter"].get<size_t>(), arguments.value("from", size_t{0}),
                         arguments.value("bytes", kChapterBytes)};
  SW_ASSIGN_OR_RETURN(ToolResult result, chapter_result(files.front().text, part));
  for (Next& next : result.next) next.arguments["lang"] = arguments.value("lang", "en");
  return result;
}

Result<ToolResult> WriteReport::write(const Json& arguments, CallHost& host) const {
  SW_ASSIGN_OR_RETURN(const fs::path dir, directory(parts_.out_dir, arguments.value("dir", "")));
  SW_ASSIGN_OR_RETURN(const report::Formats wanted, formats(arguments));
  const auto lang = report::lang_from(arguments.value("lang", "en")).value_or(report::Lang::en);
  SW_ASSIGN_OR_RETURN(const report::Report made, make_report(lang, host));
  SW_ASSIGN_OR_RETURN(const auto written, report::write_report_files(dir, host.profile()->layout.opened,
                                                                     report::report_files(made.model, wanted, lang)));
  ToolResult result;
  Json files = Json::array();
  for (const report::WrittenFile& file : written.files) {
    std::error_code ec;
    const fs::path whole = fs::absolute(file.path, ec).lexically_normal();
    files.push_back({{"path", whole.string()}, {"bytes", file.bytes}});
  }
  result.body["files"] = std::move(files);
  result.body["checks"] = made.model["checks"];
  if (made.facts.failed_checks > 0) {
    result.warnings.push_back({"report.checks", std::to_string(made.facts.failed_checks) +
                                                    " of the report's own checks failed: see `checks`."});
  }
  if (!written.note.empty())
    result.warnings.push_back({"report.elsewhere", written.note + " The report is elsewhere: see `files`."});
  return result;
}

}  // namespace stepwise::engine
