// Typed parameters: a struct of plain data and a free function `read(Fields&, T&)` beside it. Bad parameters are found
// and reported here alone, as -32602 with the path of the first bad field.
//
//   struct CallParams { std::string name; std::optional<Json> arguments; };
//   void read(Fields& fields, CallParams& out) {
//     fields.required("name", out.name);
//     fields.optional("arguments", out.arguments);
//   }
//   auto params = read_params<CallParams>(request.params);
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "protocol/jsonrpc/message.h"

namespace stepwise::jsonrpc {

/// What a field can be. kSays completes "... must be".
template <class T>
struct FieldType;

template <>
struct FieldType<std::string> {
  static constexpr const char* kSays = "a string";
  static std::optional<std::string> from(const Json& value);
};
/// An object whose keys are somebody else's business.
template <>
struct FieldType<Json> {
  static constexpr const char* kSays = "an object";
  static std::optional<Json> from(const Json& value);
};
template <>
struct FieldType<Id> {
  static constexpr const char* kSays = "a string or an integer";
  static std::optional<Id> from(const Json& value) { return Id::from(value); }
};

/// Reads the fields of one object; keys that nobody asks for are ignored. After the first bad field nothing is read.
class Fields {
 public:
  explicit Fields(const Json& params);

  /// T may be std::optional<...> where the type has no empty value; it is set when reading succeeded.
  template <class T>
  void required(std::string_view name, T& out) {
    if (const Json* value = member(name, true)) assign(name, *value, out);
  }
  /// Absent and null are the same: many clients write null for what they leave out.
  template <class T>
  void optional(std::string_view name, std::optional<T>& out) {
    if (const Json* value = member(name, false)) assign(name, *value, out);
  }
  /// `read_inner(Fields&)` runs if the object is there.
  template <class Reader>
  void optional_object(std::string_view name, Reader read_inner) {
    std::optional<Json> object;
    optional(name, object);
    if (object) read_into(name, *object, read_inner);
  }
  template <class Reader>
  void required_object(std::string_view name, Reader read_inner) {
    std::optional<Json> object;
    required(name, object);
    if (object) read_into(name, *object, read_inner);
  }

  const std::optional<ErrorObject>& error() const { return error_; }

 private:
  Fields(const Json& object, std::string path);

  template <class T>
  struct Unwrapped {
    using type = T;
  };
  template <class T>
  struct Unwrapped<std::optional<T>> {
    using type = T;
  };

  template <class Reader>
  void read_into(std::string_view name, const Json& object, Reader read_inner) {
    Fields inner(object, path_ + "/" + std::string(name));
    read_inner(inner);
    if (inner.error_) error_ = std::move(inner.error_);
  }
  const Json* member(std::string_view name, bool needed);
  template <class T>
  void assign(std::string_view name, const Json& value, T& out) {
    using Type = FieldType<typename Unwrapped<T>::type>;
    if (auto read = Type::from(value)) {
      out = std::move(*read);
    } else {
      refuse(path_ + "/" + std::string(name), Type::kSays, &value);
    }
  }
  void refuse(std::string path, const char* expected, const Json* given);

  const Json& object_;
  std::string path_;
  std::optional<ErrorObject> error_;
};

/// The parameters, or the error to answer with.
template <class Params>
std::variant<Params, ErrorObject> read_params(const Json& given) {
  Fields fields(given);
  Params params;
  read(fields, params);
  if (fields.error()) return *fields.error();
  return params;
}

}  // namespace stepwise::jsonrpc
