// A parameter as the knowledge base holds it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/advice/claim.h"
#include "core/advice/source.h"
#include "core/advice/value_grammar.h"
#include "core/base/json.h"

namespace stepwise::advice {

enum class ParameterKind : uint8_t { env, option, cli, config, api, value, claim };
const char* to_string(ParameterKind kind);

/// verified: name and values were found in source code or documents. contradicted: a source says something else.
/// not_found: no source was found.
enum class Status : uint8_t { verified, contradicted, not_found };
const char* to_string(Status status);

/// Not together with another parameter, whether that is advised too or was set in the run.
struct Conflict {
  std::string with;                                // id
  std::optional<std::string> value, with_value{};  // only where the two have these; nullopt: any
  std::string says;
  bool at_fault = false;  // of the two this one is refused where both are proposed, and the other is not
};

struct Parameter {
  std::string id, name;
  ParameterKind kind = ParameterKind::env;
  std::vector<std::string> aliases;
  Status status = Status::not_found;
  Confidence confidence = Confidence::none;
  std::optional<ValueGrammar> value;  // nullopt: only the name is known
  std::string value_says;
  std::optional<std::string> default_value;  // where it is one value
  std::string default_says, since;
  // Where it applies; empty: everywhere. Vocabularies: docs/guide/knowledge.md.
  std::vector<std::string> modes, toolchains, scenarios, frameworks, hardware;
  std::string hardware_says, effect, risk, notes;
  bool needs_varying_shapes = false;  // a measure for dynamic shapes: of no use in a graph of static ones
  std::vector<Conflict> conflicts;
  std::vector<std::string> instead;  // ids of what is true, for what is not
  std::optional<Claim> claim;        // of kind claim
  std::vector<Source> sources;
};

/// As in the file, without what is empty; the value in words besides.
Json to_json(const Parameter& parameter);

}  // namespace stepwise::advice
