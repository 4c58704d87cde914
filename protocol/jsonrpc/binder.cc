#include "protocol/jsonrpc/binder.h"

#include "core/base/text.h"

namespace stepwise::jsonrpc {
namespace {

constexpr size_t kGivenColumns = 60;  // of a bad value, as shown in the error

}  // namespace

std::optional<std::string> FieldType<std::string>::from(const Json& value) {
  if (!value.is_string()) return std::nullopt;
  return value.get<std::string>();
}

std::optional<Json> FieldType<Json>::from(const Json& value) {
  if (!value.is_object()) return std::nullopt;
  return value;
}

Fields::Fields(const Json& params) : Fields(params, "/params") {}

Fields::Fields(const Json& object, std::string path) : object_(object), path_(std::move(path)) {
  if (!object_.is_object()) refuse(path_, "an object", &object_);
}

const Json* Fields::member(std::string_view name, bool needed) {
  if (error_) return nullptr;
  const auto found = object_.find(name);
  if (found != object_.end() && (needed || !found->is_null())) return &*found;
  if (needed) refuse(path_ + "/" + std::string(name), "present", nullptr);
  return nullptr;
}

void Fields::refuse(std::string path, const char* expected, const Json* given) {
  std::string message = "Invalid parameters: " + path + " must be " + expected;
  if (given != nullptr) message += ", not " + shorten(dump_json(*given), kGivenColumns);
  Json data = {{"path", std::move(path)}, {"expected", expected}};
  error_ = ErrorObject{kInvalidParams, message + ".", std::move(data)};
}

}  // namespace stepwise::jsonrpc
