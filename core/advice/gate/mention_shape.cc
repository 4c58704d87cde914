#include "core/advice/gate/mention_shape.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

#include "core/advice/call_arguments.h"
#include "core/advice/gate/ordinary_words.h"

namespace stepwise::advice {
namespace {

using Words = std::span<const std::string_view>;

bool starts_with(std::string_view text, std::string_view begin) { return text.substr(0, begin.size()) == begin; }
bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}
bool starts_with_any(std::string_view text, Words words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view one) { return starts_with(text, one); });
}
bool ends_with_any(std::string_view text, Words words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view one) { return ends_with(text, one); });
}

std::string_view root_of(std::string_view name) { return name.substr(0, name.find_first_of(".:-")); }
std::string_view last_of(std::string_view name) {
  const size_t dot = name.find_last_of(".:>");
  return dot == name.npos ? name : name.substr(dot + 1);
}

bool has_underscore_within(std::string_view name) { return name.find('_', 1) < name.size() - 1; }

/// enable_super_fusion, precision_mode: how switches are named.
bool is_switch_like(std::string_view name) {
  static constexpr auto kBegins = std::to_array<std::string_view>(
      {"enable_", "disable_", "use_", "allow_", "auto_", "fuse_", "fusion_", "overlap_"});
  static constexpr auto kEnds = std::to_array<std::string_view>(
      {"_mode", "_enable", "_enabled", "_switch", "_level", "_policy", "_strategy", "_overlap", "_fusion"});
  return starts_with_any(name, kBegins) || ends_with_any(name, kEnds);
}

bool is_enabling(std::string_view name) { return starts_with(name, "enable_") || starts_with(name, "disable_"); }

/// config.enable_overlap, options.overlap_mode
bool is_switch_of_configuration(std::string_view name) {
  static constexpr auto kRoots = std::to_array<std::string_view>(
      {"config.", "options.", "compiler_config.", "npu_config.", "conf.", "opts.", "settings.", "session_config."});
  return starts_with_any(name, kRoots) && is_switch_like(last_of(name));
}

bool is_configuration_path(std::string_view name) {
  static constexpr auto kParts =
      std::to_array<std::string_view>({"experimental_config.", "ge_config.", "inference_config.", "fusion_config.",
                                       "CompilerConfig.", "compilation_config."});
  return std::any_of(kParts.begin(), kParts.end(), [&](std::string_view one) { return name.find(one) != name.npos; });
}

/// aclrtFoo, aclmdlFoo, HcclSetFoo: of the runtime; aclnnFoo is an operator.
bool is_runtime_function(std::string_view name) {
  static constexpr auto kBegins =
      std::to_array<std::string_view>({"aclrt", "aclmdl", "aclop", "aclprof", "aclInit", "aclSet", "HcclSet"});
  return starts_with_any(name, kBegins) && name.size() > 6;
}

bool is_model_root(std::string_view root) {
  static constexpr auto kRoots = std::to_array<std::string_view>(
      {"self", "model", "x",   "y",     "cls",  "nn",    "F",    "np", "args",   "cfg",  "optimizer",
       "loss", "data",  "net", "batch", "time", "optim", "math", "os", "module", "this", "aten"});
  return std::find(kRoots.begin(), kRoots.end(), root) != kRoots.end();
}

/// torch.backends.x, torch.fuse_all: not what ordinary models call.
bool is_torch_setting(std::string_view name) {
  if (root_of(name) != "torch" || name.size() < 7 || name[5] != '.') return false;
  const std::string_view rest = name.substr(6);
  const std::string_view next = rest.substr(0, rest.find('.'));
  return !is_tensor_function(next) && name != "torch.distributed.init_process_group";
}

bool is_value_given(Giving how) {
  return how == Giving::assigned || how == Giving::spaced || how == Giving::keyed || how == Giving::told ||
         how == Giving::beside;
}

bool is_scalar(const std::optional<std::string_view>& value) {
  return value && !value->empty() && value->find_first_of("([{") == value->npos;
}

}  // namespace

bool is_vendor_root(std::string_view root) {
  return root == "torch_npu" || root == "torchair" || root == "acl" || root == "npu_bridge" || root == "tbe";
}

bool is_upper_name(std::string_view name) {
  if (name.size() < 4 || std::isupper(static_cast<unsigned char>(name[0])) == 0 || name.back() == '_') return false;
  return name.find('_') != name.npos && std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::isupper(c) != 0 || std::isdigit(c) != 0 || c == '_';
         });
}

bool is_plain_flag(std::string_view name) {
  return name == "--help" || name == "--version" || name == "--env" || name.size() < 4;
}

bool is_unknown_variable(const UpperName& upper) {
  if (is_search_path(upper.name)) return false;
  // "export the trace" is prose: what is no name of a variable by itself must get a value.
  if (upper.told == Told::code && (upper.how == Giving::assigned || upper.how == Giving::keyed)) return true;
  if (!is_upper_name(upper.name)) return false;
  if (upper.told == Told::code) return true;
  const bool is_in_code = upper.zone == Zone::inline_code || upper.zone == Zone::block;
  if (upper.is_condition && is_in_code && upper.how != Giving::assigned && !has_vendor_prefix(upper.name)) return false;
  const bool is_given = is_value_given(upper.how);
  if (is_profile_word(upper.name)) {
    return upper.how == Giving::assigned || (upper.told == Told::adjacent && is_given) ||
           (upper.told == Told::adjacent && upper.zone != Zone::block);
  }
  if (is_program_constant(upper.name)) return upper.told == Told::adjacent && is_given && upper.zone != Zone::block;
  if (upper.how == Giving::assigned || upper.how == Giving::told) return true;
  switch (upper.zone) {
    case Zone::block:
      if (upper.how == Giving::spaced) return has_vendor_prefix(upper.name);
      if (upper.how == Giving::keyed) return upper.is_quoted || upper.is_line_start;
      return upper.has_name_key;
    case Zone::hidden:
      return is_given || upper.told != Told::no;
    default:
      if (is_given || upper.is_called_setting) return true;
      if (upper.is_in_path) return false;
      // A name in the vendors' manner is one, whatever the sentence does with it.
      return upper.told != Told::no || upper.zone == Zone::inline_code || has_vendor_prefix(upper.name);
  }
}

bool may_be_parameter(const Shape& shape) {
  const std::string_view name = shape.name;
  if (shape.is_imported) return true;
  if (name.size() < 4) return false;
  if (shape.is_single) return shape.is_quoted || has_underscore_within(name) || is_runtime_function(name);
  if (is_file_ending(last_of(name))) return false;
  return true;
}

std::optional<ParameterKind> kind_of_unknown(const Shape& shape) {
  const std::string_view name = shape.name, root = root_of(name);
  const bool is_given = is_value_given(shape.how);
  const bool is_called = shape.how == Giving::called;
  const bool is_code = shape.zone == Zone::inline_code || shape.zone == Zone::block;
  const bool is_text = shape.zone == Zone::prose || shape.zone == Zone::inline_code;
  if (shape.is_quoted && shape.told == Told::code) return ParameterKind::config;
  if (is_figure_name(name) && shape.told != Told::adjacent && !shape.is_imported) return std::nullopt;
  const bool is_named_key = shape.is_quoted || (has_underscore_within(name) && is_scalar(shape.value));
  if (is_named_key && shape.is_among_options && shape.how == Giving::keyed) return ParameterKind::config;
  if (shape.is_single) {
    if (shape.is_imported) return is_called || is_given ? std::optional(ParameterKind::api) : std::nullopt;
    if (is_runtime_function(name)) {
      return (is_called && shape.value && is_code) || shape.is_told_to_call ? std::optional(ParameterKind::api)
                                                                            : std::nullopt;
    }
    if (!has_underscore_within(name)) return std::nullopt;
    if (is_called) {
      const bool sets = is_switch_like(name) || starts_with(name, "set_");
      return is_text && shape.is_told_to_call && (sets || starts_with(name, "npu_")) ? std::optional(ParameterKind::api)
                                                                                     : std::nullopt;
    }
    if (!is_given || !is_scalar(shape.value)) {
      return is_text && shape.told == Told::adjacent && is_switch_like(name) ? std::optional(ParameterKind::config)
                                                                             : std::nullopt;
    }
    if (shape.zone == Zone::block) {
      const bool is_key = shape.how == Giving::keyed && (shape.is_quoted || shape.is_line_start);
      // `use_cache = True` is a variable of a program, use_cache=True on a line of its own no Python that is formatted.
      const bool is_line = shape.is_line_start && (shape.how == Giving::assigned || is_enabling(name));
      return (is_key || is_line) && is_switch_like(name) ? std::optional(ParameterKind::config) : std::nullopt;
    }
    return is_switch_like(name) || shape.told == Told::adjacent ? std::optional(ParameterKind::config) : std::nullopt;
  }
  if (root == "ge" && starts_with(name, "ge.")) return is_called ? ParameterKind::api : ParameterKind::option;
  if (is_configuration_path(name)) {
    return is_given || is_code || shape.told != Told::no ? std::optional(ParameterKind::config) : std::nullopt;
  }
  if (is_switch_of_configuration(name) && is_given) return ParameterKind::config;
  if (is_device_function(name) && !is_given) return std::nullopt;
  const bool sets = starts_with(last_of(name), "set_") || is_enabling(last_of(name));
  const bool is_of_npu = name.find(".npu.") != name.npos || root == "npu";
  const bool is_of_mindspore = root == "mindspore" && (sets || ends_with(name, "_context"));
  if (is_vendor_root(root) || shape.is_imported || is_torch_setting(name) || is_of_mindspore || (sets && is_of_npu)) {
    const bool is_used = is_called || is_given || shape.told == Told::adjacent || shape.is_told_to_call;
    return is_used ? std::optional(ParameterKind::api) : std::nullopt;
  }
  if (is_model_root(root) || root == "torch" || name.find("::") != name.npos) return std::nullopt;
  if (shape.is_quoted && is_given && is_scalar(shape.value)) return ParameterKind::config;
  if (is_text && is_given && is_scalar(shape.value) && (shape.how != Giving::keyed || shape.told != Told::no)) {
    return ParameterKind::option;
  }
  if (is_text && shape.told == Told::adjacent && is_switch_like(last_of(name))) return ParameterKind::option;
  return std::nullopt;
}

}  // namespace stepwise::advice
