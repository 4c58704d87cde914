// Slices as Ascend's exporters write them: the framework's have a category, the device's and the driver stack's are
// told apart by their process.
#pragma once

#include <string>

#include "core/ingest/timeline/trace_interpret.h"

namespace stepwise::ingest {

class AscendInterpreter final : public EventInterpreter {
 private:
  void take_slice(const EventFields& fields, uint32_t position) override;
  void forget_window() override { last_category_.clear(); }
  bool read_arguments(const EventFields& fields, uint32_t position, SliceRecord& slice);
  bool read_category(std::string_view token, SliceRecord& slice);

  // The category seen last in the window: neighbours mostly share it.
  std::string last_category_;
  SliceKind last_kind_ = SliceKind::unstated;
  int32_t last_category_text_ = kNoText;
};

MakeInterpreter make_ascend_interpreter;

}  // namespace stepwise::ingest
