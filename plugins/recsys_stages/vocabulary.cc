#include "vocabulary.h"

#include <algorithm>

#include "name_words.h"

namespace stepwise::recsys_stages {
namespace {

constexpr size_t kMostKeywords = 1'000, kLongest = 200;

}  // namespace

std::optional<Vocabulary> read_vocabulary(const sdk::Value& declared, std::string& why) {
  Vocabulary out;
  if (declared.is_absent() || declared.is_null()) return out;
  if (!declared.is_object()) {
    why = "it is no object";
    return std::nullopt;
  }
  for (const std::string& key : declared.keys()) {
    const auto stage = std::find(kStageNames.begin(), kStageNames.end(), key);
    if (stage == kStageNames.end()) {
      why = "`" + key.substr(0, 64) + "` is no stage";
      return std::nullopt;
    }
    const sdk::Value words = declared[key];
    if (!words.is_array()) why = "`" + key + "` is no list";
    for (size_t i = 0; i < words.size() && why.empty(); ++i) {
      const auto word = words.at(i).text();
      const std::string text = word && word->size() <= kLongest ? NameWords(*word).text : std::string();
      if (text.empty()) why = "keyword " + std::to_string(i + 1) + " of `" + key + "` has no letters, or too many";
      out.push_back({text, static_cast<Stage>(stage - kStageNames.begin())});
      if (out.size() > kMostKeywords) why = "there are more than " + std::to_string(kMostKeywords) + " keywords";
    }
    if (!why.empty()) return std::nullopt;
  }
  return out;
}

}  // namespace stepwise::recsys_stages
