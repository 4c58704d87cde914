// One function a command; each returns the exit code of docs/tools.md. [main]
#pragma once

#include "clients/cli/arguments.h"
#include "clients/cli/console.h"
#include "clients/cli/extras.h"
#include "clients/cli/stop_signal.h"

namespace stepwise::cli {

struct Invocation {
  const Globals& globals;
  Console& console;
  const StopSignal& stop;
  const Extras& extras;
};

int run(const AnalyzeArguments& arguments, const Invocation& invocation);
int run(const CallArguments& arguments, const Invocation& invocation);
int run(const ToolsArguments& arguments, const Invocation& invocation);
int run(const McpArguments& arguments, const Invocation& invocation);
int run(const ServeArguments& arguments, const Invocation& invocation);
int run(const example::ExampleOptions& arguments, const Invocation& invocation);
int run(const CacheArguments& arguments, const Invocation& invocation);
int run(const KnowledgeArguments& arguments, const Invocation& invocation);

}  // namespace stepwise::cli
