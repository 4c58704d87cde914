// stepwise tools: what can be called. From the registry alone: no analyzer is loaded.
#include <algorithm>

#include "clients/cli/commands.h"
#include "clients/cli/host.h"
#include "clients/cli/terminal_text.h"

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

/// The name, and below it, indented and wrapped, what the tool answers, needs and where it comes from.
std::string described(const engine::ToolDecl& decl, const Terminal& terminal) {
  constexpr size_t kIndent = 4, kMaxLines = 8;
  const size_t width = static_cast<size_t>(std::max(terminal.columns, 40)) - kIndent;
  std::string text = paint(terminal, Colour::bold, decl.name) + "\n";
  std::string says = decl.description;
  if (!decl.needs.empty()) says += " Needs " + needs_text(decl) + ".";
  if (!decl.plugin.empty()) says += " From plugin " + decl.plugin + ".";
  for (const std::string& line : wrap(clean_text(says), width, kMaxLines)) {
    text += std::string(kIndent, ' ') + line + "\n";
  }
  return text;
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
  const Terminal& terminal = invocation.console.result_terminal();
  std::string text;
  for (const auto& [name, tool] : registry->tools()) text += described(tool.decl, terminal);
  invocation.console.result(text);
  return 0;
}

}  // namespace stepwise::cli
