// The six stages of a recommendation model's training step.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace stepwise::recsys_stages {

enum class Stage : uint8_t {
  preprocess,
  embedding_fetch,
  forward,
  backward,
  update_embedding,
  update_dense,
  unclassified,  // last: what is none of the six
};
inline constexpr size_t kStages = 6;

inline constexpr std::array<const char*, kStages + 1> kStageNames{
    "preprocess", "embedding_fetch", "forward", "backward", "update_embedding", "update_dense", "unclassified"};

constexpr const char* stage_name(Stage stage) { return kStageNames[static_cast<size_t>(stage)]; }
constexpr size_t slot(Stage stage) { return static_cast<size_t>(stage); }

}  // namespace stepwise::recsys_stages
