// stepwise call: one tool, its structured result on stdout.
#include "clients/cli/caller.h"
#include "clients/cli/commands.h"
#include "clients/cli/host.h"

namespace stepwise::cli {
namespace {

constexpr const char* kOpen = "open_profile";

/// The tool's arguments with the profile that --profile names. What is declared belongs to the opening of a profile, so
/// that happens first, and the call goes to the profile's id.
Result<Json> arguments_of(const CallArguments& given, Caller& caller) {
  Json arguments = given.arguments;
  if (given.tool == kOpen) {
    if (!given.profile.empty()) arguments["path"] = given.profile;
    Json opening = given.opening.for_path(arguments.value("path", Json()));
    opening.update(arguments);
    return opening;
  }
  if (!given.profile.empty()) arguments["profile"] = given.profile;
  if (given.opening.is_empty()) return arguments;
  const auto profile = arguments.find("profile");
  if (profile == arguments.end()) {
    return Error{ErrorKind::usage, "cli.declare", "--declare and --graph need the profile that they belong to.",
                 "Add --profile PATH.", "--declare"};
  }
  engine::Answer opened = caller.call(kOpen, given.opening.for_path(*profile));
  if (opened.error) return *std::move(opened.error);
  arguments["profile"] = opened.structured["id"];
  return arguments;
}

}  // namespace

int run(const CallArguments& arguments, const Invocation& invocation) {
  auto engine = start_engine(invocation.globals, {{}, arguments.out_dir});
  if (!engine.ok()) return invocation.console.fail(engine.error());
  Caller caller(*engine.value(), invocation.console, invocation.stop, !invocation.globals.quiet);
  auto full = arguments_of(arguments, caller);
  if (!full.ok()) return invocation.console.fail(full.error());
  const engine::Answer answer = caller.call(arguments.tool, std::move(full).value());
  if (answer.error) return invocation.console.fail(*answer.error);
  invocation.console.result(dump_json_pretty(answer.structured));
  return 0;
}

}  // namespace stepwise::cli
