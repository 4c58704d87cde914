#include "host_flags.h"

#include <algorithm>
#include <tuple>

#include "sync_names.h"

namespace stepwise::overview {
namespace {

namespace api_stat = table::api_stat;
namespace device_task = table::device_task;
namespace host_op = table::host_op;
namespace runtime_api = table::runtime_api;

constexpr double kCopiesAStep = 500, kSynchronisationsAStep = 10, kSynchronisedUsAStep = 100'000;
constexpr double kLaunchesAStep = 1'000, kShortLaunchUs = 20, kWaitsOfComputing = 0.10;

bool copies(std::string_view name) { return name == "aten::copy_" || name == "aten::to" || name == "aten::_to_copy"; }
bool copies_memory(std::string_view name) { return name.starts_with("aclrtMemcpy"); }
bool launches(std::string_view name) {
  return name == "launch" || name.starts_with("KernelLaunch") || name.starts_with("LaunchKernel") ||
         name.starts_with("aclrtLaunchKernel") || name.starts_with("cudaLaunchKernel") ||
         name.starts_with("cuLaunchKernel") || name.starts_with("hipLaunchKernel") ||
         name.starts_with("hipModuleLaunchKernel") || name.starts_with("hipExtModuleLaunchKernel");
}

using Wanted = bool (*)(std::string_view);

void add(CallFamily& family, std::string_view name, int64_t dur_ns, std::optional<int64_t> step, int64_t row) {
  ++family.all.count;
  family.all.total_ns += dur_ns;
  if (step) {
    CallSum& sum = family.by_step[*step];
    ++sum.count;
    sum.total_ns += dur_ns;
  }
  if (dur_ns > family.longest_ns) {
    family.longest_ns = dur_ns;
    family.row = row;
    family.name = name;
  }
}

using Families = std::map<std::string_view, CallFamily>;  // by level, or by name

// Of the driver's calls in the timeline, by level; a call inside another wanted one of its level counts with that.
// Where the timeline tells steps, calls outside all of them are none of a step's: of these a family may be empty.
Families of_driver(const sdk::Call& call, const sdk::TableView& view, std::optional<int64_t> only, Wanted wanted) {
  Families out;
  const auto name = view[runtime_api::name];
  std::vector<int8_t> known(name.dictionary_size(), -1);
  const auto is_wanted = [&](uint64_t row) {
    if (name.is_null(row)) return false;
    int8_t& is = known[static_cast<size_t>(name.code(row))];
    if (is < 0) is = wanted(bare_name(name[row])) ? 1 : 0;
    return is == 1;
  };
  call.for_each_row(view.rows(), [&](uint64_t row) {
    const auto step = view[runtime_api::step].get(row);
    if (!is_wanted(row) || (only && step != only)) return;
    const std::string_view level = level_of(view[runtime_api::category].get(row));
    const auto outer = view[runtime_api::parent_id].get(row);
    const bool inside =
        outer && static_cast<uint64_t>(*outer) < view.rows() && is_wanted(static_cast<uint64_t>(*outer));
    if (inside && level_of(view[runtime_api::category].get(static_cast<uint64_t>(*outer))) == level) return;
    CallFamily& family = out[level];
    family.level = level;
    family.file = view.source_file();
    if (!step && view[runtime_api::step].any()) return;
    add(family, bare_name(name[row]), view[runtime_api::dur_ns][row], step, view[runtime_api::src_pos][row]);
  });
  return out;
}

Families of_statistic(const sdk::Call& call, const sdk::TableView& view, Wanted wanted) {
  Families out;
  for (const HostRow& row : rows_of_statistic(call, view)) {
    if (!wanted(row.name)) continue;
    CallFamily& family = out[row.level];
    family.level = row.level;
    family.file = row.file;
    family.all.count += row.count;
    family.all.total_ns += row.total_ns;
    if (row.total_ns <= family.longest_ns) continue;
    family.longest_ns = row.total_ns;
    family.row = row.row;
    family.name = row.name;
  }
  return out;
}

// Of the framework's operators, by name: one wraps the other, so they are not to be added.
Families of_framework(const sdk::Call& call, const sdk::TableView& view, std::optional<int64_t> only, Wanted wanted) {
  Families out;
  const auto name = view[host_op::name];
  call.for_each_row(view.rows(), [&](uint64_t row) {
    const auto step = view[host_op::step].get(row);
    if ((only && step != only) || (!step && view[host_op::step].any()) || !wanted(name[row])) return;
    CallFamily& family = out[name[row]];
    family.level = "framework";
    family.file = view.source_file();
    add(family, name[row], view[host_op::dur_ns][row], step, view[host_op::src_pos][row]);
  });
  return out;
}

class Flags {
 public:
  Flags(sdk::Call& call, uint32_t rank, const FlagInputs& inputs)
      : call_(call),
        inputs_(inputs),
        ops_(call.table(rank, host_op::kTable)),
        driver_(call.table(rank, runtime_api::kTable)),
        statistic_(call.table(rank, api_stat::kTable)),
        tasks_(call.table(rank, device_task::kTable)) {}

  std::vector<HostFlag> take() {
    if (inputs_.iterations && *inputs_.iterations > 0) {
      tell_copies();
      tell_synchronisations();
      tell_launches();
    }
    tell_device_waits();
    return std::move(flags_);
  }

 private:
  // The timeline tells steps; without it the sums of the whole run do.
  Families driver_calls(Wanted wanted) const {
    if (driver_) {
      Families calls = of_driver(call_, *driver_, inputs_.step, wanted);
      if (!calls.empty() || inputs_.step) return calls;
    }
    return statistic_ && !inputs_.step ? of_statistic(call_, *statistic_, wanted) : Families{};
  }
  bool knows_driver() const { return driver_ || (statistic_ && !inputs_.step); }

  // Levels wrap each other: the first of these that has calls stands for all.
  static const CallFamily* one_level(const Families& calls, std::initializer_list<std::string_view> levels) {
    for (const std::string_view level : levels) {
      const auto it = calls.find(level);
      if (it != calls.end() && it->second.all.count > 0) return &it->second;
    }
    return nullptr;
  }
  // Of as many, the longer: it wraps the other.
  static const CallFamily* most(const Families& calls) {
    const auto figures = [](const CallFamily& family) { return std::tie(family.all.count, family.all.total_ns); };
    const CallFamily* out = nullptr;
    for (const auto& [name, family] : calls) {
      if (out == nullptr || figures(family) > figures(*out)) out = &family;
    }
    return out;
  }

  double steps() const { return inputs_.step ? 1 : static_cast<double>(*inputs_.iterations); }

  HostFlag& add(const char* flag, const char* unit, double threshold) {
    HostFlag& out = flags_.emplace_back();
    out.flag = flag;
    out.unit = unit;
    out.threshold = threshold;
    out.value = 0;
    return out;
  }

  // `figure`: count or us of a sum.
  template <class Figure>
  void measure(HostFlag& out, const CallFamily& family, Figure figure) const {
    out.level = family.level;
    out.calls = family.name;
    out.file = family.file;
    out.row = family.row;
    for (const auto& [step, sum] : family.by_step) {
      const double here = figure(sum);
      if (out.worst && here <= *out.worst) continue;
      out.worst = here;
      out.worst_step = step;
    }
    out.value = figure(family.all) / steps();
    out.found = *out.value > *out.threshold;
  }
  static double count(const CallSum& sum) { return static_cast<double>(sum.count); }
  static double us(const CallSum& sum) { return static_cast<double>(sum.total_ns) / 1000.0; }

  void tell_copies() {
    if (!ops_ && !knows_driver()) return;
    const Families calls = ops_ ? of_framework(call_, *ops_, inputs_.step, copies) : driver_calls(copies_memory);
    HostFlag& out = add("copies", "calls a step", kCopiesAStep);
    const CallFamily* const family = ops_ ? most(calls) : one_level(calls, {"acl"});
    if (family != nullptr) measure(out, *family, count);
  }

  void tell_synchronisations() {
    if (!knows_driver() && !ops_) return;
    const Families driver = driver_calls(synchronizes);
    const Families framework = ops_ ? of_framework(call_, *ops_, inputs_.step, reads_scalar) : Families{};
    const CallFamily* by_driver = one_level(driver, {"acl", "runtime", "model", "node", "communication"});
    const CallFamily* by_framework = most(framework);
    // They wrap each other, too: the more frequent, and the longer one, is told.
    const auto larger = [&](auto figure) {
      if (by_driver == nullptr || by_framework == nullptr) return by_driver != nullptr ? by_driver : by_framework;
      return figure(by_framework->all) > figure(by_driver->all) ? by_framework : by_driver;
    };
    HostFlag& often = add("synchronisations", "calls a step", kSynchronisationsAStep);
    if (const CallFamily* family = larger(count)) measure(often, *family, count);
    HostFlag& longest = add("synchronisation_time", "us a step", kSynchronisedUsAStep);
    if (const CallFamily* family = larger(us)) measure(longest, *family, us);
  }

  void tell_launches() {
    if (!knows_driver()) return;
    const Families calls = driver_calls(launches);
    HostFlag& out = add("launches", "calls a step", kLaunchesAStep);
    const CallFamily* const family = one_level(calls, {"node", "runtime", "acl"});
    if (family == nullptr) return;
    measure(out, *family, count);
    out.avg_us = us(family->all) / count(family->all);
    out.found = out.found && *out.avg_us < kShortLaunchUs;
  }

  // The step that the device was in; nullptr: before the first, or not known.
  const DeviceStep* device_step_at(int64_t start_ns) const {
    const std::vector<DeviceStep>& steps = inputs_.device_steps;
    const auto after = std::upper_bound(steps.begin(), steps.end(), start_ns,
                                        [](int64_t at, const DeviceStep& step) { return at < step.first_ns; });
    return after == steps.begin() ? nullptr : &*(after - 1);
  }

  // A wait for another card stands in the communication's process and in the hardware's: the latter's count.
  void tell_device_waits() {
    if (!tasks_ || inputs_.computing_ns.value_or(0) <= 0) return;
    if (inputs_.step && inputs_.device_steps.empty()) return;
    CallFamily hardware, communication;
    bool has_notify = false;
    call_.for_each_row(tasks_->rows(), [&](uint64_t row) {
      const std::string_view name = (*tasks_)[device_task::name][row];
      if (!waits_on_device(name)) return;
      const DeviceStep* const step = device_step_at((*tasks_)[device_task::start_ns][row]);
      if (inputs_.step && (step == nullptr || step->number != *inputs_.step)) return;
      const bool of_hardware = (*tasks_)[device_task::lane][row] == "hardware";
      has_notify = has_notify || (of_hardware && name.find("EVENT") == std::string_view::npos);
      overview::add(of_hardware ? hardware : communication, name, (*tasks_)[device_task::dur_ns][row],
                    step != nullptr ? std::optional(step->number) : std::nullopt, (*tasks_)[device_task::src_pos][row]);
    });
    if (!has_notify) {
      hardware.all.total_ns += communication.all.total_ns;
      for (const auto& [step, sum] : communication.by_step) hardware.by_step[step].total_ns += sum.total_ns;
    }
    HostFlag& out = add("device_waits", "of computing", kWaitsOfComputing);
    const CallFamily& evidence = hardware.all.count > 0 ? hardware : communication;
    out.level = "device";
    out.calls = evidence.name;
    out.file = tasks_->source_file();
    out.row = evidence.row;
    out.value = static_cast<double>(hardware.all.total_ns) / static_cast<double>(*inputs_.computing_ns);
    out.found = *out.value > *out.threshold;
    for (const DeviceStep& step : inputs_.device_steps) {
      const auto sum = hardware.by_step.find(step.number);
      if (sum == hardware.by_step.end() || step.computing_ns <= 0) continue;
      const double here = static_cast<double>(sum->second.total_ns) / static_cast<double>(step.computing_ns);
      if (out.worst && here <= *out.worst) continue;
      out.worst = here;
      out.worst_step = step.number;
    }
  }

  sdk::Call& call_;
  const FlagInputs& inputs_;
  std::optional<sdk::TableView> ops_, driver_, statistic_, tasks_;
  std::vector<HostFlag> flags_;
};

}  // namespace

std::vector<HostFlag> host_flags(sdk::Call& call, uint32_t rank, const FlagInputs& inputs) {
  return Flags(call, rank, inputs).take();
}

}  // namespace stepwise::overview
