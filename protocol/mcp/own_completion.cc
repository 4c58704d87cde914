#include "protocol/mcp/own_completion.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/limits.h"
#include "core/base/text.h"
#include "protocol/mcp/own_limits.h"
#include "protocol/mcp/own_profile.h"

namespace stepwise::mcp {
namespace {

/// Of the tool's rows. A failure completes nothing: nobody who types can act on it, and the read or the call will say
/// it.
ByTool<Completion> from_rows(std::string tool, Json arguments, const std::string& typed,
                             std::function<std::vector<std::string>(const Json& rows)> candidates) {
  engine::Request request;
  request.tool = std::move(tool);
  request.arguments = std::move(arguments);
  return {std::move(request), [typed, candidates = std::move(candidates)](engine::Answer answer) -> Result<Completion> {
            if (answer.error || !answer.structured.is_object()) return Completion{};
            return Completion{best_first(typed, candidates(answer.structured.value("rows", Json::array())))};
          }};
}

}  // namespace

std::vector<std::string> best_first(std::string_view typed, const std::vector<std::string>& candidates) {
  const std::string wanted = to_lower(typed);
  std::vector<std::string> begin, contain;
  std::set<std::string_view> seen;
  for (const std::string& one : candidates) {
    if (!seen.insert(one).second) continue;
    const size_t at = to_lower(one).find(wanted);
    if (at != std::string::npos) (at == 0 ? begin : contain).push_back(one);
  }
  begin.insert(begin.end(), contain.begin(), contain.end());
  return begin;
}

ByTool<Completion> complete_profile(const std::string& typed, bool ids_only) {
  return from_rows("list_profiles", {{"limit", limits::kMaxLimitArgument}}, typed, [ids_only](const Json& rows) {
    std::vector<std::string> ids, paths;
    for (const Json& row : rows) {
      ids.push_back(row.value("profile", ""));
      paths.push_back(row.value("path", ""));
    }
    if (!ids_only) ids.insert(ids.end(), paths.begin(), paths.end());
    return ids;
  });
}

ByTool<Completion> complete_operator(const std::string& profile, const std::string& typed) {
  const std::string sql =
      "SELECT coalesce(op_type, name) AS type, sum(dur_ns) AS ns FROM kernel WHERE instr(lower(coalesce(op_type, "
      "name)), " +
      sql_text(to_lower(typed)) +
      ") > 0 AND length(coalesce(op_type, name)) <= " + std::to_string(kCompletedNameChars) +
      " GROUP BY type ORDER BY ns DESC, type";
  return from_rows("query_sql", {{"profile", profile}, {"sql", sql}, {"limit", limits::kMaxLimitArgument}}, typed,
                   [](const Json& rows) {
                     std::vector<std::string> types;
                     for (const Json& row : rows) types.push_back(row.at(0).get<std::string>());
                     return types;
                   });
}

std::vector<std::string> parameter_names(const engine::Registry& registry) {
  std::set<std::string> names;
  for (const advice::Parameter& one : registry.knowledge()->parameters()) {
    if (one.kind == advice::ParameterKind::claim || one.status != advice::Status::verified) continue;
    names.insert(one.name);
    names.insert(one.aliases.begin(), one.aliases.end());
  }
  return {names.begin(), names.end()};
}

}  // namespace stepwise::mcp
