#include "clients/cli/arguments.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <array>
#include <iostream>
#include <sstream>

#include "clients/cli/declare.h"
#include "clients/cli/json_argument.h"
#include "clients/cli/listen_address.h"
#include "core/base/text.h"

namespace stepwise::cli {
namespace {

constexpr const char* kAbout =
    "Stepwise finds where a training or inference step's time goes, from what a profiler of Ascend NPUs or GPUs"
    " wrote, and what to change.";
constexpr const char* kExamples = R"(Examples:
  stepwise example demo                      make a synthetic profile to try things on
  stepwise analyze demo                      where the time goes, and a report in ./report
  stepwise call top_operators --profile demo --args '{"by": "name", "limit": 50}'
  stepwise mcp --root /data/profiles         serve an agent (MCP on stdin and stdout)
  stepwise serve --root /data/profiles       serve agents and scripts over HTTP

Exit codes: 0 done, 2 usage, 3 refused or nothing readable (a JSON error on stderr).)";

// What the argument library fills, before it is checked and becomes Arguments.
struct Raw {
  Globals globals;
  AnalyzeArguments analyze;
  CallArguments call;
  McpArguments mcp;
  ServeArguments serve;
  KnowledgeArguments knowledge;
  example::ExampleOptions example;
  std::string lang = "en", args = "{}", cache_action = "list", knowledge_action = "check", example_dir,
              tools_listed = "core", listen = "127.0.0.1:7337", isolate = "none";
  std::vector<std::string> formats = {"md", "html", "json"}, declare, graphs;
};

Error usage(std::string message, std::string hint, std::string where) {
  return {ErrorKind::usage, "cli.usage", std::move(message), std::move(hint), std::move(where)};
}

void add_globals(CLI::App& app, Raw& raw) {
  app.add_flag("-q,--quiet", raw.globals.quiet, "No progress and no summary");
  app.add_flag("--json", raw.globals.json, "The result as JSON on stdout");
  app.add_option("--plugin-dir", raw.globals.plugin_dirs,
                 "More analyzers: a directory of NAME/plugin.json (also STEPWISE_PLUGIN_PATH, divided by ':')")
      ->type_name("DIR")
      ->allow_extra_args(false);
  app.add_option("--isolate", raw.isolate, "Which analyzers run in processes of their own: none, all")
      ->type_name("none|all")
      ->capture_default_str();
}

void add_opening(CLI::App& command, Raw& raw) {
  command.add_option("--declare", raw.declare, "What the profile can't tell, e.g. batch_size=512 (may be repeated)")
      ->type_name("K=V")
      ->allow_extra_args(false);
  command.add_option("--graph", raw.graphs, "Graph dumps that lie elsewhere: files or directories")->type_name("FILE");
}

void add_analyze(CLI::App& app, Raw& raw) {
  CLI::App* command = app.add_subcommand("analyze", "Analyze a profile: one screen here, a report in a directory");
  command->add_option("PATH", raw.analyze.path, "Profile directory, trace or graph dump")->required();
  command->add_option("-o,--out", raw.analyze.out_dir, "Where the report goes; unwritable: a temporary directory")
      ->type_name("DIR")
      ->capture_default_str();
  command->add_option("--lang", raw.lang, "Language: en, zh")->type_name("LANG")->capture_default_str();
  command->add_option("--format", raw.formats, "Which files to write: md, html, json")
      ->type_name("LIST")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->default_str("md,html,json");
  add_opening(*command, raw);
  command->footer(
      "Examples:\n  stepwise analyze ./rank0_ascend_pt\n  stepwise analyze ./run -o /tmp/report --lang zh\n"
      "  stepwise analyze trace.json --graph torch_compile_debug\n  stepwise analyze ./run --json | jq "
      "'.chapters[].id'");
}

void add_out(CLI::App& command, std::string& out_dir) {
  command.add_option("--out", out_dir, "Where exports go; unwritable: a temporary directory")
      ->type_name("DIR")
      ->capture_default_str();
}

void add_call(CLI::App& app, Raw& raw) {
  CLI::App* command = app.add_subcommand("call", "Call one tool and print its result as JSON");
  command->add_option("TOOL", raw.call.tool, "Tool's name (see stepwise tools)")->required();
  command->add_option("--profile", raw.call.profile, "Profile directory, trace or graph dump")->type_name("PATH");
  command
      ->add_option("--args", raw.args,
                   "The tool's arguments, a JSON object; @FILE: of that file, @-: of standard input")
      ->type_name("JSON");
  add_out(*command, raw.call.out_dir);
  add_opening(*command, raw);
  command->footer(
      "Examples:\n  stepwise call summarize_profile --profile ./run\n"
      "  stepwise call top_operators --profile ./run --args '{\"by\": \"shape\", \"limit\": 100}'\n"
      "  stepwise call summarize_profile --profile ./run --declare batch_size=4096\n"
      "  stepwise call query_sql --profile ./run --args '{\"sql\": \"SELECT * FROM kernel\", \"export\": \"csv\"}'");
}

void add_example(CLI::App& app, Raw& raw) {
  CLI::App* command = app.add_subcommand("example", "Write a synthetic profile, and what the tools must answer on it");
  command->add_option("DIR", raw.example_dir, "Directory to write to; it is made")->required();
  command->add_option("--kind", raw.example.kind, "What kind of run: recsys-train, recsys-infer, llm-train")
      ->type_name("KIND")
      ->capture_default_str();
  command->add_option("--export", raw.example.export_form, "As which files: text, db (SQLite), both")
      ->type_name("FORM")
      ->capture_default_str();
  command->add_option("--events", raw.example.events, "Trace events of one rank")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--ranks", raw.example.ranks, "Ranks")->type_name("N")->capture_default_str();
  command->add_option("--steps", raw.example.steps, "Steps")->type_name("N")->capture_default_str();
  command->add_option("--seed", raw.example.seed, "Equal seeds give equal files")
      ->type_name("S")
      ->capture_default_str();
  command->footer(
      "Examples:\n  stepwise example demo\n  stepwise example big --events 2000000 --ranks 1\n"
      "  stepwise example llm --kind llm-train --ranks 8 --export both");
}

/// What the servers of either kind may read, show and write.
void add_serving(CLI::App& command, Raw& raw, std::vector<std::string>& roots, std::string& out_dir) {
  command.add_option("--root", roots, "Profiles must lie under one of these; default: the working directory")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command.add_option("--tools", raw.tools_listed, "Which tools tools/list shows: core, all")
      ->type_name("core|all")
      ->capture_default_str();
  add_out(command, out_dir);
}

constexpr const char* kOfAllCommands =
    "\nOptions of all commands hold too, above all --isolate all (plugins in processes of their own) and --plugin-dir "
    "DIR.";

void add_servers(CLI::App& app, Raw& raw) {
  CLI::App* mcp = app.add_subcommand("mcp", "Serve the Model Context Protocol on stdin and stdout");
  add_serving(*mcp, raw, raw.mcp.roots, raw.mcp.out_dir);
  mcp->footer(
      "Example, for an agent's configuration:\n  {\"command\": \"stepwise\", \"args\": [\"mcp\", \"--root\", "
      "\"/data/profiles\"]}\n" +
      std::string(kOfAllCommands));
  CLI::App* serve = app.add_subcommand("serve", "Serve over HTTP: MCP at /mcp, JSON-RPC at /rpc, /healthz, /metrics");
  serve->add_option("--http", raw.listen, "Where to listen; port 0: any; elsewhere than on this machine with a token")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  add_serving(*serve, raw, raw.serve.roots, raw.serve.out_dir);
  serve->add_option("--token-file", raw.serve.token_file, "Its first line is asked for (Authorization: Bearer)")
      ->type_name("FILE");
  serve->add_option("--allow-host", raw.serve.allowed_hosts, "Another name the server is called by, e.g. of a proxy")
      ->type_name("HOST")
      ->allow_extra_args(false);
  serve->footer(
      "Examples:\n  stepwise serve --root /data/profiles\n  stepwise serve --http [::1]:8080 --token-file "
      "~/.stepwise-token"
      "\n  stepwise serve --http 0.0.0.0:7337 --token-file token --allow-host profiles.example.com\n" +
      std::string(kOfAllCommands));
}

void add_others(CLI::App& app, Raw& raw) {
  app.add_subcommand("tools", "List the tools: what each answers and needs (--json: whole declarations)");
  CLI::App* cache = app.add_subcommand("cache", "The cache of profiles that were read");
  cache->add_option("ACTION", raw.cache_action, "list, clear, path")->capture_default_str();
  CLI::App* knowledge =
      app.add_subcommand("knowledge", "Check what is known of parameters, fusion passes, links, chips");
  knowledge->add_option("ACTION", raw.knowledge_action, "check")->capture_default_str();
  knowledge->add_option("DIR", raw.knowledge.dir, "A folder that adds to it");
}

Result<OpeningArguments> opening_arguments(const Raw& raw) {
  OpeningArguments opening;
  SW_ASSIGN_OR_RETURN(opening.declare, parse_declare(raw.declare));
  opening.graphs = raw.graphs;
  return opening;
}

Result<AnalyzeArguments> analyze_arguments(Raw& raw) {
  auto formats = report::formats_from(raw.formats);
  if (!formats.ok()) return usage(formats.error().message, formats.error().hint, "--format");
  raw.analyze.formats = formats.value();
  const auto lang = report::lang_from(raw.lang);
  if (!lang) return usage("The language `" + raw.lang + "` does not exist.", "Languages: en, zh.", "--lang");
  raw.analyze.lang = *lang;
  SW_ASSIGN_OR_RETURN(raw.analyze.opening, opening_arguments(raw));
  return raw.analyze;
}

Result<CallArguments> call_arguments(Raw& raw) {
  SW_ASSIGN_OR_RETURN(raw.call.arguments, parse_json_argument(raw.args, std::cin));
  SW_ASSIGN_OR_RETURN(raw.call.opening, opening_arguments(raw));
  return raw.call;
}

Result<bool> lists_all_tools(const Raw& raw) {
  if (raw.tools_listed != "core" && raw.tools_listed != "all") {
    return usage("--tools " + raw.tools_listed + " does not exist.", "Choose core or all.", "--tools");
  }
  return raw.tools_listed == "all";
}

Result<McpArguments> mcp_arguments(Raw& raw) {
  SW_ASSIGN_OR_RETURN(raw.mcp.all_tools, lists_all_tools(raw));
  return raw.mcp;
}

Result<ServeArguments> serve_arguments(Raw& raw) {
  SW_ASSIGN_OR_RETURN(raw.serve.all_tools, lists_all_tools(raw));
  auto address = parse_listen_address(raw.listen);
  if (!address) {
    return usage("--http " + raw.listen + " is no HOST:PORT.", "For example 127.0.0.1:7337 or [::1]:7337.", "--http");
  }
  raw.serve.host = std::move(address->host);
  raw.serve.port = address->port;
  return raw.serve;
}

Result<CacheArguments> cache_arguments(const Raw& raw) {
  using Action = CacheArguments::Action;
  static constexpr std::array<std::pair<std::string_view, Action>, 3> kActions = {
      {{"list", Action::list}, {"clear", Action::clear}, {"path", Action::path}}};
  const auto it = std::ranges::find(kActions, raw.cache_action, [](const auto& one) { return std::string(one.first); });
  if (it == kActions.end()) {
    return usage("`stepwise cache " + raw.cache_action + "` does not exist.", "Choose list, clear or path.", "cache");
  }
  return CacheArguments{it->second};
}

Result<KnowledgeArguments> knowledge_arguments(const Raw& raw) {
  if (raw.knowledge_action == "check") return raw.knowledge;
  return usage("`stepwise knowledge " + raw.knowledge_action + "` does not exist.", "Choose check.", "knowledge");
}

Result<Command> to_command(const std::string& name, Raw& raw) {
  const auto wrap = [](auto result) -> Result<Command> {
    if (!result.ok()) return result.take_error();
    return Command(std::move(result).value());
  };
  if (name == "analyze") return wrap(analyze_arguments(raw));
  if (name == "call") return wrap(call_arguments(raw));
  if (name == "mcp") return wrap(mcp_arguments(raw));
  if (name == "serve") return wrap(serve_arguments(raw));
  if (name == "cache") return wrap(cache_arguments(raw));
  if (name == "knowledge") return wrap(knowledge_arguments(raw));
  if (name == "example") {
    raw.example.dir = raw.example_dir;
    return Command(raw.example);
  }
  return Command(ToolsArguments{});
}

/// What was mistyped, and where the right words stand.
Error usage_of(const std::string& text, const std::string& command) {
  return usage(text, "See: stepwise " + (command.empty() ? "" : command + " ") + "--help", "");
}

/// The library tells a mistyped command as an unexpected argument; people want to know which one was near.
std::string unknown_command(const CLI::App& app, const std::vector<std::string>& words) {
  const auto word = std::ranges::find_if(words, [](const std::string& one) { return !one.starts_with('-'); });
  if (!app.get_subcommands().empty() || word == words.end()) return "";
  std::vector<std::string> known;
  std::string all;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    known.push_back(command->get_name());
    all += (all.empty() ? "" : ", ") + command->get_name();
  }
  const auto near = nearest_names(*word, known);
  return "There is no command `" + *word + "`" +
         (near.empty() ? "; there are: " + all : "; did you mean `" + near.front() + "`?");
}

}  // namespace

Json OpeningArguments::for_path(const Json& path) const {
  Json arguments = Json::object();
  if (!path.is_null()) arguments["path"] = path;
  if (!declare.empty()) arguments["declare"] = declare;
  if (!graphs.empty()) arguments["graphs"] = graphs;
  return arguments;
}

std::variant<Arguments, PrintAndExit, Error> parse_arguments(const std::vector<std::string>& words,
                                                             const std::string& version) {
  Raw raw;
  CLI::App app(kAbout, "stepwise");
  app.footer(kExamples);
  app.set_version_flag("--version", "stepwise " + version);
  app.require_subcommand(1);
  app.fallthrough();
  add_globals(app, raw);
  add_analyze(app, raw);
  add_call(app, raw);
  add_example(app, raw);
  add_servers(app, raw);
  add_others(app, raw);
  if (words.empty()) return PrintAndExit{error_kind_info(ErrorKind::usage).exit_code, "", app.help()};
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // the library takes them from the back
  } catch (const CLI::Success& done) {
    std::ostringstream out, err;
    app.exit(done, out, err);
    return PrintAndExit{0, out.str(), err.str()};
  } catch (const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    const std::string unknown = unknown_command(app, words);
    return usage_of(unknown.empty() ? error.what() : unknown, chosen.empty() ? "" : chosen.front()->get_name());
  }
  if (raw.isolate != "none" && raw.isolate != "all") {
    return usage("--isolate " + raw.isolate + " does not exist.", "Choose none or all.", "--isolate");
  }
  raw.globals.isolate_all = raw.isolate == "all";
  const std::string name = app.get_subcommands().front()->get_name();
  auto command = to_command(name, raw);
  if (!command.ok()) return command.take_error();
  return Arguments{raw.globals, std::move(command).value()};
}

}  // namespace stepwise::cli
