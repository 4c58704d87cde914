#include "core/ingest/database/db_events.h"

#include <algorithm>

namespace stepwise::ingest {
namespace {

constexpr size_t kRowsInWindow = 1 << 15;
constexpr size_t kMaxTexts = 1 << 17;  // remembered at a time

}  // namespace

int32_t DbEvents::text(std::string_view text, TextForm form) {
  scratch_ = text;
  if (form != TextForm::plain) {
    std::erase_if(scratch_, [form](char c) { return c == '\r' || (c == '\n' && form == TextForm::one_line); });
  }
  const auto [it, is_new] = texts_.try_emplace(scratch_, static_cast<int32_t>(texts_.size()));
  if (is_new) {
    window_.fresh.bytes += scratch_;
    window_.fresh.ends.push_back(window_.fresh.bytes.size());
  }
  return it->second;
}

void DbEvents::name_process(int64_t pid, std::string_view name, std::string_view label) {
  const uint32_t process = tracks_.number_of({pid, kNoNumber});
  window_.names.push_back({NameRecord::What::process_name, process, text(name)});
  window_.names.push_back({NameRecord::What::process_labels, process, text(label)});
}

void DbEvents::name_thread(int64_t pid, int64_t tid, std::string_view name) {
  window_.names.push_back({NameRecord::What::thread_name, track(pid, tid), text(name)});
}

void DbEvents::add(const SampleRecord& sample, bool is_first) {
  if (window_.sample_events.size() <= sample.track) window_.sample_events.resize(sample.track + 1);
  window_.sample_events[sample.track] += is_first ? 1 : 0;
  window_.samples.push_back(sample);
  pass_on_if_full();
}

void DbEvents::pass_on_if_full() {
  if (window_.slices.size() + window_.flows.size() + window_.samples.size() >= kRowsInWindow) pass_on();
}

void DbEvents::pass_on() {
  window_.tracks = tracks_.keys();
  window_.sample_events.resize(window_.tracks.size());
  merger_.merge(window_);
  window_ = {};
  tracks_.clear();
  if (texts_.size() < kMaxTexts) return;
  texts_.clear();
  window_.fresh.restarted = true;
}

}  // namespace stepwise::ingest
