#include "host_calls.h"

#include <algorithm>
#include <cctype>

namespace stepwise::overview {
namespace {

namespace api_stat = table::api_stat;

bool contains_in_any_case(std::string_view text, std::string_view lower_word) {
  const auto equal = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return std::search(text.begin(), text.end(), lower_word.begin(), lower_word.end(), equal) != text.end();
}

// Levels wrap each other and are never added: a call of level model wins, else the first one stays.
void keep(std::optional<CallStat>& slot, const CallStat& stat, bool of_level_model) {
  if (!slot || of_level_model) slot = stat;
}

}  // namespace

std::optional<int64_t> HostCalls::first_compile_ns() const {
  if (!model_execute || model_execute->count < 2 || !model_execute->max_ns) return std::nullopt;
  const int64_t longest = *model_execute->max_ns;
  const double mean_of_others =
      static_cast<double>(model_execute->total_ns - longest) / static_cast<double>(model_execute->count - 1);
  if (static_cast<double>(longest) <= 5 * mean_of_others) return std::nullopt;
  return longest;
}

std::optional<double> HostCalls::model_execute_ns() const {
  if (!model_execute || model_execute->count < 1) return std::nullopt;
  if (const auto compile_ns = first_compile_ns()) {
    return static_cast<double>(model_execute->total_ns - *compile_ns) / static_cast<double>(model_execute->count - 1);
  }
  return static_cast<double>(model_execute->total_ns) / static_cast<double>(model_execute->count);
}

void note_shapes(std::string_view called, HostCalls& calls) {
  calls.infers_shapes = calls.infers_shapes || contains_in_any_case(called, "infershape");
  calls.calls_aclnn = calls.calls_aclnn || called.rfind("aclnn", 0) == 0;
}

HostCalls host_calls(const sdk::Call& call, const sdk::TableView& view) {
  const auto level = view[api_stat::level];
  const auto name = view[api_stat::name];
  HostCalls out;
  call.for_each_row(view.rows(), [&](uint64_t row) {
    CallStat stat;
    stat.total_ns = view[api_stat::total_ns][row];
    stat.count = view[api_stat::count][row];
    stat.max_ns = view[api_stat::max_ns].get(row);
    stat.row = view[api_stat::src_pos][row];
    stat.file = view.source_file();
    const std::string_view called = name[row];
    const bool of_model = level[row] == "model";
    if (called == "ModelExecute") keep(out.model_execute, stat, of_model);
    if (called == "InputCopy") keep(out.input_copy, stat, of_model);
    if (called == "OutputCopy") keep(out.output_copy, stat, of_model);
    if (called == "aclrtSynchronizeStream" || called == "aclrtSynchronizeDevice") {
      if (!out.synchronize || stat.count > out.synchronize->count) out.synchronize = stat;
    }
    note_shapes(called, out);
  });
  return out;
}

}  // namespace stepwise::overview
