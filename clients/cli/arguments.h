// The command line as values. The argument library stays inside arguments.cc. [main]
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "clients/example/example.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/report/report_files.h"
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
  report::Formats formats;
  OpeningArguments opening;
};

struct CallArguments {
  std::string tool, profile;
  std::string out_dir = "./report";  // of exports
  Json arguments = Json::object();
  OpeningArguments opening;
};

struct ToolsArguments {};

struct McpArguments {
  std::vector<std::string> roots;
  std::string out_dir = "./report";  // of exports
  bool all_tools = false;
};

struct ServeArguments {
  std::string host = "127.0.0.1";  // an address or a name; IPv6 without brackets
  int port = 0;                    // 0: any that is free
  std::vector<std::string> roots;
  std::string out_dir = "./report";  // of exports
  bool all_tools = false;
  std::string token_file;                  // empty: no token
  std::vector<std::string> allowed_hosts;  // more names by which the server may be called
};

struct CacheArguments {
  enum class Action : uint8_t { list, clear, path };
  Action action = Action::list;
};

/// knowledge check
struct KnowledgeArguments {
  std::string dir;  // checked on top of the program's own; empty: none
};

using Command = std::variant<AnalyzeArguments, CallArguments, ToolsArguments, McpArguments, ServeArguments,
                             example::ExampleOptions, CacheArguments, KnowledgeArguments>;

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
