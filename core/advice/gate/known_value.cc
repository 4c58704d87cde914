#include "core/advice/gate/known_value.h"

#include <algorithm>

namespace stepwise::advice {
namespace {

/// No value to judge. `is_known`: it is computed, or its name says what stands in it; else nobody can tell.
KnownValue open(bool is_known) { return {GivenValue{}, is_known, !is_known}; }

KnownValue of_call(const GivenValue& given, const Parameter& parameter, const Definitions& definitions) {
  if (!parameter.value) return open(true);
  KnownValue out{given};
  out.given.value = with_defined_arguments(*given.value, definitions);
  const auto variables = parameter.value->open_arguments(*out.given.value);
  out.is_unclear =
      !std::all_of(variables.begin(), variables.end(), [](const std::string& one) { return names_quantity(one); });
  return out;
}

}  // namespace

KnownValue known_value(const GivenValue& given, const Parameter& parameter, const ValuePlace& place) {
  if (!given.value) return {given};
  if (given.how == Giving::called) return of_call(given, parameter, place.definitions);
  KnownValue out{given};
  if (given.value->starts_with('$')) {
    out.given.value = expanded(*given.value, place.definitions);
    return out.given.value ? out : open(false);
  }
  if (place.is_flag || !is_variable(place.readable, given, parameter, place.is_in_brackets)) return out;
  const Definitions::Value* defined = place.definitions.find(*given.value);
  if (defined == nullptr || !defined->literal) return open(defined != nullptr || names_quantity(*given.value));
  out.given.value = *defined->literal;
  return out;
}

}  // namespace stepwise::advice
