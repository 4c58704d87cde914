// stepwise: the program. Threads and the order of a stop: docs/contributing/engine.md.
#include <string>
#include <variant>
#include <vector>

#include "clients/cli/commands.h"

int main(int argc, char** argv) {
  using namespace stepwise::cli;
  // Before anything else: plugins print, libraries print, and none of it may reach the result.
  Console console;
  const auto parsed = parse_arguments(std::vector<std::string>(argv + 1, argv + argc), STEPWISE_VERSION);
  if (const auto* print = std::get_if<PrintAndExit>(&parsed)) {
    console.result(print->out);
    console.note(print->err);
    return print->exit_code;
  }
  if (const auto* error = std::get_if<stepwise::Error>(&parsed)) return console.fail(*error);
  const auto& arguments = std::get<Arguments>(parsed);
  int exit_code = 0;
  {
    const StopSignal stop;
    const Invocation invocation{arguments.globals, console, stop};
    exit_code = std::visit([&](const auto& command) { return run(command, invocation); }, arguments.command);
  }
  if (exit_code == 0 && !console.write_failure().empty()) {
    return console.fail({stepwise::ErrorKind::io, "cli.output",
                         "The result cannot be written: " + console.write_failure() + ".", "", "stdout"});
  }
  return exit_code;
}
