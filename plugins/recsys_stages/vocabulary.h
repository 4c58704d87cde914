// Keywords of a user's own, beside those of keywords.h: what a profile declares as `stage_keywords`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stage.h"
#include "stepwise/sdk.hpp"

namespace stepwise::recsys_stages {

struct OwnKeyword {
  std::string text;  // as names are compared: lower case, letters and digits only
  Stage stage = Stage::unclassified;
};
using Vocabulary = std::vector<OwnKeyword>;

/// From {"forward": ["tower", ...], "unclassified": [...]}; absent is empty. nullopt: it is of another shape, and `why`
/// says what is wrong.
std::optional<Vocabulary> read_vocabulary(const sdk::Value& declared, std::string& why);

}  // namespace stepwise::recsys_stages
