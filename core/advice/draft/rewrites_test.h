// What a rewrite promises, for tests.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "core/advice/draft/validate.h"
#include "core/advice/gate/own_knowledge_test.h"

namespace stepwise::advice {

inline Gate eager() {
  return {own_knowledge(), Context{.mode = "eager", .scenario = "training", .framework = "pytorch"}};
}
inline Gate compiled() {
  return {own_knowledge(),
          Context{.mode = "ge", .toolchain = "ge_tf", .scenario = "inference", .framework = "tensorflow"}};
}
inline Gate undetermined() { return {own_knowledge(), Context{.mode = "undetermined"}}; }

/// Validated again nothing of a rewrite is refused, it claims no gain, and lacks nothing that the draft did not lack.
/// "": so it is; else what breaks the promise first.
inline std::string fault_of_rewrites(const Gate& gate, std::string_view draft, std::string_view lang) {
  const Json of_draft = validate(gate, {}, draft, lang);
  for (const Json& item : of_draft["items"]) {
    const auto rewrite = item["rewrite"].get<std::string>();
    const std::string at = "\ndraft: " + item["text"].get<std::string>() + "\nrewrite: " + rewrite;
    const Json of_rewrite = validate(gate, {}, rewrite, lang);
    for (const Json& one : of_rewrite["items"]) {
      if (one["verdict"] == "refused") return "refused: " + one["reason"].get<std::string>() + at;
    }
    const std::string items[] = {rewrite};
    const Json whole = validate(gate, {}, items, lang)["items"];
    if (whole.empty()) return "nothing is left" + at;
    if (whole.size() > 1) return "claims: " + whole[1]["reason"].get<std::string>() + at;
    if (whole[0]["verdict"] != "accepted") return "not accepted: " + whole[0]["reason"].get<std::string>() + at;
    const bool is_claim = item["rule"] == "R5";
    for (const Json& lack : whole[0]["lacks"]) {
      const bool lacked = std::find(item["lacks"].begin(), item["lacks"].end(), lack) != item["lacks"].end();
      if (!is_claim || !lacked) return "lacks " + lack.get<std::string>() + at;
    }
  }
  return "";
}

}  // namespace stepwise::advice
