#include <algorithm>
#include <array>

#include "recsys_stages.h"
#include "sync_sources.h"

namespace stepwise::recsys_stages {
namespace {

using sdk::JsonWriter;

class Aligner {
 public:
  explicit Aligner(const StepModel& model) : all_(model.device.communications), clock_(model.host, model.windows) {
    for (const Communication& one : all_) {
      latest_end_.push_back(std::max(one.end_ns, latest_end_.empty() ? one.end_ns : latest_end_.back()));
    }
  }

  /// Of the communication that takes most of the span; without any of which the launch is known, as by time.
  Stage by_launch(const Interval& span) const {
    const auto past = std::partition_point(all_.begin(), all_.end(),
                                           [&span](const Communication& one) { return one.start_ns < span.end_ns; });
    std::array<int64_t, kStages + 1> ns{};
    for (auto i = static_cast<size_t>(past - all_.begin()); i > 0 && latest_end_[i - 1] > span.start_ns; --i) {
      const Communication& one = all_[i - 1];
      ns[slot(one.stage)] +=
          std::max<int64_t>(std::min(one.end_ns, span.end_ns) - std::max(one.start_ns, span.start_ns), 0);
    }
    const auto most = std::max_element(ns.begin(), ns.end());
    return *most > 0 ? static_cast<Stage>(most - ns.begin()) : by_time(span);
  }
  Stage by_time(const Interval& span) const { return clock_.at(span.start_ns); }

 private:
  const std::vector<Communication>& all_;
  std::vector<int64_t> latest_end_;  // up to each
  const StageClock clock_;
};

void write_stages(JsonWriter& w, const sdk::Value& spans, const Aligner& aligner) {
  w.key("stages").begin_array();
  for (size_t i = 0; i < spans.size(); ++i) {
    const Interval span{spans.at(i).at(0).integer().value_or(0), spans.at(i).at(1).integer().value_or(0)};
    w.begin_object().field("stage", stage_name(aligner.by_launch(span)));
    w.field("stage_by_time", stage_name(aligner.by_time(span))).end_object();
  }
  w.end_array();
}

void write_sources(JsonWriter& w, const SyncSources& sources) {
  w.key("sync_sources").begin_array();
  for (const SyncSource& one : sources.list) {
    w.begin_object().field("api", one.api).field("side", one.of_device ? "device" : "host");
    w.field("stage", stage_name(one.stage)).field("count", one.count).field("total_us", us_of(one.total_ns));
    w.field("max_us", us_of(one.max_ns)).end_object();
  }
  w.end_array().key("device_wait_us");
  sources.device_wait_ns ? w.value(us_of(*sources.device_wait_ns)) : w.value(nullptr);
}

const char* how_name(DeviceStages::How how) {
  switch (how) {
    case DeviceStages::How::launch:
      return "launch";
    case DeviceStages::How::time:
      return "time";
    case DeviceStages::How::none:
      break;
  }
  return "none";
}

}  // namespace

int32_t stage_alignment(sdk::Call& call) {
  int32_t returned = 0;
  const auto model = read_step_model(call, WithDevice::yes, returned);
  if (!model) return returned;
  JsonWriter w;
  w.begin_object().field("how", how_name(model->device.how));
  write_stages(w, call.args().all()["spans"], Aligner(*model));
  write_sources(w, find_sync_sources(call, *model, call.args().integer("of_step")));
  w.end_object();
  return call.emit(w);
}

}  // namespace stepwise::recsys_stages
