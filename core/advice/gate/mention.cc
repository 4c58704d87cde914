#include "core/advice/gate/mention.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "core/advice/call_arguments.h"
#include "core/advice/gate/commands.h"
#include "core/advice/gate/definitions.h"
#include "core/advice/gate/directive.h"
#include "core/advice/gate/imports.h"
#include "core/advice/gate/known_names.h"
#include "core/advice/gate/known_value.h"
#include "core/advice/gate/mention_shape.h"
#include "core/advice/gate/mention_value.h"
#include "core/advice/gate/readable.h"
#include "core/advice/gate/signatures.h"
#include "core/advice/gate/unclear_value.h"
#include "core/base/characters.h"

namespace stepwise::advice {
namespace {

constexpr size_t kMaxPieces = 8;            // of one name, split over lines
constexpr size_t kMaxGapBytes = 24;         // between two of them
constexpr size_t kMaxSuffixes = 6;          // parts of a dotted name that are looked up as its end
constexpr size_t kMaxNameBytes = 256;       // a longer one is cut
constexpr size_t kMaxArgumentBytes = 1024;  // of a call whose keywords are looked at
constexpr size_t kCommandBytes = 200;       // before a flag
constexpr size_t kNegationBytes = 320;      // around a name
constexpr size_t kNone = std::string_view::npos;

bool is_alpha(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

struct Token {
  size_t begin = 0, end = 0;
  std::vector<size_t> parts;  // where each begins; empty: it begins with a digit
};

class Scanner {
 public:
  Scanner(const Readable& readable, const Knowledge& knowledge, const KnownNames& names)
      : readable_(readable),
        text_(readable.text),
        knowledge_(knowledge),
        names_(names),
        around_(readable),
        definitions_(text_) {}

  size_t steps() const { return steps_; }

  std::vector<Mention> scan() {
    for (size_t i = 0; i < text_.size();) {
      const char before = i > 0 ? text_[i - 1] : ' ';
      if (text_.substr(i, 2) == "--" && before != '-' && !is_word(before) && i + 2 < text_.size() &&
          is_alpha(text_[i + 2])) {
        i = read_flag(i);
      } else if (is_word(text_[i])) {
        i = read_token(token_at(i));
      } else {
        ++i;
      }
    }
    steps_ += text_.size();
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Mention& a, const Mention& b) { return a.offset < b.offset; });
    return std::move(found_);
  }

 private:
  Token token_at(size_t at) {
    Token token{at, at, {}};
    if (std::isdigit(static_cast<unsigned char>(text_[at])) == 0) token.parts.push_back(at);
    size_t i = at;
    while (i < text_.size()) {
      if (is_word(text_[i])) {
        ++i;
        continue;
      }
      const size_t skip = text_[i] == '.' ? 1 : text_.substr(i, 2) == "::" || text_.substr(i, 2) == "->" ? 2 : 0;
      const size_t next = i + skip;
      if (skip == 0 || token.parts.empty() || next >= text_.size() || (!is_alpha(text_[next]) && text_[next] != '_'))
        break;
      token.parts.push_back(next);
      i = next;
    }
    token.end = i;
    steps_ += i - at;
    return token;
  }

  std::string_view piece(size_t begin, size_t end) const {
    return text_.substr(begin, std::min(end - begin, kMaxNameBytes));
  }

  void add(ParameterKind kind, std::string_view name, const GivenValue& given, size_t begin, size_t end) {
    Mention mention;
    mention.kind = kind;
    mention.name = std::string(name);
    mention.value = given.value;
    mention.offset = readable_.begin[begin];
    mention.length = readable_.end[end - 1] - mention.offset;
    const size_t value_end = given.value ? std::max(given.end, end) : end;
    mention.value_end = std::max<size_t>(mention.offset + mention.length, readable_.end[value_end - 1]);
    mention.negation = negation_of(text_, begin, end);
    steps_ += kNegationBytes;
    mention.in_code = readable_.zones[begin] == Zone::inline_code || readable_.zones[begin] == Zone::block;
    found_.push_back(std::move(mention));
  }

  /// Where to read on: behind a value that the gate checks as a whole, else behind the name.
  size_t add_known(const KnownName& known, std::string_view written, size_t begin, size_t end) {
    const bool is_switch = known.parameter->value && known.parameter->value->check("").fit == Fit::yes;
    const bool is_flag = written.substr(0, 2) == "--";
    const Told told = told_at(begin);
    GivenValue given = value_at(begin, end, (is_flag && !is_switch) || told == Told::code, told);
    // A variable or an option is not called: "X (see below)".
    if (given.how == Giving::called && known.parameter->kind != ParameterKind::api) given = {};
    if (known.needs_value && (given.how == Giving::none || begin < call_end_)) return end;
    if (known.is_last_part && begin < call_end_ && given.how == Giving::assigned) return end;
    const bool is_named = !knowledge_.named(written).empty();
    const bool is_call = given.how == Giving::called;
    const bool is_file = begin > 0 && text_[begin - 1] == '/';  // docs/CPU_AFFINITY_CONF.md
    const bool is_verified_file = is_file && text_.substr(end, 1) == "." && known.parameter->status == Status::verified;
    if (!given.value && (is_verified_file || is_citation(written, begin, end, told))) return end;
    const KnownValue value =
        known_value(given, *known.parameter, {readable_, definitions_, is_flag, around_.is_in_brackets(begin)});
    add(known.parameter->kind, is_named ? written : std::string_view(known.name), value.given, begin, end);
    found_.back().has_unclear_value = value.is_unclear;
    if (known.parameter->kind != ParameterKind::api && !is_file && !value.is_unclear && !value.is_computed) {
      found_.back().has_unclear_value = given.value ? goes_on(given.end) : has_unclear_value(text_, begin, end);
    }
    if (is_call) {
      const size_t close = around_.close_of(end);
      if (close != kNone) call_end_ = std::max(call_end_, close);
      call_ = known.parameter;
      return end;
    }
    const bool is_checked = known.parameter->status == Status::verified && known.parameter->value;
    return given.value && is_checked ? std::max(given.end, end) : end;
  }

  /// [TASK_QUEUE_ENABLE] names the document, as R4 wants it.
  bool is_citation(std::string_view name, size_t begin, size_t end, Told told) const {
    return told == Told::no && begin > 0 && text_[begin - 1] == '[' && text_.substr(end, 1) == "]" &&
           knowledge_.links().find(name) != nullptr;
  }

  /// What a shell would join to the value: "2""7".
  bool goes_on(size_t value_end) const {
    if (value_end == 0 || value_end >= text_.size()) return false;
    const bool is_quote = text_[value_end] == '"' || text_[value_end] == '\'';
    return is_quote && text_[value_end - 1] == text_[value_end];
  }

  size_t read_flag(size_t at) {
    size_t end = at + 2;
    while (end < text_.size() && (is_word(text_[end]) || ((text_[end] == '-' || text_[end] == '.') &&
                                                          end + 1 < text_.size() && is_word(text_[end + 1])))) {
      ++end;
    }
    const size_t whole = joined_end(end);
    if (whole != end) {
      const std::string joined = without_gaps(at, whole);
      if (const KnownName* known = names_.find(joined)) return add_known(*known, joined, at, whole);
    }
    const std::string_view name = piece(at, end);
    if (const KnownName* known = names_.find(name)) return add_known(*known, name, at, end);
    if (is_plain_flag(name) || is_of_other_command(at, name)) return end;
    GivenValue given = value_at(at, end, true, Told::near);
    if (given.how == Giving::called) given = {};
    add(ParameterKind::cli, name, given, at, end);
    return end;
  }

  bool is_of_other_command(size_t at, std::string_view flag) {
    steps_ += kCommandBytes;
    const Command command = command_at(text_, at);
    return command == Command::other || (command == Command::script && is_of_script(flag));
  }

  /// Behind the pieces that belong to a name which ends at `end` in the middle; `end`: there are none.
  size_t joined_end(size_t end) {
    for (size_t pieces = 1; pieces < kMaxPieces; ++pieces) {
      size_t next = end;
      bool has_line_end = false;
      while (next < text_.size() && next - end < kMaxGapBytes &&
             std::string_view(" \t\r\n>\"'+`\\").find(text_[next]) != kNone) {
        has_line_end = has_line_end || text_[next] == '\n' || text_[next] == '+';
        ++next;
      }
      if (next == end || next >= text_.size()) return end;
      const bool is_open = text_[end - 1] == '_' && is_word(text_[next]);
      const bool is_continued =
          has_line_end && text_[next] == '_' && next + 1 < text_.size() && is_word(text_[next + 1]);
      if (!is_open && !is_continued) return end;
      end = next;
      while (end < text_.size() && is_word(text_[end])) ++end;
      steps_ += end - next;
    }
    return end;
  }

  std::string without_gaps(size_t begin, size_t end) const {
    std::string out;
    for (size_t i = begin; i < end && out.size() < kMaxNameBytes; ++i) {
      if (is_word(text_[i]) || text_[i] == '-' || text_[i] == '.') out += text_[i];
    }
    return out;
  }

  size_t read_token(const Token& token) {
    if (token.parts.empty() || is_keyword(token)) return token.end;
    if (const size_t whole = joined_end(token.end); whole != token.end) {
      const std::string joined = without_gaps(token.begin, whole);
      if (const KnownName* known = names_.find(joined)) return add_known(*known, joined, token.begin, whole);
      const bool hides = std::none_of(token.parts.begin(), token.parts.end(),
                                      [&](size_t part) { return names_.find(piece(part, token.end)) != nullptr; });
      if (hides && is_upper_name(joined) && token.parts.size() == 1 && is_setting(joined, token.begin, whole)) {
        return whole;
      }
    }
    if (const size_t next = read_known(token); next != kNone) return next;
    return read_unknown(token);
  }

  /// Of the known call that is being read; its grammar judges it.
  bool is_keyword(const Token& token) const {
    return token.begin < call_end_ && call_ != nullptr && call_->value && token.parts.size() == 1 &&
           call_->value->has_argument(piece(token.begin, token.end));
  }

  /// The whole, or one of its ends: config.experimental_config.frozen_parameter. kNone: it holds no known name.
  size_t read_known(const Token& token) {
    const size_t count = token.parts.size();
    size_t end = token.end;
    while (end > token.begin + 1 && text_[end - 1] == '_') --end;  // of emphasis
    for (size_t k = 0; k < count; ++k) {
      if (k > 0 && k + kMaxSuffixes < count) continue;
      size_t begin = token.parts[k];
      const KnownName* known = names_.find(piece(begin, token.end));
      if (known == nullptr) {
        while (begin < end && text_[begin] == '_') ++begin;
        known = begin < end ? names_.find(piece(begin, end)) : nullptr;
        if (known == nullptr) continue;
        return add_known(*known, piece(begin, end), begin, end), token.end;
      }
      const bool is_in_path =
          token.begin > 0 && text_[token.begin - 1] == '/' && !is_upper_name(piece(begin, token.end));
      if (is_in_path && readable_.zones[token.begin] == Zone::hidden) return token.end;
      return add_known(*known, piece(begin, token.end), begin, token.end);
    }
    for (size_t k = 0; k + 1 < count; ++k) {
      size_t part_end = token.parts[k + 1];
      while (!is_word(text_[part_end - 1])) --part_end;
      const std::string_view part = piece(token.parts[k], part_end);
      const KnownName* known = is_upper_name(part) ? names_.find(part) : nullptr;
      if (known != nullptr) return add_known(*known, part, token.parts[k], part_end), token.end;
    }
    return kNone;
  }

  size_t read_unknown(const Token& token) {
    const std::string_view whole = piece(token.begin, token.end);
    if (invented_.contains(token.begin)) return token.end;
    if (has_signature(whole)) add_invented_keywords(whole, token.end);
    if (has_signature(whole) || names_.carriers().hold(whole)) return token.end;
    const bool is_single = token.parts.size() == 1;
    if (is_single && (is_upper_name(trimmed(whole)) || told_in_code(token))) {
      size_t begin = token.begin, end = token.end;
      while (begin < end && text_[begin] == '_') ++begin;
      while (end > begin && text_[end - 1] == '_') --end;
      if (begin < end) is_setting(piece(begin, end), begin, end);
      return token.end;
    }
    steps_ += imports_.read(text_, token.begin, piece(token.begin, token.end));
    Shape shape{whole, is_single, readable_.zones[token.begin], around_.is_quoted(token.begin, token.end),
                around_.is_among_options(token.begin)};
    shape.is_imported = imports_.hold(whole.substr(0, whole.find('.')));
    if (!may_be_parameter(shape)) return token.end;
    const Told told = told_at(token.begin);
    shape.told = told;
    shape.is_told_to_call = is_told_to_call(text_, token.begin);
    const GivenValue given = value_at(token.begin, token.end, told == Told::code, told);
    shape.how = given.how;
    shape.value = given.value ? std::optional<std::string_view>(*given.value) : std::nullopt;
    shape.is_line_start = is_line_start(token.begin);
    if (const auto kind = kind_of_unknown(shape)) add(*kind, whole, given, token.begin, token.end);
    return token.end;
  }

  /// Keywords that a call of everybody's does not have: DataLoader(dataset, turbo=True).
  void add_invented_keywords(std::string_view call, size_t open) {
    if (text_.substr(open, 1) != "(") return;
    const size_t close = around_.close_of(open);
    if (close == kNone || close - open > kMaxArgumentBytes) return;
    const std::string_view inside = text_.substr(open + 1, close - open - 1);
    steps_ += inside.size();
    const auto arguments = split_arguments(inside);
    if (!arguments) return;
    for (const WrittenArgument& one : *arguments) {
      if (one.name.empty() || takes_keyword(call, one.name) || names_.find(one.name) != nullptr) continue;
      const auto begin = static_cast<size_t>(one.name.data() - text_.data());
      const auto end = static_cast<size_t>(one.value.data() - text_.data()) + one.value.size();
      add(ParameterKind::config, one.name, {Giving::assigned, std::string(one.value), end}, begin,
          begin + one.name.size());
      invented_.insert(begin);
    }
  }

  Told told_at(size_t begin) {
    steps_ += kLookBackBytes;
    return told_to_set(text_, begin);
  }

  GivenValue value_at(size_t begin, size_t end, bool may_stand_beside, Told told) {
    GivenValue given = around_.value_of(begin, end, may_stand_beside, told != Told::no);
    steps_ += end - begin + (given.value ? given.value->size() : 0);
    return given;
  }

  static std::string_view trimmed(std::string_view name) {
    while (!name.empty() && name.front() == '_') name.remove_prefix(1);
    while (!name.empty() && name.back() == '_') name.remove_suffix(1);
    return name;
  }

  bool told_in_code(const Token& token) const {
    const char before = token.begin > 0 ? text_[token.begin - 1] : 'x';
    if (std::string_view(" \"':[({").find(before) == kNone) return false;
    return is_told_in_code(text_, token.begin);
  }

  bool is_line_start(size_t at) const {
    while (at > 0 && std::string_view(" \t-\"'").find(text_[at - 1]) != kNone) --at;
    return at == 0 || text_[at - 1] == '\n';
  }

  /// An upper-case name that nobody knows: adds it if the text treats it as a setting.
  bool is_setting(std::string_view name, size_t begin, size_t end) {
    const Told told = told_at(begin);
    GivenValue given = value_at(begin, end, told == Told::code, told);
    if (given.how == Giving::called) given = {};  // "X (see below)"
    UpperName upper{name, readable_.zones[begin], told, given.how};
    upper.is_called_setting = is_called_setting(text_, end);
    upper.is_line_start = is_line_start(begin);
    upper.is_quoted = around_.is_quoted(begin, end);
    upper.is_in_path = begin > 0 && (text_[begin - 1] == '/' || (end < text_.size() && text_[end] == '/'));
    upper.has_name_key = has_name_key(begin);
    upper.is_condition = is_condition_in_code(text_, begin);
    if (!is_unknown_variable(upper)) return false;
    add(ParameterKind::env, name, given, begin, end);
    return true;
  }

  /// `- name: X` of a list of variables in YAML.
  bool has_name_key(size_t begin) const {
    const size_t from = begin < 8 ? 0 : begin - 8;
    const std::string_view before = text_.substr(from, begin - from);
    return before.find("name: ") != before.npos || before.find("name\": ") != before.npos;
  }

  const Readable& readable_;
  std::string_view text_;
  const Knowledge& knowledge_;
  const KnownNames& names_;
  Surroundings around_;
  const Definitions definitions_;
  size_t steps_ = 0;
  Imports imports_;
  std::set<size_t> invented_;  // where keywords begin that have been added already
  size_t call_end_ = 0;        // of the known call that is being read
  const Parameter* call_ = nullptr;
  std::vector<Mention> found_;
};

}  // namespace

MentionFinder::MentionFinder(const Knowledge& knowledge)
    : knowledge_(knowledge), names_(std::make_unique<const KnownNames>(knowledge)) {}
MentionFinder::~MentionFinder() = default;

std::vector<Mention> MentionFinder::find(std::string_view text) const {
  size_t steps = 0;
  return find(text, steps);
}

std::vector<Mention> MentionFinder::find(std::string_view text, size_t& steps) const {
  const Readable readable = read_markdown(text);
  Scanner scanner(readable, knowledge_, *names_);
  auto found = scanner.scan();
  steps = readable.steps + scanner.steps();
  return found;
}

}  // namespace stepwise::advice
