#include "clients/example/example.h"

#include <string>

#include "clients/example/infer_export.h"
#include "clients/example/kind.h"
#include "clients/example/target_dir.h"
#include "clients/example/train_export.h"

namespace stepwise::example {
namespace {

constexpr int kMaxRanks = 64, kMaxSteps = 10'000;
constexpr int64_t kMaxEvents = 1'000'000'000;

Result<void> check(const ExampleOptions& options) {
  if (!kind_named(options.kind)) {
    return Error{ErrorKind::usage, "example.kind", "There is no example of kind \"" + options.kind + "\".",
                 "Kinds: " + kind_names() + ".", "--kind"};
  }
  if (!export_named(options.export_form)) {
    return Error{ErrorKind::usage, "example.option", "There is no export \"" + options.export_form + "\".",
                 "Exports: " + export_names() + ".", "--export"};
  }
  auto in_range = [](const char* name, int64_t value, int64_t low, int64_t high) -> Result<void> {
    if (value >= low && value <= high) return {};
    return Error{ErrorKind::usage, "example.option", std::string(name) + " is " + std::to_string(value) + ".",
                 "Give a number from " + std::to_string(low) + " to " + std::to_string(high) + ".", name};
  };
  SW_RETURN_IF_ERROR(in_range("--events", options.events, 1, kMaxEvents));
  SW_RETURN_IF_ERROR(in_range("--ranks", options.ranks, 1, kMaxRanks));
  return in_range("--steps", options.steps, 1, kMaxSteps);
}

}  // namespace

Result<ExampleReport> write_example(const ExampleOptions& options) {
  SW_RETURN_IF_ERROR(check(options));
  SW_RETURN_IF_ERROR(prepare_target(options.dir));
  return kind_named(options.kind) == ExampleKind::recsys_infer ? write_inference(options) : write_training(options);
}

}  // namespace stepwise::example
