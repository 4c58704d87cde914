// stepwise-worker: loads one plugin and runs its tools for a host at the other end of descriptor 3.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <optional>
#include <string>

#include "core/engine/plugin_library.h"
#include "sandbox/host_link.h"
#include "sandbox/worker_call.h"

namespace stepwise::sandbox {
namespace {

constexpr int kExitUsage = 2;

/// The plugin that LOAD names, as far as loading it needs to know.
engine::PluginInfo plugin_of(const Message& task) {
  PayloadReader in(task.payload);
  engine::PluginInfo plugin;
  plugin.id = in.text();
  plugin.binary_id = in.text();
  plugin.library_path = in.text();
  plugin.tools.resize(in.u32());
  for (engine::ToolDecl& tool : plugin.tools) tool.name = in.text();
  return plugin;
}

Message ready(const Result<std::shared_ptr<engine::PluginLibrary>>& loaded) {
  const Error error = loaded.ok() ? Error{} : loaded.error();
  PayloadWriter out;
  out.u32(loaded.ok() ? 1 : 0).i32(static_cast<int32_t>(error.kind));
  out.text(error.code).text(error.message).text(error.hint).text(error.where);
  return out.message(MessageKind::ready);
}

/// What other parts of the host left open, what the plugin's children would keep open, what a crash would leave behind.
void tidy() {
  ::fcntl(kWorkerDescriptor, F_SETFD, FD_CLOEXEC);
  ::close_range(kWorkerDescriptor + 1, ~0u, 0);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
}

void serve(HostLink& link) {
  std::shared_ptr<engine::PluginLibrary> library;
  ReceivedSegments segments;
  while (const std::optional<Message> task = link.next_task()) {
    if (task->kind == MessageKind::load) {
      auto loaded = engine::PluginLibrary::load(plugin_of(*task));
      if (loaded.ok()) library = loaded.value();
      link.tell(ready(loaded));
    } else if (library != nullptr) {
      run_task(*task, *library, segments, link);
    }
  }
}

int main() {
  if (::fcntl(kWorkerDescriptor, F_GETFD) < 0) {
    std::fputs("stepwise-worker is started by stepwise (--isolate); by itself it does nothing.\n", stderr);
    return kExitUsage;
  }
  tidy();
  {
    HostLink link{store::Descriptor(kWorkerDescriptor)};
    serve(link);
  }
  std::fflush(nullptr);
  ::_exit(0);  // a plugin's static destructors may wait for threads that it left running
}

}  // namespace
}  // namespace stepwise::sandbox

int main() { return stepwise::sandbox::main(); }
