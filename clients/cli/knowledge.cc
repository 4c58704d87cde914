// stepwise knowledge check: for those who add parameters, fusion passes, links, chips, rules, measures. Every fault
// with its place; 3 if there is one.
#include "core/advice/knowledge.h"
#include "core/advice/rules/rule_book.h"

#include "clients/cli/commands.h"
#include "clients/cli/host.h"

namespace stepwise::cli {

int run(const KnowledgeArguments& arguments, const Invocation& invocation) {
  Console& console = invocation.console;
  std::vector<std::filesystem::path> dirs = knowledge_dirs(executable_path(), process_environment());
  std::vector<std::filesystem::path> of_rules = rule_dirs(executable_path(), process_environment());
  if (!arguments.dir.empty()) {
    add_directory(dirs, arguments.dir);
    add_directory(of_rules, arguments.dir);
  }
  std::vector<Error> faults;
  const auto knowledge = advice::Knowledge::load(dirs, faults);
  const auto book = advice::RuleBook::load(of_rules, knowledge, faults);
  const size_t rules = book->rules().size(), measures = book->measures().size();
  const size_t parameters = knowledge->parameters().size(), passes = knowledge->passes().all().size(),
               links = knowledge->links().all().size(), chips = knowledge->chips().all().size();
  if (invocation.globals.json) {
    Json list = Json::array();
    for (const Error& one : faults) {
      list.push_back({{"code", one.code}, {"where", one.where}, {"message", one.message}});
    }
    console.result(dump_json_pretty({{"parameters", parameters},
                                     {"fusion_passes", passes},
                                     {"links", links},
                                     {"chips", chips},
                                     {"rules", rules},
                                     {"measures", measures},
                                     {"faults", std::move(list)}}));
  } else {
    for (const Error& one : faults) console.result(one.where + ": " + one.message + "\n");
    console.result(std::to_string(parameters) + " parameters, " + std::to_string(passes) + " fusion passes, " +
                   std::to_string(links) + " links, " + std::to_string(chips) + " chips, " + std::to_string(rules) +
                   " rules, " + std::to_string(measures) + " measures; " + std::to_string(faults.size()) +
                   (faults.size() == 1 ? " fault.\n" : " faults.\n"));
  }
  constexpr int kRefused = 3;
  return faults.empty() ? 0 : kRefused;
}

}  // namespace stepwise::cli
