#include "core/engine/schema.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

#include "core/base/text.h"

namespace stepwise::engine {
namespace {

const std::set<std::string, std::less<>> kKeywords = {"type",
                                                      "properties",
                                                      "required",
                                                      "enum",
                                                      "const",
                                                      "minimum",
                                                      "maximum",
                                                      "minLength",
                                                      "maxLength",
                                                      "minItems",
                                                      "maxItems",
                                                      "items",
                                                      "title",
                                                      "default",
                                                      "description",
                                                      "x-role",
                                                      "additionalProperties"};
const std::set<std::string, std::less<>> kTypes = {"object", "array", "string", "number", "integer", "boolean", "null"};

Error schema_error(const char* code, std::string message, const std::string& where) {
  return {ErrorKind::usage, code, std::move(message), "", where.empty() ? "/" : where};
}

std::vector<std::string> types_of(const Json& schema) {
  std::vector<std::string> types;
  const auto it = schema.find("type");
  if (it == schema.end()) return types;
  if (it->is_string()) types.push_back(it->get<std::string>());
  if (it->is_array()) {
    for (const Json& one : *it) {
      if (one.is_string()) types.push_back(one.get<std::string>());
    }
  }
  return types;
}

Result<void> check_at(const Json& schema, const std::string& where) {
  if (schema.is_boolean()) return {};
  if (!schema.is_object()) return schema_error("schema.shape", "A schema must be an object.", where);
  for (const auto& [key, value] : schema.items()) {
    if (kKeywords.count(key) == 0) {
      return schema_error("schema.keyword", "The schema keyword `" + key + "` is not one that Stepwise knows.",
                          where + "/" + key);
    }
  }
  for (const std::string& type : types_of(schema)) {
    if (kTypes.count(type) == 0) {
      return schema_error("schema.type", "`" + type + "` is no JSON type.", where + "/type");
    }
  }
  if (const auto it = schema.find("properties"); it != schema.end()) {
    if (!it->is_object()) return schema_error("schema.shape", "`properties` must be an object.", where + "/properties");
    for (const auto& [name, property] : it->items()) {
      SW_RETURN_IF_ERROR(check_at(property, where + "/properties/" + name));
    }
  }
  if (const auto it = schema.find("items"); it != schema.end()) SW_RETURN_IF_ERROR(check_at(*it, where + "/items"));
  if (const auto it = schema.find("additionalProperties"); it != schema.end()) {
    SW_RETURN_IF_ERROR(check_at(*it, where + "/additionalProperties"));
  }
  return {};
}

bool has_type(const Json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "number") return value.is_number();
  if (value.is_number_unsigned()) return value.get<uint64_t>() <= uint64_t{std::numeric_limits<int64_t>::max()};
  if (value.is_number_integer()) return true;
  // 3.0 is an integer in JSON Schema since draft 6, and clients written in JavaScript may send it; past 2^53 a double
  // no longer says which integer it is.
  if (!value.is_number_float()) return false;
  const double number = value.get<double>();
  return std::nearbyint(number) == number && std::abs(number) <= 9007199254740992.0;
}

constexpr size_t kMaxShown = 60;  // of what the caller sent; the rest of it is no news to him

std::string shown(const Json& value) { return shorten(dump_json(value), kMaxShown); }

Error value_error(const char* code, const std::string& where, const std::string& must, const Json& value) {
  return {ErrorKind::usage, code,
          "`" + (where.empty() ? "arguments" : where.substr(1)) + "` must be " + must + ", but " + shown(value) +
              " was given.",
          "", where.empty() ? "/" : where};
}

Result<void> check_object(const Json& schema, const Json& value, const std::string& where);

Result<void> validate_at(const Json& schema, const Json& value, const std::string& where) {
  if (schema.is_boolean()) {
    if (schema.get<bool>()) return {};
    return value_error("args.unknown", where, "left out", value);
  }
  if (const auto types = types_of(schema); !types.empty()) {
    bool fits = false;
    for (const std::string& type : types) fits = fits || has_type(value, type);
    if (!fits) return value_error("args.type", where, "of type " + joined(types, " or "), value);
  }
  if (const auto it = schema.find("const"); it != schema.end() && *it != value) {
    return value_error("args.value", where, shown(*it), value);
  }
  if (const auto it = schema.find("enum"); it != schema.end()) {
    std::vector<std::string> names;
    for (const Json& one : *it) {
      if (one == value) return {};
      names.push_back(one.is_string() ? one.get<std::string>() : dump_json(one));
    }
    return value_error("args.value", where, "one of " + joined(names, ", "), value);
  }
  if (value.is_number()) {
    const double number = value.get<double>();
    if (const auto it = schema.find("minimum"); it != schema.end() && number < it->get<double>()) {
      return value_error("args.range", where, "at least " + dump_json(*it), value);
    }
    if (const auto it = schema.find("maximum"); it != schema.end() && number > it->get<double>()) {
      return value_error("args.range", where, "at most " + dump_json(*it), value);
    }
  }
  struct SizeRule {
    const char *least, *most, *unit;
    bool applies;
  };
  const std::array<SizeRule, 2> rules{
      {{"minLength", "maxLength", "bytes", value.is_string()}, {"minItems", "maxItems", "items", value.is_array()}}};
  for (const SizeRule& rule : rules) {
    if (!rule.applies) continue;
    const size_t size = value.is_string() ? value.get_ref<const std::string&>().size() : value.size();
    if (const auto it = schema.find(rule.least); it != schema.end() && size < it->get<size_t>()) {
      return value_error("args.size", where, "at least " + dump_json(*it) + " " + rule.unit + " long", value);
    }
    if (const auto it = schema.find(rule.most); it != schema.end() && size > it->get<size_t>()) {
      return value_error("args.size", where, "at most " + dump_json(*it) + " " + rule.unit + " long", value);
    }
  }
  if (value.is_array()) {
    if (const auto it = schema.find("items"); it != schema.end()) {
      for (size_t i = 0; i < value.size(); ++i) {
        SW_RETURN_IF_ERROR(validate_at(*it, value[i], where + "/" + std::to_string(i)));
      }
    }
  }
  if (value.is_object()) return check_object(schema, value, where);
  return {};
}

Result<void> check_object(const Json& schema, const Json& value, const std::string& where) {
  static const Json kNone = Json::object();
  const auto properties = schema.find("properties");
  const Json& known = properties == schema.end() ? kNone : *properties;
  if (const auto it = schema.find("required"); it != schema.end()) {
    for (const Json& name : *it) {
      if (value.contains(name.get<std::string>())) continue;
      return Error{ErrorKind::usage, "args.required", "`" + name.get<std::string>() + "` is required.", "",
                   where + "/" + name.get<std::string>()};
    }
  }
  const auto others = schema.find("additionalProperties");
  for (const auto& [name, one] : value.items()) {
    const std::string here = where + "/" + shorten(name, kMaxShown);
    if (const auto it = known.find(name); it != known.end()) {
      SW_RETURN_IF_ERROR(validate_at(*it, one, here));
    } else if (others != schema.end() && others->is_boolean() && !others->get<bool>()) {
      std::vector<std::string> names;
      for (const auto& [key, unused] : known.items()) names.push_back(key);
      const auto near = nearest_names(name, names);
      return Error{ErrorKind::usage, "args.unknown", "There is no argument `" + shorten(name, kMaxShown) + "`.",
                   near.empty() ? "Valid: " + joined(names, ", ") + "." : "Did you mean `" + near.front() + "`?", here};
    } else if (others != schema.end()) {
      SW_RETURN_IF_ERROR(validate_at(*others, one, here));
    }
  }
  return {};
}

}  // namespace

Result<void> check_schema(const Json& schema) { return check_at(schema, ""); }

Result<void> check_input_schema(const Json& schema) {
  SW_RETURN_IF_ERROR(check_schema(schema));
  if (!schema.is_object() || schema.value("type", Json()) != "object") {
    return schema_error("schema.input", "An input schema must have the type object.", "/type");
  }
  const auto properties = schema.find("properties");
  if (properties == schema.end()) return {};
  for (const auto& [name, property] : properties->items()) {
    if (!property.is_object() || !property.contains("type") || !property["type"].is_string()) {
      return schema_error("schema.input", "Each argument must have exactly one type.", "/properties/" + name);
    }
  }
  return {};
}

Result<void> validate(const Json& schema, const Json& value) { return validate_at(schema, value, ""); }

Json with_defaults(const Json& schema, Json value) {
  const auto properties = schema.find("properties");
  if (properties == schema.end()) return value;
  for (const auto& [name, property] : properties->items()) {
    const auto given = value.find(name);
    if (given == value.end()) {
      if (property.contains("default")) value[name] = property["default"];
    } else if (given->is_number_float() && property.value("type", "") == "integer") {
      *given = given->get<int64_t>();  // 3.0 of a JavaScript client; validate() has seen that it is whole
    }
  }
  return value;
}

}  // namespace stepwise::engine
