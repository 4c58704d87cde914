#include "core/advice/gate/known_names.h"
#include "core/base/characters.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace stepwise::advice {
namespace {

constexpr size_t kMaxNameBytes = 256;
constexpr size_t kMinShortBytes = 8;  // of the last part of a dotted name that stands for the whole
constexpr auto kOrdinary = std::to_array<std::string_view>({"dynamic", "input_shape", "mode", "deterministic"});

bool is_one_token(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return is_word(c) || c == '.' || c == '-' || c == ':'; });
}

/// Nobody writes it for something else: it has an underscore within, or capitals within.
bool is_telling(std::string_view word) {
  if (word.size() < kMinShortBytes) return false;
  return word.find('_', 1) != word.npos ||
         std::any_of(word.begin() + 1, word.end(), [](unsigned char c) { return std::isupper(c) != 0; });
}

/// The token that starts at `at`.
std::string_view token_at(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && (is_word(text[end]) || text[end] == '-' || text[end] == '.')) ++end;
  return text.substr(at, end - at);
}

bool is_upper_name(std::string_view token) {
  return token.find('_') != token.npos && std::none_of(token.begin(), token.end(), [](unsigned char c) {
           return std::islower(c) != 0 || c == '.' || c == '-';
         });
}

/// What stands for a name that is a description: "atc --aicore_num", "GE REGISTER_PASS (user custom pass macro)",
/// "torch.autocast('npu', dtype=...)", "dynamic_dims (TF Adapter)", "... async_op=True".
std::string_view token_of(std::string_view name, ParameterKind kind) {
  if (const size_t flag = name.find("--"); flag != name.npos && kind != ParameterKind::config) {
    return token_at(name, flag);
  }
  for (size_t i = 0; i < name.size(); ++i) {
    if (i > 0 && is_word(name[i - 1])) continue;
    if (const std::string_view token = token_at(name, i); is_upper_name(token)) return token;
  }
  if (const size_t value = name.find("=True"); value != name.npos) {
    size_t begin = value;
    while (begin > 0 && is_word(name[begin - 1])) --begin;
    return name.substr(begin, value - begin);
  }
  const std::string_view first = token_at(name, 0);
  const std::string_view rest = name.substr(first.size());
  const bool is_call = kind == ParameterKind::api && !rest.empty() && rest[0] == '(';
  return is_call || rest.substr(0, 2) == " (" ? first : std::string_view{};
}

}  // namespace

KnownNames::KnownNames(const Knowledge& knowledge) : carriers_(knowledge) {
  for (const Parameter& one : knowledge.parameters()) {
    if (one.kind == ParameterKind::claim) continue;
    std::vector<std::string> all = one.aliases;
    all.insert(all.begin(), one.name);
    for (const std::string& name : all) {
      if (is_one_token(name)) {
        add(name, name, one, false);
      } else if (one.kind != ParameterKind::value) {
        add(token_of(name, one.kind), name, one, false);
      }
    }
  }
  // After all whole names, so that none of them is taken for the end of another.
  for (const Parameter& one : knowledge.parameters()) {
    if (one.kind == ParameterKind::claim) continue;
    std::vector<std::string> all = one.aliases;
    all.insert(all.begin(), one.name);
    for (const std::string& name : all) {
      const size_t dot = is_one_token(name) ? name.rfind('.') : name.npos;
      if (dot == name.npos || !is_telling(std::string_view(name).substr(dot + 1))) continue;
      const std::string last = name.substr(dot + 1);
      // Where several names end in it, none of them is meant more than the others.
      add(last, knowledge.named(last).size() > 1 ? last : name, one, true);
      // matmul.allow_hf32 of torch_npu.npu.matmul.allow_hf32
      const size_t before = dot == 0 ? name.npos : name.rfind('.', dot - 1);
      if (before != name.npos) add(std::string_view(name).substr(before + 1), name, one, false);
    }
  }
}

void KnownNames::add(std::string_view token, const std::string& name, const Parameter& parameter, bool is_last_part) {
  if (token.empty()) return;
  const bool is_ordinary = std::find(kOrdinary.begin(), kOrdinary.end(), token) != kOrdinary.end();
  by_lower_.try_emplace(to_lower(token), KnownName{name, &parameter, is_ordinary, is_last_part});
}

const KnownName* KnownNames::find(std::string_view written) const {
  if (written.size() > kMaxNameBytes) return nullptr;
  const auto it = by_lower_.find(to_lower(written));
  return it == by_lower_.end() ? nullptr : &it->second;
}

}  // namespace stepwise::advice
