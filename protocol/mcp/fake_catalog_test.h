// A catalog with one of each, for tests of the protocol.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "protocol/mcp/catalog.h"

namespace stepwise::mcp {

class FakeCatalog final : public Catalog {
 public:
  std::vector<Resource> resources() const override {
    return {{"test://b", "b", "", "The second.", "text/plain", 2}, {"test://a", "a", "", "", "", std::nullopt}};
  }
  std::vector<ResourceTemplate> templates() const override {
    return {{"test://by-tool/{id}", "by tool", "Title", "", "text/plain"}};
  }
  std::optional<CatalogAnswer<std::vector<ResourceContents>>> read(const std::string& uri,
                                                                   const engine::ClientInput&) const override {
    if (uri == "test://a") return std::vector<ResourceContents>{{uri, "text/plain", "contents of a"}};
    if (uri == "test://blob") return std::vector<ResourceContents>{{uri, "image/png", "AAAA", true}};
    if (uri.rfind("test://by-tool/", 0) == 0 || uri.rfind("profile://", 0) == 0) {
      ByTool<std::vector<ResourceContents>> by_tool;
      by_tool.request.tool = "echo";
      by_tool.then = [uri](engine::Answer answer) -> Result<std::vector<ResourceContents>> {
        if (answer.error && answer.error->code == "profile.unknown") {
          return Error{ErrorKind::not_found, "resource.unknown", answer.error->message, "", uri};
        }
        if (answer.error) return *std::move(answer.error);
        return std::vector<ResourceContents>{{uri, "text/plain", answer.text}};
      };
      return by_tool;
    }
    if (uri.rfind("test://", 0) == 0) {
      return Error{ErrorKind::not_found, "resource.unknown", "There is no such thing.", "", uri};
    }
    return std::nullopt;
  }

  std::vector<Prompt> prompts() const override {
    return {{"greet", "", "Greets.", {{"whom", "Whose name.", true}}}, {"ask", "", "", {}}};
  }
  std::optional<CatalogAnswer<PromptMessages>> prompt(const std::string& name,
                                                      const std::map<std::string, std::string>& arguments,
                                                      const engine::ClientInput& client) const override {
    if (name == "ask" && client.responses.empty()) {
      return engine::ClientAsk{{{"who", {{"method", "elicitation/create"}, {"params", Json::object()}}}}, ""};
    }
    if (name != "greet" && name != "ask") return std::nullopt;
    const std::string whom = name == "ask" ? "you" : arguments.at("whom");
    PromptMessages out;
    out.messages.push_back({{"role", "user"}, {"content", {{"type", "text"}, {"text", "Hello, " + whom}}}});
    return out;
  }

  std::optional<CatalogAnswer<Completion>> complete(const CompletionAsk& ask) const override {
    if (ask.ref != "greet") return std::nullopt;
    Completion completion;
    for (int i = 0; i < 150; ++i) completion.values.push_back(ask.value + std::to_string(i));
    return completion;
  }
};

}  // namespace stepwise::mcp
