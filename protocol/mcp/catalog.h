// What a server offers beside tools: resources to read, prompts to take, and how their arguments are completed.
//
// The server asks every catalog that it was given, in order; the first that knows an address or a name answers. Lists
// never change by what a client does, and are sorted, so that their bytes are always the same.
// Threads: any, also several at once. Nothing here waits for analyses: what needs one says so (`ByTool`).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/engine/client.h"
#include "core/engine/engine.h"

namespace stepwise::mcp {

struct Resource {
  std::string uri, name, title, description, mime_type;
  std::optional<uint64_t> size_bytes;
};
struct ResourceTemplate {
  std::string uri_template;  // RFC 6570, level 1: profile://{id}/report
  std::string name, title, description, mime_type;
};
struct ResourceContents {
  std::string uri, mime_type;
  std::string text;  // or base64, where is_blob
  bool is_blob = false;
};

struct PromptArgument {
  std::string name, description;
  bool required = false;
};
struct Prompt {
  std::string name, title, description;
  std::vector<PromptArgument> arguments;
};
struct PromptMessages {
  std::string description;
  Json messages = Json::array();  // [{role, content}] as MCP has them
};

struct CompletionAsk {
  bool of_prompt = false;  // else of a resource template
  std::string ref;         // the prompt's name, or the template
  std::string argument, value;
  std::map<std::string, std::string> context;  // arguments that are settled
};
struct Completion {
  std::vector<std::string> values;  // best first; the server shows 100
};

/// The answer comes out of a tool's: the server makes the call (with its cancellation and its limits) and hands the
/// tool's answer over, also a failed one.
template <class T>
struct ByTool {
  engine::Request request;
  std::function<Result<T>(engine::Answer)> then;
};
template <class T>
using CatalogAnswer = std::variant<T, Error, engine::ClientAsk, ByTool<T>>;

class Catalog {
 public:
  virtual ~Catalog() = default;

  virtual std::vector<Resource> resources() const { return {}; }
  virtual std::vector<ResourceTemplate> templates() const { return {}; }
  /// nullopt: not an address of this catalog. An address of it that names nothing is an error `resource.unknown`.
  virtual std::optional<CatalogAnswer<std::vector<ResourceContents>>> read(const std::string& uri,
                                                                           const engine::ClientInput& client) const {
    (void)uri, (void)client;
    return std::nullopt;
  }

  virtual std::vector<Prompt> prompts() const { return {}; }
  /// nullopt: no prompt of this catalog. The server has seen to it that required arguments are there.
  virtual std::optional<CatalogAnswer<PromptMessages>> prompt(const std::string& name,
                                                              const std::map<std::string, std::string>& arguments,
                                                              const engine::ClientInput& client) const {
    (void)name, (void)arguments, (void)client;
    return std::nullopt;
  }

  /// nullopt: nothing of this catalog is completed here.
  virtual std::optional<CatalogAnswer<Completion>> complete(const CompletionAsk& ask) const {
    (void)ask;
    return std::nullopt;
  }
};

}  // namespace stepwise::mcp
