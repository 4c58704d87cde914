// Slices as PyTorch's Kineto writes them: their category says what they are.
#pragma once

#include <string>
#include <vector>

#include "core/ingest/timeline/trace_interpret.h"

namespace stepwise::ingest {

class KinetoInterpreter final : public EventInterpreter {
 private:
  void take_slice(const EventFields& fields, uint32_t position) override;
  bool take_instant(const EventFields& fields, uint32_t position) override;
  void forget_window() override;
  bool read_named_track(const EventFields& fields, bool needs_tid, uint32_t& track) override;
  void name_track(NameRecord::What what, uint32_t track, std::string_view token);
  bool read_category(std::string_view token, KinetoSlice& slice);
  bool read_arguments(const EventFields& fields, uint32_t position, KinetoSlice& slice);
  bool read_shapes(std::string_view token, uint32_t position, KinetoSlice& slice);

  std::vector<bool> is_named_;  // of the window's tracks
  // The category seen last in the window: neighbours mostly share it.
  std::string last_category_;
  KinetoKind last_kind_ = KinetoKind::other;
  int32_t last_category_text_ = kNoText;
};

MakeInterpreter make_kineto_interpreter;

}  // namespace stepwise::ingest
