// Errors and results: the one way a failure crosses a module border.
// Exceptions are caught where a library throws and turned into an Error there.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace stepwise {

/// The kind decides exit code, HTTP status and JSON-RPC shape in one table (error_kind_info);
/// the code is for people and tests.
enum class ErrorKind : uint8_t {
  usage,           // the caller's words are off
  not_found,       // a path, id or name that does not exist
  not_applicable,  // becomes the status of that name, never a tool error
  bad_data,        // an input that cannot be understood
  limit,           // a named limit was passed
  deadline,
  cancelled,
  busy,
  plugin,  // an analyzer broke its contract
  io,
  bug,
};

struct ErrorKindInfo {
  const char* name;
  int exit_code;    // of the command line
  int http_status;  // of the HTTP face
};
/// The one table of what a kind means at each face.
const ErrorKindInfo& error_kind_info(ErrorKind kind);

struct Error {
  ErrorKind kind = ErrorKind::bug;
  std::string code;     // "ingest.truncated": stable, listed in docs/errors.md
  std::string message;  // a full sentence for the reader who can act
  std::string hint{};   // what to do about it
  std::string where{};  // "a.csv:17" | "t.json@4096" | "/limit"
};

/// One line: message, where, hint.
std::string to_text(const Error& error);

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return checked(), std::get<0>(state_); }
  const T& value() const& { return checked(), std::get<0>(state_); }
  T&& value() && { return checked(), std::get<0>(std::move(state_)); }
  const Error& error() const { return std::get<1>(state_); }
  Error&& take_error() { return std::get<1>(std::move(state_)); }

 private:
  // Looking at the value of a failure is a bug of ours: stop at once rather than go on with nonsense.
  void checked() const {
    if (!ok()) std::abort();
  }
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}
  bool ok() const { return !error_; }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *error_; }
  Error&& take_error() { return std::move(*error_); }

 private:
  std::optional<Error> error_;
};

}  // namespace stepwise

#define SW_CONCAT_(a, b) a##b
#define SW_CONCAT(a, b) SW_CONCAT_(a, b)

#define SW_RETURN_IF_ERROR(expr)                                                    \
  do {                                                                              \
    if (auto sw_result_ = (expr); !sw_result_.ok()) return sw_result_.take_error(); \
  } while (false)

#define SW_ASSIGN_OR_RETURN(decl, expr)                                                           \
  auto SW_CONCAT(sw_result_, __LINE__) = (expr);                                                  \
  if (!SW_CONCAT(sw_result_, __LINE__).ok()) return SW_CONCAT(sw_result_, __LINE__).take_error(); \
  decl = std::move(SW_CONCAT(sw_result_, __LINE__)).value()
