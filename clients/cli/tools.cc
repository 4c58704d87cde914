// stepwise tools: what can be called. From the registry alone: no analyzer is loaded.
#include "clients/cli/commands.h"
#include "clients/cli/host.h"
#include "clients/cli/terminal_table.h"

namespace stepwise::cli {
namespace {

std::string join(const std::vector<std::string>& words, const char* between) {
  std::string out;
  for (const std::string& one : words) out += (out.empty() ? "" : between) + one;
  return out;
}

/// "kernel, host_op or api_stat": all of (any of).
std::string needs_text(const engine::ToolDecl& decl) {
  std::vector<std::string> all;
  for (const auto& any : decl.needs) all.push_back(join(any, " or "));
  return all.empty() ? "-" : join(all, ", ");
}

Json declaration(const engine::ToolDecl& decl) {
  Json uses = Json::array();
  for (const engine::ToolUse& use : decl.uses) uses.push_back({{"table", use.table}, {"costs", use.costs}});
  return {{"name", decl.name},
          {"title", decl.title},
          {"description", decl.description},
          {"exposure", decl.core ? "core" : "extra"},
          {"per", !decl.needs_profile ? "none"
                  : decl.per_rank     ? "rank"
                                      : "profile"},
          {"needs", decl.needs},
          {"uses", std::move(uses)},
          {"calls", decl.calls},
          {"annotations", decl.annotations},
          {"input", decl.input},
          {"output", decl.output},
          {"default_limit", decl.default_limit},
          {"plugin", decl.plugin.empty() ? Json() : Json(decl.plugin)}};
}

}  // namespace

int run(const ToolsArguments&, const Invocation& invocation) {
  auto engine = start_engine(invocation.globals);
  if (!engine.ok()) return invocation.console.fail(engine.error());
  const auto registry = engine.value()->registry();
  if (invocation.globals.json) {
    Json tools = Json::array();
    for (const auto& [name, tool] : registry->tools()) tools.push_back(declaration(tool.decl));
    invocation.console.result(dump_json_pretty({{"tools", std::move(tools)}}));
    return 0;
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, tool] : registry->tools()) {
    rows.push_back(
        {name, tool.decl.plugin.empty() ? "engine" : tool.decl.plugin, needs_text(tool.decl), tool.decl.description});
  }
  invocation.console.result(
      render_table({{"TOOL"}, {"FROM"}, {"NEEDS"}, {"ANSWERS"}}, rows, invocation.console.result_terminal()));
  return 0;
}

}  // namespace stepwise::cli
