#include "core/base/json.h"
#include "tests/catch.h"

std::string Catch::StringMaker<nlohmann::json>::convert(const nlohmann::json& value) {
  return stepwise::dump_json(value);
}
