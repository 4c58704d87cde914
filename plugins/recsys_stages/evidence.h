// What stands beside the figures: where they come from, what to be careful about, what to ask next.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "breakdown_json.h"

namespace stepwise::recsys_stages {

struct Evidence {
  struct Item {
    std::string id, file;
    int64_t row;
    std::string says;
  };
  std::vector<Item> items;
  std::array<std::vector<std::string>, kStages> of_stage;  // ids
};

Evidence collect_evidence(const Answer& answer);
void write_warnings(sdk::JsonWriter& w, const Answer& answer);
void write_next(sdk::JsonWriter& w, const Answer& answer);

}  // namespace stepwise::recsys_stages
