// What advise and validate_advice say in an answer's text: it is read without the structure, so nothing in it is cut.
#pragma once

#include <string>

#include "core/base/json.h"

namespace stepwise::engine {

/// A row of advise, numbered: finding, measure, trigger, bound, parameters with their sources, conditions, place, risk,
/// documents, example. `links`: those of the answer, [{name, address}]. `lang`: en, zh.
std::string advice_text(size_t number, const Json& row, const Json& links, const std::string& lang);

/// What advise says before its rows: the run as it was taken, the rules judged.
std::string advice_head(const Json& context, const Json& judged);

/// An item of validate_advice, numbered: verdict, reason, each parameter that was not accepted, what is lacking, the
/// rewrite whole.
std::string item_text(size_t number, const Json& item);

/// What validate_advice says before its items: the counts, and the figures that the profile does not bear out.
std::string validation_head(const Json& body);

}  // namespace stepwise::engine
