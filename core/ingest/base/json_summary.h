// What the readers of communication*.json have in common: {step: {p2p | collective: {operation@group: ...}}}, and of
// those of a whole cluster: {p2p | "(0, 1)": {step: {operation@group: ...}}}.
// Walks the document without building it; a number goes from its text to an integer without a double.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/ingest/base/context.h"

namespace stepwise::ingest {

inline constexpr const char* kTotalOperation = "Total Op Info";  // its figures are sums of the others
inline constexpr int kUsToNs = 3, kMsToNs = 6, kMbToBytes = 6;

/// Where an operation stands, and what its key says.
struct OperationKey {
  std::optional<int64_t> step;  // nullopt: the key is "step", the run had none
  std::string kind;             // collective, p2p
  std::string name;             // without the group
  std::optional<std::string> group;
  std::optional<std::string> ranks;  // the group's, by ','; only a cluster's files tell them
  int64_t place = 0;                 // of the key, in the file
};

/// Of a cluster's files: "p2p", or the ranks of a group that works together. False: it is neither.
bool read_group_key(std::string_view text, OperationKey& key);

/// How a part of the document was taken.
enum class Walk : uint8_t {
  done,
  odd,     // it has another type than expected: counted; what follows can be read
  broken,  // nothing more can be read of the document
};

/// A value, during the visit that hands it out. It can be looked at once.
class JsonNode {
 public:
  explicit JsonNode(void* value) : value_(value) {}

  /// Times ten to the power of scale; nullopt: it is no number.
  std::optional<int64_t> scaled(int scale) const;
  /// The same of a number that may be written as a string.
  std::optional<int64_t> bare_scaled(int scale) const;
  /// nullopt: it is no string, or an empty one.
  std::optional<std::string> text() const;

 private:
  friend class JsonSummary;
  void* value_;
};

/// One document. What is not as it should be is counted in the context's diagnostics.
class JsonSummary {
 public:
  using OnOperation = std::function<Walk(const OperationKey&, JsonNode)>;
  using OnElement = std::function<Walk(JsonNode)>;
  using OnField = std::function<Walk(std::string_view key, JsonNode value, int64_t place)>;

  JsonSummary(const std::string& relative_path, IngestContext& context);
  ~JsonSummary();

  /// Hands out each operation, in file order; stops at the first place that does not parse, and counts it. A file that
  /// is cut is read up to the last object that closed at cut_depth (the root has 1). False: there is nothing to read.
  /// Errors: cancelled.
  enum class Nesting : uint8_t { step_first, group_first };  // a rank's file, a cluster's
  Result<bool> read(const std::filesystem::path& file, int cut_depth, const OnOperation& visit,
                    Nesting nesting = Nesting::step_first);
  /// The same for the fields of the root, whatever they are.
  Result<bool> read_fields(const std::filesystem::path& file, int cut_depth, const OnField& visit);
  /// The same for the elements of a root that is a list.
  Result<bool> read_elements(const std::filesystem::path& file, int cut_depth, const OnElement& visit);

  /// Hands out the fields of a value that should be an object. place: where it stands; of a field, its key.
  Walk each_field(JsonNode value, int64_t place, const char* what, const OnField& visit);
  /// The same for the elements of a list.
  Walk each_element(JsonNode value, int64_t place, const char* what, const OnElement& visit);
  /// Where a value stands that was not looked at yet.
  int64_t place_of(JsonNode value) const;
  /// null is nullopt; another value that is no number is counted.
  std::optional<double> real(JsonNode value);
  void count_shape(int64_t place, const std::string& detail) const;

 private:
  struct Document;
  template <class Root, class Visit>
  Result<bool> read_root(const std::filesystem::path& file, int cut_depth, const char* otherwise, const Visit& visit);
  template <class Root, class Visit>
  bool walk(size_t length, const char* otherwise, const Visit& visit);
  bool read_step_key(std::string_view key, int64_t place, OperationKey& at) const;
  Walk read_step(std::string_view key, JsonNode value, int64_t place, const OnOperation& visit);
  Walk read_group(std::string_view key, JsonNode value, int64_t place, const OnOperation& visit);
  Walk read_operations(JsonNode value, int64_t place, const char* what, OperationKey& at, const OnOperation& visit);

  const std::string& file_;
  IngestContext& context_;
  std::string text_;
  std::unique_ptr<Document> document_;
};

}  // namespace stepwise::ingest
