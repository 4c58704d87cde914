#include "clients/cli/host.h"

#include <sys/resource.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <system_error>

#include "protocol/mcp/own_catalog.h"
#include "sandbox/worker_runner.h"

namespace stepwise::cli {

namespace fs = std::filesystem;

fs::path executable_path() {
  std::error_code ec;
  return fs::read_symlink("/proc/self/exe", ec);
}

namespace {

/// The first that is there: beside the executable in a build, below ../lib or ../share where it is installed.
fs::path first_of(std::initializer_list<fs::path> candidates) {
  std::error_code ec;
  for (const fs::path& candidate : candidates) {
    if (fs::is_directory(candidate, ec)) return candidate;
  }
  return {};
}

fs::path skills_dir(const fs::path& executable) {
  const fs::path here = executable.parent_path();
  return first_of({here / "skills", here.parent_path() / "share" / "stepwise" / "skills"});
}

fs::path docs_dir(const fs::path& executable) {
  const fs::path here = executable.parent_path();
  return first_of({here / "docs", here.parent_path() / "share" / "stepwise" / "docs"});
}

}  // namespace

void add_directory(std::vector<fs::path>& dirs, const fs::path& one) {
  const bool is_there = std::any_of(dirs.begin(), dirs.end(), [&](const fs::path& other) {
    std::error_code ec;
    return other == one || fs::equivalent(other, one, ec);
  });
  if (!is_there) dirs.push_back(one);
}

namespace {

/// `own` unless it is empty, then the parts of a path between colons.
std::vector<fs::path> own_and_more(const fs::path& own, const std::string& path) {
  std::vector<fs::path> dirs;
  if (!own.empty()) dirs.push_back(own);
  for (std::string_view rest = path; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find(':'));
    if (!one.empty()) add_directory(dirs, one);
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
  }
  return dirs;
}

/// A segment of a rank takes a descriptor, and so does a connection; the soft limit is often 1,024: a default for
/// programs that use select.
void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);  // refused: it stays as it was
}

}  // namespace

fs::path own_plugin_dir(const fs::path& executable) {
  const fs::path here = executable.parent_path();
  return first_of({here / "plugins", here.parent_path() / "lib" / "stepwise" / "plugins"});
}

std::vector<fs::path> plugin_dirs(const fs::path& executable, const Environment& environment,
                                  const std::vector<std::string>& given) {
  std::vector<fs::path> dirs =
      own_and_more(own_plugin_dir(executable), environment("STEPWISE_PLUGIN_PATH").value_or(""));
  dirs.insert(dirs.end(), given.begin(), given.end());
  return dirs;
}

std::vector<fs::path> knowledge_dirs(const fs::path& executable, const Environment& environment) {
  const fs::path skills = skills_dir(executable);
  return own_and_more(skills.empty() ? skills : skills / "knowledge",
                      environment("STEPWISE_KNOWLEDGE_PATH").value_or(""));
}

std::vector<fs::path> rule_dirs(const fs::path& executable, const Environment& environment) {
  return own_and_more(skills_dir(executable), environment("STEPWISE_KNOWLEDGE_PATH").value_or(""));
}

Result<std::unique_ptr<engine::Engine>> start_engine(const Globals& globals, Places places,
                                                     std::vector<std::shared_ptr<engine::ToolProvider>> providers) {
  raise_descriptor_limit();
  engine::EngineOptions options;
  options.plugin_dirs = plugin_dirs(executable_path(), process_environment(), globals.plugin_dirs);
  options.own_plugin_dir = own_plugin_dir(executable_path());
  options.rule_dirs = rule_dirs(executable_path(), process_environment());
  options.knowledge_dirs = knowledge_dirs(executable_path(), process_environment());
  options.roots = std::move(places.roots);
  options.out_dir = std::move(places.out_dir);
  options.version = STEPWISE_VERSION;
  options.providers = std::move(providers);
  if (globals.isolate_all) {
    options.isolated_runner =
        std::make_shared<sandbox::WorkerRunner>(executable_path().parent_path() / "stepwise-worker");
  }
  return engine::Engine::start(std::move(options));
}

std::shared_ptr<const mcp::Catalog> shipped_catalog(const engine::Engine& engine) {
  const fs::path executable = executable_path();
  return mcp::own_catalog({skills_dir(executable), docs_dir(executable), engine});
}

}  // namespace stepwise::cli
