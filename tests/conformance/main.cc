// stepwise-conformance: the program's commands, and with them what the conformance suite asks a server for.
#include <memory>

#include "clients/cli/program.h"
#include "tests/conformance/fixture_catalog.h"
#include "tests/conformance/fixture_tools.h"

int main(int argc, char** argv) {
  using namespace stepwise;
  cli::Extras extras;
  extras.changes = std::make_shared<mcp::Changes>();
  extras.providers.push_back(std::make_shared<conformance::FixtureTools>(extras.changes));
  extras.catalogs.push_back(std::make_shared<conformance::FixtureCatalog>());
  extras.release_after = conformance::kStreamReleasedAfter;
  return cli::run_program(argc, argv, extras);
}
