// Reading JSON: the arguments of a call and the results of nested calls.
//
// A Value is a cheap handle into a parsed text that it keeps alive; it never changes. [any thread]
// Reading what is not there gives an empty Value or nullopt, never an error: what a tool may be given is checked by the
// host against the tool's schema before the call.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stepwise::sdk {

class Value {
 public:
  Value() = default;  // absent
  /// nullopt: not JSON, or nested deeper than 64 levels.
  static std::optional<Value> parse(std::string_view text);

  bool is_absent() const { return node_ == nullptr; }
  bool is_null() const;
  bool is_object() const;
  bool is_array() const;

  /// A member of an object; absent where there is none.
  Value operator[](std::string_view key) const;
  /// An element of an array; absent past its end.
  Value at(size_t index) const;
  /// Elements or members; 0 for anything else.
  size_t size() const;
  std::vector<std::string> keys() const;

  std::optional<int64_t> integer() const;  // also a number without a fraction
  std::optional<double> number() const;
  std::optional<bool> boolean() const;
  std::optional<std::string> text() const;
  /// The value as JSON, on one line. Absent: "null".
  std::string to_json() const;

 private:
  std::shared_ptr<const void> document_;
  const void* node_ = nullptr;
  Value(std::shared_ptr<const void> document, const void* node) : document_(std::move(document)), node_(node) {}
};

}  // namespace stepwise::sdk
