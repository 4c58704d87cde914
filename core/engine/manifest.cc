#include "core/engine/manifest.h"

#include <algorithm>
#include <system_error>

#include "core/base/small_file.h"
#include "core/engine/schema.h"

namespace stepwise::engine {
namespace {

namespace fs = std::filesystem;

// What "$ref": "#/common/NAME" stands for: arguments that mean the same in every tool.
const Json& common_arguments() {
  static const Json common = {
      {"step", {{"type", "integer"}, {"description", "The profiler's own step number."}}},
      {"profile", {{"type", "string"}, {"description", "Id from open_profile, or a path."}}},
      {"rank", {{"type", "integer"}, {"minimum", 0}, {"description", "Default: the lowest rank."}}},
      {"cursor", {{"type", "string"}, {"description", "next_cursor of the answer before."}}},
  };
  return common;
}

const Json& manifest_tool_schema() {
  static const Json schema = [] {
    const Json text = {{"type", "string"}};
    const Json texts = {{"type", "array"}, {"items", text}};
    return Json{
        {"type", "object"},
        {"required", {"name", "description", "input", "output"}},
        {"additionalProperties", false},
        {"properties",
         {{"name", text},
          {"title", text},
          {"description", text},
          {"exposure", {{"enum", {"core", "extra"}}}},
          {"per", {{"enum", {"rank", "profile", "none"}}}},
          {"default_limit", {{"type", "integer"}, {"minimum", 1}, {"maximum", 1000}}},
          {"takes_limit", {{"type", "boolean"}}},
          {"needs", {{"type", "array"}, {"items", texts}}},
          {"uses", {{"type", "array"}}},
          {"calls", texts},
          {"calls_if_there", texts},
          {"annotations", {{"type", "object"}}},
          {"input", {{"type", "object"}}},
          {"output", {{"type", "object"}}},
          {"view",
           {{"type", "object"}, {"properties", {{"columns", texts}, {"additive", texts}, {"rank_by", text}}}}}}}};
  }();
  return schema;
}

const Json& use_schema() {
  static const Json schema = {{"type", "object"},
                              {"required", {"table"}},
                              {"properties",
                               {{"table", {{"type", "string"}}},
                                {"costs", {{"type", "string"}}},
                                {"ranks", {{"const", "all"}}},
                                {"profiles", {{"type", "array"}, {"items", {{"type", "string"}}}}}}}};
  return schema;
}

Error manifest_error(const std::string& plugin, const Error& cause) {
  return {ErrorKind::plugin, "plugin.manifest",
          "The manifest of plugin `" + plugin + "` cannot be used: " + cause.message, cause.hint, cause.where};
}

Result<Json> resolve_refs(Json input) {
  const auto properties = input.find("properties");
  if (properties == input.end()) return input;
  for (auto& [name, property] : properties->items()) {
    const auto ref = property.is_object() ? property.find("$ref") : property.end();
    if (!property.is_object() || ref == property.end()) continue;
    const std::string target = ref->is_string() ? ref->get<std::string>() : "";
    const std::string prefix = "#/common/";
    if (target.rfind(prefix, 0) != 0 || !common_arguments().contains(target.substr(prefix.size()))) {
      return Error{ErrorKind::plugin, "plugin.manifest", "`$ref` to `" + target + "` leads nowhere.", "",
                   "/properties/" + name};
    }
    property = common_arguments()[target.substr(prefix.size())];
  }
  return input;
}

void add_host_arguments(ToolDecl& tool, bool has_rows) {
  Json& properties = tool.input["properties"];
  if (properties.is_null()) properties = Json::object();
  const auto add = [&properties](const char* name, const Json& schema) {
    if (!properties.contains(name)) properties[name] = schema;
  };
  if (tool.needs_profile) add("profile", common_arguments()["profile"]);
  if (tool.needs_profile && tool.per_rank) add("rank", common_arguments()["rank"]);
  if (has_rows || tool.takes_limit) {
    add("limit", {{"type", "integer"},
                  {"minimum", 1},
                  {"maximum", limits::kMaxLimitArgument},
                  {"description", "Rows to answer; default " + std::to_string(tool.default_limit) + "."}});
  }
  if (has_rows) add("cursor", common_arguments()["cursor"]);
  if (!tool.input.contains("additionalProperties")) tool.input["additionalProperties"] = false;
}

Result<std::string> read_text(const fs::path& path) {
  auto text = read_small_file(path, limits::kMaxMessageBytes);
  if (!text) {
    return Error{ErrorKind::plugin, "plugin.manifest", "The manifest cannot be read.", "", path.string()};
  }
  return *std::move(text);
}

}  // namespace

Result<ToolDecl> tool_from_json(const Json& tool, const std::string& plugin) {
  if (auto ok = validate(manifest_tool_schema(), tool); !ok.ok()) return manifest_error(plugin, ok.error());
  ToolDecl decl;
  decl.name = tool["name"];
  decl.title = tool.value("title", decl.name);
  decl.description = tool["description"];
  decl.core = tool.value("exposure", "extra") == "core";
  const std::string per = tool.value("per", "rank");
  decl.per_rank = per == "rank";
  decl.needs_profile = per != "none";
  decl.default_limit = tool.value("default_limit", decl.default_limit);
  decl.takes_limit = tool.value("takes_limit", false);
  decl.needs = tool.value("needs", decl.needs);
  for (const Json& use : tool.value("uses", Json::array())) {
    if (use.is_string()) {
      decl.uses.push_back({use.get<std::string>(), ""});
    } else if (use.is_object() && validate(use_schema(), use).ok()) {
      decl.uses.push_back({use["table"].get<std::string>(), use.value("costs", ""), use.contains("ranks"),
                           use.value("profiles", std::vector<std::string>{})});
    } else {
      return manifest_error(plugin, {ErrorKind::plugin, "",
                                     "`uses` lists tables, or {table, costs, ranks: \"all\", profiles}.", "", "/uses"});
    }
  }
  decl.calls = tool.value("calls", decl.calls);
  decl.calls_if_there = tool.value("calls_if_there", decl.calls_if_there);
  decl.annotations = tool.value(
      "annotations",
      Json{{"readOnlyHint", true}, {"destructiveHint", false}, {"idempotentHint", true}, {"openWorldHint", false}});
  auto input = resolve_refs(tool["input"]);
  if (!input.ok()) return manifest_error(plugin, input.error());
  decl.input = std::move(input).value();
  decl.output = tool["output"];
  const Json view = tool.value("view", Json::object());
  decl.view.columns = view.value("columns", decl.view.columns);
  decl.view.additive = view.value("additive", decl.view.additive);
  decl.view.rank_by = view.value("rank_by", "");
  decl.plugin = plugin;
  add_host_arguments(decl, !decl.view.columns.empty());
  return decl;
}

Result<std::shared_ptr<const PluginInfo>> read_manifest(const fs::path& manifest, bool is_own) {
  SW_ASSIGN_OR_RETURN(const std::string text, read_text(manifest));
  auto parsed = parse_json(text);
  if (!parsed.ok()) return manifest_error(manifest.string(), parsed.error());
  const Json& json = parsed.value();
  static const Json kSchema = {
      {"type", "object"},
      {"required", {"manifest", "id", "version", "abi", "licence", "tools"}},
      {"properties",
       {{"manifest", {{"const", 1}}},
        {"id", {{"type", "string"}, {"minLength", 3}, {"maxLength", 64}}},
        {"version", {{"type", "string"}}},
        {"abi",
         {{"type", "array"}, {"items", {{"type", "integer"}, {"minimum", 0}}}, {"minItems", 2}, {"maxItems", 2}}},
        {"licence", {{"type", "string"}}},
        {"binary_id", {{"type", "string"}}},
        {"tools", {{"type", "array"}, {"items", {{"type", "object"}}}}}}}};
  if (auto ok = validate(kSchema, json); !ok.ok()) return manifest_error(manifest.string(), ok.error());
  if (json["abi"][0] != SW_ABI_MAJOR || json["abi"][1].get<int>() > SW_ABI_MINOR) {
    return manifest_error(manifest.string(),
                          {ErrorKind::plugin, "",
                           "it is made for ABI " + dump_json(json["abi"]) + ", this program has " +
                               std::to_string(SW_ABI_MAJOR) + "." + std::to_string(SW_ABI_MINOR) + ".",
                           "", "/abi"});
  }
  auto info = std::make_shared<PluginInfo>();
  info->is_own = is_own;
  info->id = json["id"];
  info->version = json["version"];
  info->licence = json["licence"];
  info->binary_id = json.value("binary_id", "");
  info->manifest_path = manifest.string();
  info->library_path = (manifest.parent_path() / (info->id + ".so")).string();
  for (const Json& tool : json["tools"]) {
    SW_ASSIGN_OR_RETURN(ToolDecl decl, tool_from_json(tool, info->id));
    info->tools.push_back(std::move(decl));
  }
  return std::shared_ptr<const PluginInfo>(std::move(info));
}

std::vector<std::shared_ptr<const PluginInfo>> find_plugins(const std::vector<fs::path>& dirs, const fs::path& own_dir,
                                                            std::vector<Error>& refused) {
  std::vector<std::shared_ptr<const PluginInfo>> plugins;
  for (const fs::path& dir : dirs) {
    std::vector<fs::path> manifests;
    std::error_code ec;
    if (fs::exists(dir / "plugin.json", ec)) manifests.push_back(dir / "plugin.json");
    for (fs::directory_iterator it(dir, ec), end; !ec && it != end; it.increment(ec)) {
      std::error_code ignored;
      if (fs::exists(it->path() / "plugin.json", ignored)) manifests.push_back(it->path() / "plugin.json");
    }
    if (ec) {
      refused.push_back({ErrorKind::plugin, "plugin.dir", "The plugin directory cannot be read: " + ec.message() + ".",
                         "", dir.string()});
    }
    std::sort(manifests.begin(), manifests.end());
    for (const fs::path& manifest : manifests) {
      auto info = read_manifest(manifest, dir == own_dir);
      if (info.ok()) {
        plugins.push_back(std::move(info).value());
      } else {
        refused.push_back(info.take_error());
      }
    }
  }
  return plugins;
}

}  // namespace stepwise::engine
