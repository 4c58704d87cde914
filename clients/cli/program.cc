// Threads and the order of a stop: docs/contributing/engine.md.
#include "clients/cli/program.h"

#include <string>
#include <system_error>
#include <variant>
#include <vector>

#include "clients/cli/commands.h"

namespace stepwise::cli {

int run_program(int argc, char** argv, const Extras& extras) {
  // Before anything else: plugins print, libraries print, and none of it may reach the result.
  Console console;
  const auto parsed = parse_arguments(std::vector<std::string>(argv + 1, argv + argc), STEPWISE_VERSION);
  if (const auto* print = std::get_if<PrintAndExit>(&parsed)) {
    console.result(print->out);
    console.note(print->err);
    return print->exit_code;
  }
  if (const auto* error = std::get_if<Error>(&parsed)) return console.fail(*error);
  const auto& arguments = std::get<Arguments>(parsed);
  int exit_code = 0;
  try {
    const StopSignal stop;
    const Invocation invocation{arguments.globals, console, stop, extras};
    exit_code = std::visit([&](const auto& command) { return run(command, invocation); }, arguments.command);
  } catch (const std::system_error& problem) {
    // Of the libraries that open descriptors and start threads: there are none left.
    return console.fail({ErrorKind::io, "process.resources",
                         "The system gives the program no more of what it needs: " + problem.code().message() + ".",
                         "Raise the limits of open files and processes (ulimit -n, ulimit -u).", ""});
  }
  if (exit_code == 0 && !console.write_failure().empty()) {
    return console.fail(
        {ErrorKind::io, "cli.output", "The result cannot be written: " + console.write_failure() + ".", "", "stdout"});
  }
  return exit_code;
}

}  // namespace stepwise::cli
