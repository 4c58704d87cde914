// The value of a known name as the gate is to judge it. Internal to core/advice/gate.
#pragma once

#include "core/advice/gate/definitions.h"
#include "core/advice/gate/mention_value.h"
#include "core/advice/gate/readable.h"
#include "core/advice/parameter.h"

namespace stepwise::advice {

struct KnownValue {
  GivenValue given{};        // with what variables of the text stand for; none: it cannot be judged
  bool is_computed = false;  // by the text itself, or its grammar is not known: no value, and none is missing
  bool is_unclear = false;   // a variable that the text says nothing of
};

struct ValuePlace {
  const Readable& readable;
  const Definitions& definitions;
  bool is_flag = false;  // --name, whose value is a word of a shell
  bool is_in_brackets = false;
};

/// Variables that the text defines are replaced by what they were given.
KnownValue known_value(const GivenValue& given, const Parameter& parameter, const ValuePlace& place);

}  // namespace stepwise::advice
