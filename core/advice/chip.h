// Profiles of chips: cores, peaks, bandwidths, each figure with its own source. What no source says is absent; no
// figure is guessed. Read once, immutable; any thread.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/advice/source.h"
#include "core/base/error.h"

namespace stepwise::advice {

struct ChipFigure {
  double value = 0;
  Confidence confidence = Confidence::none;  // low: nothing may be decided by it alone
  Source source;
};

struct Chip {
  std::string id, name;
  std::string vendor;                                  // huawei, nvidia, amd
  std::string hardware;                                // a word of the knowledge base's hardware
  std::vector<std::string> aliases;                    // as profilers and tools write it
  std::optional<ChipFigure> cube_cores, vector_cores;  // of an Ascend
  std::optional<ChipFigure> multiprocessors;           // of a GPU: SMs, compute units
  std::optional<ChipFigure> memory_bytes, memory_bandwidth_bytes_per_s;
  /// By dtype: of its matrix units, without sparsity.
  std::map<std::string, ChipFigure, std::less<>> peak_flops;
  /// One way, bytes a second, by the link's name: nvlink, in_node (to another chip of the server).
  std::map<std::string, ChipFigure, std::less<>> links;
  std::string notes;
};

class Chips {
 public:
  static constexpr const char* kFile = "chips.json";

  Chips() = default;
  /// As Knowledge::load says, of chips.json. A name that two chips have is a fault.
  static Chips load(const std::vector<std::filesystem::path>& directories, std::vector<Error>& faults);

  const std::vector<Chip>& all() const { return chips_; }
  /// By name, alias or id, without regard to case; nullptr: unknown.
  const Chip* find(std::string_view name) const;

 private:
  std::vector<Chip> chips_;
  std::map<std::string, size_t, std::less<>> by_lower_name_;
};

}  // namespace stepwise::advice
