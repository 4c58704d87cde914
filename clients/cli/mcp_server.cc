#include "clients/cli/mcp_server.h"

#include <utility>

#include "clients/cli/host.h"
#include "clients/cli/roots.h"

namespace stepwise::cli {
Result<ServingEngine> start_serving(const Invocation& invocation, const std::vector<std::string>& roots,
                                    const std::string& out_dir, bool list_all_tools) {
  SW_ASSIGN_OR_RETURN(auto allowed, allowed_roots(roots));
  const Extras& extras = invocation.extras;
  ServingEngine serving;
  SW_ASSIGN_OR_RETURN(serving.engine,
                      start_engine(invocation.globals, {std::move(allowed), out_dir}, extras.providers));
  mcp::Server server{*serving.engine, list_all_tools};
  server.catalogs = extras.catalogs;
  server.catalogs.push_back(shipped_catalog(*serving.engine));
  if (extras.changes != nullptr) {
    server.changes = extras.changes;
    server.lists_change = true;
  }
  server.resources_change = true;
  serving.watch = std::make_unique<mcp::ProfileWatch>(*serving.engine, server.changes);
  serving.server = std::make_shared<const mcp::Server>(std::move(server));
  return serving;
}

}  // namespace stepwise::cli
