// What the readers of communication*.json have in common: {step: {p2p | collective: {operation@group: ...}}}.
// simdjson On-Demand, since its raw tokens let a number go from text to an integer without a double.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/ingest/ingest.h"

namespace stepwise::ingest {

inline constexpr int kUsToNs = 3, kMsToNs = 6, kMbToBytes = 6;

/// An error after which nothing more can be read of the document; a value of another type than expected is none.
inline bool is_fatal(simdjson::error_code error) {
  return error != simdjson::SUCCESS && error != simdjson::INCORRECT_TYPE && error != simdjson::NO_SUCH_FIELD;
}

/// Where an operation stands, and what its key says.
struct OperationKey {
  std::optional<int64_t> step;  // nullopt: the key is "step", the run had none
  std::string kind;             // collective, p2p
  std::string name;             // without the group
  std::optional<std::string> group;
  int64_t place = 0;  // of the key, in the file
};

/// One document. What is not as it should be is counted in the context's diagnostics.
class JsonSummary {
 public:
  using Json = simdjson::ondemand::value;
  using ReadOperation = std::function<simdjson::error_code(const OperationKey&, Json)>;

  JsonSummary(const std::string& relative_path, IngestContext& context) : file_(relative_path), context_(context) {}

  /// Calls `read` for each operation, in file order; stops at the first place that does not parse, and counts it. A
  /// file that is cut is read up to the last object that closed at cut_depth (the root has 1). False: there is nothing
  /// to read. Errors: cancelled.
  Result<bool> read(const std::filesystem::path& file, int cut_depth, const ReadOperation& read);

  /// Calls visit(key, value, byte offset of the key) for each field; stops at a fatal error.
  template <class Visit>
  simdjson::error_code each_field(simdjson::ondemand::object& object, Visit visit) {
    for (auto maybe_field : object) {
      simdjson::ondemand::field field;
      if (const auto error = std::move(maybe_field).get(field)) return error;
      const int64_t place = offset_of(field.key().raw()) - 1;
      std::string_view key;
      if (const auto error = field.unescaped_key().get(key)) return error;
      const std::string owned(key);  // further unescaping may reuse the parser's buffer
      if (const auto error = visit(owned, field.value(), place); is_fatal(error)) return error;
    }
    return simdjson::SUCCESS;
  }
  /// The same for a value that should be an object; another type is counted.
  template <class Visit>
  simdjson::error_code each_field(Json value, int64_t place, const char* what, Visit visit) {
    simdjson::ondemand::object object;
    if (const auto error = value.get_object().get(object)) {
      if (!is_fatal(error)) count_shape(place, std::string("First: ") + what + " is no object.");
      return error;
    }
    return each_field(object, visit);
  }

  /// A number times ten to the power of scale; nullopt: it is none.
  static simdjson::error_code read_scaled(Json& cell, int scale, std::optional<int64_t>& out);
  /// null is nullopt; another value that is no number is counted.
  simdjson::error_code read_double(Json& cell, std::optional<double>& out);

  int64_t offset_of(const char* at) const { return at - text_.data(); }
  void count_shape(int64_t place, const std::string& detail) const;

 private:
  bool walk(simdjson::ondemand::parser& parser, simdjson::padded_string_view view, const ReadOperation& read);
  simdjson::error_code read_step(std::string_view key, Json value, int64_t place, const ReadOperation& read);

  const std::string& file_;
  IngestContext& context_;
  std::string text_;
};

}  // namespace stepwise::ingest
