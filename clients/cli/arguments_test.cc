#include "clients/cli/arguments.h"

#include "clients/cli/declare.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::cli;

namespace {

template <class T>
T parsed(const std::vector<std::string>& words, Globals* globals = nullptr) {
  auto result = parse_arguments(words, "1.2.3");
  if (const auto* error = std::get_if<Error>(&result)) FAIL(to_text(*error));
  REQUIRE(std::holds_alternative<Arguments>(result));
  auto& arguments = std::get<Arguments>(result);
  if (globals) *globals = arguments.globals;
  return std::get<T>(arguments.command);
}

Error refused(const std::vector<std::string>& words) {
  auto result = parse_arguments(words, "1.2.3");
  REQUIRE(std::holds_alternative<Error>(result));
  return std::get<Error>(result);
}

PrintAndExit printed(const std::vector<std::string>& words) {
  auto result = parse_arguments(words, "1.2.3");
  REQUIRE(std::holds_alternative<PrintAndExit>(result));
  return std::get<PrintAndExit>(result);
}

}  // namespace

TEST_CASE("analyze has defaults that need no thought") {
  const auto analyze = parsed<AnalyzeArguments>({"analyze", "run"});
  CHECK(analyze.path == "run");
  CHECK(analyze.out_dir == "./report");
  CHECK(analyze.lang == report::Lang::en);
  CHECK(analyze.formats.markdown);
  CHECK(analyze.formats.html);
  CHECK(analyze.formats.json);
}

TEST_CASE("analyze takes its options in any place") {
  Globals globals;
  const auto analyze =
      parsed<AnalyzeArguments>({"--quiet", "analyze", "--lang", "zh", "-o", "out", "run", "--format", "json", "--json",
                                "--declare", "batch_size=512", "--plugin-dir", "p", "--isolate", "all"},
                               &globals);
  CHECK(analyze.path == "run");
  CHECK(analyze.out_dir == "out");
  CHECK(analyze.lang == report::Lang::zh);
  CHECK_FALSE(analyze.formats.markdown);
  CHECK_FALSE(analyze.formats.html);
  CHECK(analyze.formats.json);
  CHECK(analyze.opening.declare == Json{{"batch_size", 512}});
  CHECK(globals.quiet);
  CHECK(globals.json);
  CHECK(globals.plugin_dirs == std::vector<std::string>{"p"});
  CHECK(globals.isolate_all);
}

TEST_CASE("a repeated option does not swallow the path") {
  const auto analyze = parsed<AnalyzeArguments>({"analyze", "--format", "md,json", "--declare", "a=1", "--declare",
                                                 "b=2", "run", "--graph", "g.py", "dumps", "--graph", "h.txt"});
  CHECK(analyze.path == "run");
  CHECK(analyze.opening.declare == Json{{"a", 1}, {"b", 2}});
  CHECK(analyze.opening.graphs == std::vector<std::string>{"g.py", "dumps", "h.txt"});
}

TEST_CASE("call takes JSON") {
  const auto call = parsed<CallArguments>({"call", "top_operators", "--profile", "run", "--args", "{\"limit\": 3}"});
  CHECK(call.tool == "top_operators");
  CHECK(call.profile == "run");
  CHECK(call.arguments == Json{{"limit", 3}});
}

TEST_CASE("the other commands") {
  CHECK(parsed<McpArguments>({"mcp", "--root", "a", "--root", "b", "--tools", "all"}).roots.size() == 2);
  CHECK(parsed<McpArguments>({"mcp", "--tools", "all"}).all_tools);
  CHECK(parsed<CacheArguments>({"cache"}).action == CacheArguments::Action::list);
  CHECK(parsed<CacheArguments>({"cache", "clear"}).action == CacheArguments::Action::clear);
  CHECK(parsed<KnowledgeArguments>({"knowledge"}).dir.empty());
  CHECK(parsed<KnowledgeArguments>({"knowledge", "check", "mine"}).dir == "mine");
  const auto example = parsed<example::ExampleOptions>({"example", "d", "--events", "100000", "--seed", "7"});
  CHECK(example.dir == "d");
  CHECK(example.events == 100000);
  CHECK(example.seed == 7);
  parsed<ToolsArguments>({"tools", "--json"});
}

TEST_CASE("serve listens on this machine alone unless told otherwise") {
  const auto plain = parsed<ServeArguments>({"serve"});
  CHECK(plain.host == "127.0.0.1");
  CHECK(plain.port == 7337);
  CHECK(plain.token_file.empty());
  CHECK_FALSE(plain.all_tools);
  const auto full =
      parsed<ServeArguments>({"serve", "--http", "[::]:0", "--root", "a", "--root", "b", "--tools", "all",
                              "--token-file", "t", "--allow-host", "h", "--allow-host", "i", "--out", "o"});
  CHECK(full.host == "::");
  CHECK(full.port == 0);
  CHECK(full.roots == std::vector<std::string>{"a", "b"});
  CHECK(full.all_tools);
  CHECK(full.token_file == "t");
  CHECK(full.allowed_hosts == std::vector<std::string>{"h", "i"});
  CHECK(full.out_dir == "o");
}

TEST_CASE("what is wrong with the arguments is said, as a usage error") {
  struct Case {
    std::vector<std::string> words;
    const char* says;
  };
  const std::vector<Case> cases = {
      {{"analyze"}, "PATH is required"},
      {{"analyze", "run", "--format", "pdf"}, "Formats: md, html, json."},
      {{"analyze", "run", "--lang", "fr"}, "Languages: en, zh."},
      {{"analyze", "run", "--declare", "x"}, "NAME=VALUE"},
      {{"analyze", "run", "--no-such"}, "--no-such"},
      {{"call", "t", "--args", "[1]"}, "not a JSON object"},
      {{"call", "t", "--args", "{"}, "not a JSON object"},
      {{"cache", "burn"}, "Choose list, clear or path."},
      {{"knowledge", "forget"}, "Choose check."},
      {{"mcp", "--tools", "some"}, "core or all"},
      {{"serve", "--tools", "some"}, "core or all"},
      {{"serve", "--http", "7337"}, "127.0.0.1:7337"},
      {{"serve", "--http", "::1:7337"}, "[::1]:7337"},
      {{"anaylze", "run"}, "did you mean `analyze`?"},
      {{"qqqqqqqq"}, "there are: analyze"},
      {{"example", "d", "--events", "many"}, "--events"},
  };
  for (const Case& one : cases) {
    const Error error = refused(one.words);
    INFO(to_text(error));
    CHECK(error_kind_info(error.kind).exit_code == 2);
    CHECK(error.code.starts_with("cli."));
    CHECK(to_text(error).find(one.says) != std::string::npos);
  }
}

TEST_CASE("help and version go to the output, with exit code 0") {
  CHECK(printed({"--version"}).out == "stepwise 1.2.3\n");
  const PrintAndExit help = printed({"--help"});
  CHECK(help.exit_code == 0);
  for (const char* part :
       {"analyze", "call", "tools", "mcp", "serve", "example", "cache", "Examples:", "Exit codes:"}) {
    INFO(part);
    CHECK(help.out.find(part) != std::string::npos);
  }
  CHECK(printed({"analyze", "--help"}).out.find("--lang zh") != std::string::npos);
  CHECK(printed({}).exit_code == 2);
}

TEST_CASE("declarations have types") {
  const auto declare =
      parse_declare({"batch_size=512", "latency_budget_us = 1.5", "chip=910B", "execution_mode=eager", "x=a=b"});
  REQUIRE(declare.ok());
  CHECK(declare.value() == Json{{"batch_size", 512},
                                {"latency_budget_us", 1.5},
                                {"chip", "910B"},
                                {"execution_mode", "eager"},
                                {"x", "a=b"}});
  CHECK(parse_declare({}).value() == Json::object());
  CHECK(parse_declare({"=1"}).error().code == "cli.declare");
  CHECK(parse_declare({"a=1", "a=2"}).error().message == "--declare gives a twice.");
}
