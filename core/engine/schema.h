// JSON Schema, the closed subset that Stepwise's tools use: type, properties, required, enum, const, minimum, maximum,
// minLength, maxLength, minItems, maxItems, items, additionalProperties, default, description, title, x-role.
// Validators in the field ignore what they do not know; here an unknown keyword is an error when a tool is loaded.
#pragma once

#include <string>

#include "core/base/json.h"

namespace stepwise::engine {

/// Errors: usage `schema.keyword` and the like; where = JSON pointer into the schema.
Result<void> check_schema(const Json& schema);
/// Input schemas besides are flat objects without unions of types: some model providers refuse anything else.
Result<void> check_input_schema(const Json& schema);

/// Errors: usage `args.*`; where = JSON pointer into the value; the message says what was given and what is valid.
Result<void> validate(const Json& schema, const Json& value);

/// The validated value with the schema's defaults filled in where its top-level properties are absent, and integers
/// that were written as 3.0 made integers.
Json with_defaults(const Json& schema, Json value);

}  // namespace stepwise::engine
