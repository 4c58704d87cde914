// Whether a name that nobody knows is written as a parameter is. Internal to core/advice.
#pragma once

#include <optional>
#include <string_view>

#include "core/advice/gate/directive.h"
#include "core/advice/gate/mention_value.h"
#include "core/advice/parameter.h"

namespace stepwise::advice {

/// Capitals, digits and at least one underscore within.
bool is_upper_name(std::string_view name);
/// --help: of every program.
bool is_plain_flag(std::string_view name);

struct UpperName {
  std::string_view name;
  Zone zone = Zone::prose;
  Told told = Told::no;
  Giving how = Giving::none;
  bool is_called_setting = false, is_line_start = false, is_quoted = false, is_in_path = false, has_name_key = false;
  bool is_condition = false;  // "if X:" of a program
};
bool is_unknown_variable(const UpperName& name);

/// A name with lower-case letters, dotted or not.
struct Shape {
  std::string_view name;
  bool is_single = true;
  Zone zone = Zone::prose;
  bool is_quoted = false, is_among_options = false;
  Told told = Told::no;
  bool is_told_to_call = false;
  Giving how = Giving::none;
  std::optional<std::string_view> value{};
  bool is_line_start = false;
  bool is_imported = false;  // from a vendor's module, or a name for one
};
/// A module of the vendor: what is imported from it is its own.
bool is_vendor_root(std::string_view root);
/// By the name alone: false for nearly all words of a text, so that nothing around them need be looked at.
bool may_be_parameter(const Shape& shape);
/// nullopt: it is none.
std::optional<ParameterKind> kind_of_unknown(const Shape& shape);

}  // namespace stepwise::advice
