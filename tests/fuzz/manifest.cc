// plugin.json: read or refused with an error that says where.
#include "core/engine/manifest.h"
#include "core/base/json.h"
#include "tests/fuzz/target.h"

namespace stepwise::fuzz {

void run_manifest(std::string_view target, std::string_view bytes) {
  const auto json = parse_json(bytes);
  if (!json.ok()) return;
  const auto tool = engine::tool_from_json(json.value(), "fuzzed");
  if (tool.ok()) {
    demand(!tool.value().name.empty(), target, "a tool without a name");
  } else {
    demand(!tool.error().message.empty() && tool.error().code == "plugin.manifest", target,
           "an error that says nothing");
  }
}

}  // namespace stepwise::fuzz
