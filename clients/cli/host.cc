#include "clients/cli/host.h"

#include <string_view>
#include <system_error>

#include "sandbox/worker_runner.h"

namespace stepwise::cli {

namespace fs = std::filesystem;

fs::path executable_path() {
  std::error_code ec;
  return fs::read_symlink("/proc/self/exe", ec);
}

std::vector<fs::path> plugin_dirs(const fs::path& executable, const Environment& environment,
                                  const std::vector<std::string>& given) {
  std::vector<fs::path> dirs;
  std::error_code ec;
  const fs::path here = executable.parent_path();
  for (const fs::path& candidate : {here / "plugins", here.parent_path() / "lib" / "stepwise" / "plugins"}) {
    if (!fs::is_directory(candidate, ec)) continue;
    dirs.push_back(candidate);
    break;
  }
  const std::string path = environment("STEPWISE_PLUGIN_PATH").value_or("");
  for (std::string_view rest = path; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find(':'));
    if (!one.empty()) dirs.emplace_back(one);
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
  }
  dirs.insert(dirs.end(), given.begin(), given.end());
  return dirs;
}

Result<std::unique_ptr<engine::Engine>> start_engine(const Globals& globals, std::vector<fs::path> roots) {
  engine::EngineOptions options;
  options.plugin_dirs = plugin_dirs(executable_path(), process_environment(), globals.plugin_dirs);
  options.roots = std::move(roots);
  if (globals.isolate_all) {
    options.isolated_runner =
        std::make_shared<sandbox::WorkerRunner>(executable_path().parent_path() / "stepwise-worker");
  }
  return engine::Engine::start(std::move(options));
}

}  // namespace stepwise::cli
