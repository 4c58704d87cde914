#include "protocol/mcp/own_catalog.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"
#include "core/engine/plan.h"
#include "protocol/mcp/own_address.h"
#include "protocol/mcp/own_completion.h"
#include "protocol/mcp/own_formats.h"
#include "protocol/mcp/own_limits.h"
#include "protocol/mcp/own_metrics.h"
#include "protocol/mcp/own_profile.h"
#include "protocol/mcp/own_prompts.h"
#include "protocol/mcp/own_skills.h"
#include "protocol/mcp/own_tool_pages.h"

namespace stepwise::mcp {
namespace {

using Contents = std::vector<ResourceContents>;
using ReadAnswer = CatalogAnswer<Contents>;

constexpr const char* kMarkdown = "text/markdown";
constexpr const char* kSkillIndex = "skill://index.json";

class OwnCatalog final : public Catalog {
 public:
  explicit OwnCatalog(const OwnCatalogOptions& options)
      : engine_(options.engine),
        skills_(load_skills(options.skills_dir)),
        metrics_(MetricPages::load(options.skills_dir, options.docs_dir)),
        formats_(formats_page()) {}

  std::vector<Resource> resources() const override;
  std::vector<ResourceTemplate> templates() const override;
  std::optional<ReadAnswer> read(const std::string& uri, const engine::ClientInput& client) const override;

  std::vector<Prompt> prompts() const override { return skill_prompts(skills_); }
  std::optional<CatalogAnswer<PromptMessages>> prompt(const std::string& name,
                                                      const std::map<std::string, std::string>& arguments,
                                                      const engine::ClientInput& client) const override;

  std::optional<CatalogAnswer<Completion>> complete(const CompletionAsk& ask) const override;

 private:
  std::optional<std::string> page_of(const Address& address, const engine::Registry& registry) const;
  Error unknown(const std::string& uri, const Address& address, const engine::Registry& registry) const;
  std::vector<std::string> skill_names() const;
  /// The names that the template's variable may have; empty: not known beforehand.
  std::vector<std::string> names_for(const std::string& uri_template, const engine::Registry& registry) const;

  const engine::Engine& engine_;
  const std::vector<Skill> skills_;
  const MetricPages metrics_;
  const std::string formats_;
};

std::vector<Resource> OwnCatalog::resources() const {
  std::vector<Resource> all = {
      {"stepwise://formats", "formats", "What is read", "Kinds of profiles, and which table comes from which file.",
       kMarkdown, formats_.size()},
      {"stepwise://tools", "tools", "Tools", "Every tool and analysis in a line.", kMarkdown, std::nullopt}};
  if (!metrics_.empty()) {
    all.push_back({"stepwise://metrics", "metrics", "Metrics", "The names of all metrics, by area.", kMarkdown,
                   metrics_.list().size()});
  }
  if (!skills_.empty()) {
    all.push_back({kSkillIndex, "skills", "Skills", "The skills that this server has.", "application/json",
                   dump_json(skill_index(skills_)).size()});
  }
  for (const Skill& one : skills_) {
    all.push_back({skill_uri(one), one.name, one.title, one.description, kMarkdown, one.text.size()});
  }
  std::sort(all.begin(), all.end(), [](const Resource& a, const Resource& b) { return a.uri < b.uri; });
  return all;
}

std::vector<ResourceTemplate> OwnCatalog::templates() const {
  std::vector<ResourceTemplate> all = profile_templates();
  if (!skills_.empty()) {
    all.push_back({"skill://{name}/SKILL.md", "skill", "A skill", "How a workflow goes, step by step.", kMarkdown});
  }
  if (!metrics_.empty()) {
    all.push_back({"stepwise://metrics/{name}", "metric", "A metric", "Formula, window, unit and source.", kMarkdown});
  }
  all.push_back({"stepwise://parameters/{name}", "parameter", "A parameter",
                 "Values, default, where it applies, sources; what lookup_parameter answers.", "text/plain"});
  all.push_back({"stepwise://tools/{name}", "tool", "A tool", "What it takes, needs and gives.", kMarkdown});
  std::sort(all.begin(), all.end(),
            [](const ResourceTemplate& a, const ResourceTemplate& b) { return a.uri_template < b.uri_template; });
  return all;
}

ByTool<Contents> read_parameter(const std::string& uri, const std::string& name) {
  engine::Request request;
  request.tool = "lookup_parameter";
  request.arguments = {{"name", name}};
  return {std::move(request), [uri, name](engine::Answer answer) -> Result<Contents> {
            if (answer.error) return std::move(*answer.error);
            // Of a name that does not exist something may be known, too: what is right instead.
            if (answer.structured.contains("entry")) return Contents{{uri, "text/plain", std::move(answer.text)}};
            std::vector<std::string> near;
            for (const Json& one : answer.structured.value("nearest", Json::array())) {
              near.push_back("stepwise://parameters/" + percent_encoded(one.get<std::string>()));
            }
            return unknown_resource(uri, "Nothing is known of a parameter " + name + ".", std::move(near));
          }};
}

std::optional<ReadAnswer> OwnCatalog::read(const std::string& uri, const engine::ClientInput&) const {
  const auto is_of = [&](const char* scheme) { return uri.starts_with(scheme); };
  if (!is_of("skill://") && !is_of("stepwise://") && !is_of("profile://")) return std::nullopt;
  // Before anything looks for what is near: that takes the longer, the longer the address is.
  const auto address = uri.size() > kAddressBytes ? std::nullopt : parse_address(uri);
  if (!address) return unknown_resource(uri, "The address is not well formed.", {});
  const auto registry = engine_.registry();
  if (address->scheme == "profile") return read_profile(uri, *address, *registry);
  if (uri == kSkillIndex && !skills_.empty()) {
    return Contents{{uri, "application/json", dump_json(skill_index(skills_))}};
  }
  const auto& segments = address->segments;
  if (address->scheme == "stepwise" && segments.size() == 2 && segments[0] == "parameters") {
    return read_parameter(uri, segments[1]);
  }
  auto page = page_of(*address, *registry);
  if (!page) return unknown(uri, *address, *registry);
  return Contents{{uri, kMarkdown, std::move(*page)}};
}

std::optional<std::string> OwnCatalog::page_of(const Address& address, const engine::Registry& registry) const {
  const auto& segments = address.segments;
  if (address.scheme == "skill") {
    for (const Skill& one : skills_) {
      if (segments.size() == 2 && segments[0] == one.name && segments[1] == "SKILL.md") return one.text;
    }
    return std::nullopt;
  }
  if (segments.size() == 1) {
    if (segments[0] == "formats") return formats_;
    if (segments[0] == "metrics" && !metrics_.empty()) return metrics_.list();
    if (segments[0] == "tools") return tool_pages_list(registry);
  }
  if (segments.size() == 2 && segments[0] == "metrics") return metrics_.page(segments[1]);
  if (segments.size() == 2 && segments[0] == "tools") {
    if (const engine::RegisteredTool* tool = registry.find(segments[1])) return tool_page(tool->decl);
  }
  return std::nullopt;
}

Error OwnCatalog::unknown(const std::string& uri, const Address& address, const engine::Registry& registry) const {
  std::vector<std::string> known;
  for (const Resource& one : resources()) known.push_back(one.uri);
  if (address.scheme == "stepwise" && address.segments.size() == 2) {
    const std::string folder = "stepwise://" + address.segments[0] + "/";
    for (const std::string& name : names_for(folder + "{name}", registry)) known.push_back(folder + name);
  }
  return unknown_resource(uri, "There is no such resource.", nearest_names(uri, known));
}

/// An analysis that there is not would be looked for in vain by whoever reads the prompt.
std::optional<CatalogAnswer<PromptMessages>> OwnCatalog::prompt(const std::string& name,
                                                                const std::map<std::string, std::string>& arguments,
                                                                const engine::ClientInput&) const {
  const auto registry = engine_.registry();
  for (const auto& [argument, value] : arguments) {
    const std::string wanted{trim(value)};
    if (prompt_value(name, argument) != PromptValue::analysis || wanted.empty() || registry->find(wanted) != nullptr) {
      continue;
    }
    Error error = engine::unknown_tool(*registry, shorten(wanted, 60));
    error.where = "/params/arguments/" + argument;
    return error;
  }
  auto messages = skill_prompt(skills_, name, arguments);
  if (!messages) return std::nullopt;
  return std::move(*messages);
}

std::vector<std::string> OwnCatalog::skill_names() const {
  std::vector<std::string> names;
  for (const Skill& one : skills_) names.push_back(one.name);
  return names;
}

std::vector<std::string> OwnCatalog::names_for(const std::string& uri_template,
                                               const engine::Registry& registry) const {
  if (uri_template == "skill://{name}/SKILL.md") return skill_names();
  if (uri_template == "stepwise://metrics/{name}") return metrics_.names();
  if (uri_template == "stepwise://parameters/{name}") return parameter_names(registry);
  if (uri_template == "profile://{id}/tables/{table}") return table_names();
  if (uri_template == "profile://{id}/analyses/{analysis}") return analyses_to_read(registry);
  std::vector<std::string> names;
  if (uri_template == "stepwise://tools/{name}") {
    for (const auto& [name, tool] : registry.tools()) names.push_back(name);
  }
  return names;
}

std::optional<CatalogAnswer<Completion>> OwnCatalog::complete(const CompletionAsk& ask) const {
  const auto registry = engine_.registry();
  const bool is_too_long = ask.value.size() > kAddressBytes;
  if (ask.of_prompt) {
    const auto own = prompts();
    const auto is_it = [&](const Prompt& one) { return one.name == ask.ref; };
    if (std::none_of(own.begin(), own.end(), is_it)) return std::nullopt;
    if (is_too_long) return Completion{};
    switch (prompt_value(ask.ref, ask.argument)) {
      case PromptValue::profile:
        return complete_profile(ask.value, false);
      case PromptValue::analysis:
        return Completion{best_first(ask.value, analyses_to_read(*registry))};
      case PromptValue::words:
        break;
    }
    return Completion{};
  }
  const auto own = templates();
  const auto is_it = [&](const ResourceTemplate& one) { return one.uri_template == ask.ref; };
  if (std::none_of(own.begin(), own.end(), is_it)) return std::nullopt;
  if (is_too_long || ask.ref.find("{" + ask.argument + "}") == std::string::npos) return Completion{};
  if (ask.argument == "id") return complete_profile(ask.value, true);
  if (ask.argument == "op_type") {
    const auto profile = ask.context.find("id");
    const bool is_settled = profile != ask.context.end() && is_profile_id(profile->second);
    if (!is_settled) return Completion{};  // of which profile?
    return complete_operator(profile->second, ask.value);
  }
  return Completion{best_first(ask.value, names_for(ask.ref, *registry))};
}

}  // namespace

std::shared_ptr<const Catalog> own_catalog(const OwnCatalogOptions& options) {
  return std::make_shared<OwnCatalog>(options);
}

}  // namespace stepwise::mcp
