// The command line as values. The argument library stays inside arguments.cc. [main]
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "clients/example/example.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/report/words.h"

namespace stepwise::cli {

struct Globals {
  bool quiet = false;  // no progress, no summary
  bool json = false;   // the result as JSON
  std::vector<std::string> plugin_dirs;
  bool isolate_all = false;  // every plugin in a worker of its own
};

/// What is said of a profile when it is opened, beside its path.
struct OpeningArguments {
  Json declare = Json::object();
  std::vector<std::string> graphs;
  bool is_empty() const { return declare.empty() && graphs.empty(); }
  /// open_profile's arguments.
  Json for_path(const Json& path) const;
};

struct AnalyzeArguments {
  std::string path;
  std::string out_dir = "./report";
  report::Lang lang = report::Lang::en;
  bool write_markdown = true, write_json = true;
  OpeningArguments opening;
};

struct CallArguments {
  std::string tool, profile;
  Json arguments = Json::object();
  OpeningArguments opening;
};

struct ToolsArguments {};

struct McpArguments {
  std::vector<std::string> roots;
  bool all_tools = false;
};

struct CacheArguments {
  enum class Action : uint8_t { list, clear, path };
  Action action = Action::list;
};

using Command = std::variant<AnalyzeArguments, CallArguments, ToolsArguments, McpArguments, example::ExampleOptions,
                             CacheArguments>;

struct Arguments {
  Globals globals;
  Command command;
};

/// The program has nothing to do but print: help or the version.
struct PrintAndExit {
  int exit_code = 0;
  std::string out, err;
};

/// `words` without the program's name. Errors: usage `cli.usage`, `cli.declare`.
std::variant<Arguments, PrintAndExit, Error> parse_arguments(const std::vector<std::string>& words,
                                                             const std::string& version);

}  // namespace stepwise::cli
