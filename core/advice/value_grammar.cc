#include "core/advice/value_grammar.h"

#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "core/advice/call_arguments.h"
#include "core/base/text.h"

namespace stepwise::advice {

using NodePtr = std::shared_ptr<const ValueGrammar::Node>;

namespace {

constexpr int kMaxDepth = 8;
constexpr size_t kMaxShown = 60;  // characters of a wrong value in a message

struct OneOf {
  std::vector<std::string> values, undocumented;
};
struct Whole {
  std::optional<int64_t> min, max, multiple_of;
};
struct Number {
  std::optional<double> min, max;
};
struct Matches {
  std::unique_ptr<RE2> pattern;
};
struct ListOf {
  NodePtr item;
  char separator = ',';
};
struct Pairs {
  std::map<std::string, NodePtr, std::less<>> keys;
  char separator = ',', assign = '=';
};
struct Switch {};
struct Argument {
  std::string name;
  NodePtr value;  // nullptr: any
  bool keyword_only = false;
};
struct Call {
  std::vector<Argument> arguments;
};

}  // namespace

struct ValueGrammar::Node {
  std::variant<OneOf, Whole, Number, Matches, ListOf, Pairs, Switch, Call> kind;
};

namespace {

Error bad(const std::string& where, const std::string& what) {
  return {ErrorKind::bad_data, "knowledge.value", what, "", where};
}

// ---- from JSON

Result<NodePtr> make(const Json& json, const std::string& where, int depth);

template <class T>
NodePtr node(T kind) {
  return std::make_shared<const ValueGrammar::Node>(ValueGrammar::Node{std::move(kind)});
}

Result<std::vector<std::string>> texts(const Json& json, const std::string& where) {
  std::vector<std::string> out;
  if (!json.is_array()) return bad(where, "must be a list of texts.");
  for (const Json& one : json) {
    if (!one.is_string()) return bad(where, "must be a list of texts.");
    out.push_back(one.get<std::string>());
  }
  return out;
}

Result<char> separator(const Json& json, const char* key, const std::string& where) {
  const auto it = json.find(key);
  if (it == json.end() || !it->is_string() || it->get<std::string>().size() != 1) {
    return bad(where + "/" + key, "must be one character.");
  }
  return it->get<std::string>()[0];
}

Result<NodePtr> make_one_of(const Json& json, const std::string& where) {
  OneOf kind;
  SW_ASSIGN_OR_RETURN(kind.values, texts(json["one_of"], where + "/one_of"));
  if (kind.values.empty()) return bad(where + "/one_of", "must not be empty.");
  if (const auto it = json.find("undocumented"); it != json.end()) {
    SW_ASSIGN_OR_RETURN(kind.undocumented, texts(*it, where + "/undocumented"));
  }
  return node(std::move(kind));
}

template <class Kind, class T>
Result<NodePtr> make_bounds(const Json& json, const std::string& where, Kind kind, std::optional<T> Kind::*step) {
  if (!json.is_object()) return bad(where, "must be an object.");
  const std::map<std::string, std::optional<T> Kind::*> bounds = {
      {"min", &Kind::min}, {"max", &Kind::max}, {"multiple_of", step}};
  for (const auto& [key, value] : json.items()) {
    const auto bound = bounds.find(key);
    if (bound == bounds.end() || bound->second == nullptr) return bad(where + "/" + key, "is no bound.");
    if (!value.is_number()) return bad(where + "/" + key, "must be a number.");
    kind.*bound->second = value.template get<T>();
  }
  if (kind.min && kind.max && *kind.min > *kind.max) return bad(where, "leaves no value.");
  if (step != nullptr && kind.*step && *(kind.*step) <= 0) return bad(where + "/multiple_of", "must be positive.");
  return node(std::move(kind));
}

Result<NodePtr> make_matches(const Json& json, const std::string& where) {
  if (!json.is_string()) return bad(where, "must be a text.");
  RE2::Options options(RE2::Quiet);
  Matches kind{std::make_unique<RE2>(json.get<std::string>(), options)};
  if (!kind.pattern->ok()) return bad(where, "is no pattern: " + kind.pattern->error() + ".");
  return node(std::move(kind));
}

Result<NodePtr> make_pairs(const Json& json, const std::string& where, int depth) {
  Pairs kind;
  if (!json["pairs"].is_object() || json["pairs"].empty()) return bad(where + "/pairs", "must be an object with keys.");
  SW_ASSIGN_OR_RETURN(kind.separator, separator(json, "separator", where));
  SW_ASSIGN_OR_RETURN(kind.assign, separator(json, "assign", where));
  for (const auto& [key, value] : json["pairs"].items()) {
    SW_ASSIGN_OR_RETURN(kind.keys[key], make(value, where + "/pairs/" + key, depth + 1));
  }
  return node(std::move(kind));
}

Result<NodePtr> make_call(const Json& json, const std::string& where, int depth) {
  Call kind;
  if (!json.is_array()) return bad(where, "must be a list of arguments.");
  for (size_t i = 0; i < json.size(); ++i) {
    const std::string at = where + "/" + std::to_string(i);
    if (!json[i].is_object() || !json[i].contains("name") || !json[i]["name"].is_string()) {
      return bad(at, "must have a name.");
    }
    Argument argument;
    argument.name = json[i]["name"].get<std::string>();
    argument.keyword_only = json[i].value("keyword", false);
    if (json[i].contains("value")) {
      SW_ASSIGN_OR_RETURN(argument.value, make(json[i]["value"], at + "/value", depth + 1));
    }
    kind.arguments.push_back(std::move(argument));
  }
  return node(std::move(kind));
}

Result<NodePtr> make(const Json& json, const std::string& where, int depth) {
  if (depth > kMaxDepth) return bad(where, "is nested too deeply.");
  if (!json.is_object()) return bad(where, "must be an object.");
  static constexpr std::pair<std::string_view, std::string_view> kKeys[] = {{"one_of", "one_of undocumented"},
                                                                            {"integer", "integer"},
                                                                            {"number", "number"},
                                                                            {"matches", "matches"},
                                                                            {"list_of", "list_of separator"},
                                                                            {"switch", "switch"},
                                                                            {"call", "call"},
                                                                            {"pairs", "pairs separator assign"}};
  std::string_view kind, allowed;
  for (const auto& [key, with] : kKeys) {
    if (json.contains(key)) kind = key, allowed = with;
  }
  if (kind.empty()) return bad(where, "names no kind of value.");
  for (const auto& [key, value] : json.items()) {
    if ((" " + std::string(allowed) + " ").find(" " + key + " ") == std::string::npos) {
      return bad(where + "/" + key, "does not belong to " + std::string(kind) + ".");
    }
  }
  if (kind == "one_of") return make_one_of(json, where);
  if (kind == "integer") return make_bounds(json["integer"], where + "/integer", Whole{}, &Whole::multiple_of);
  if (kind == "number") return make_bounds<Number, double>(json["number"], where + "/number", Number{}, nullptr);
  if (kind == "matches") return make_matches(json["matches"], where + "/matches");
  if (kind == "pairs") return make_pairs(json, where, depth);
  if (kind == "call") return make_call(json["call"], where + "/call", depth);
  if (kind == "switch") {
    if (json["switch"] != Json(true)) return bad(where + "/switch", "must be true.");
    return node(Switch{});
  }
  ListOf list;
  SW_ASSIGN_OR_RETURN(list.item, make(json["list_of"], where + "/list_of", depth + 1));
  SW_ASSIGN_OR_RETURN(list.separator, separator(json, "separator", where));
  return node(std::move(list));
}

// ---- in words

template <class T>
std::string bounds_in_words(const char* what, const T& min, const T& max) {
  const auto text = [](const auto& value) { return dump_json(Json(value)); };
  if (min && max) return std::string(what) + " from " + text(*min) + " to " + text(*max);
  if (min) return std::string(what) + " from " + text(*min) + " up";
  if (max) return std::string(what) + " up to " + text(*max);
  return what;
}

std::string in_words(const ValueGrammar::Node& grammar);

struct Words {
  std::string operator()(const OneOf& kind) const { return "one of " + joined(kind.values); }
  std::string operator()(const Whole& kind) const {
    std::string out = bounds_in_words("a whole number", kind.min, kind.max);
    if (kind.multiple_of) out += ", a multiple of " + std::to_string(*kind.multiple_of);
    return out;
  }
  std::string operator()(const Number& kind) const { return bounds_in_words("a number", kind.min, kind.max); }
  std::string operator()(const Matches& kind) const { return "of the form " + kind.pattern->pattern(); }
  std::string operator()(const ListOf& kind) const {
    return "a list separated by '" + std::string(1, kind.separator) + "', each " + in_words(*kind.item);
  }
  std::string operator()(const Pairs& kind) const {
    std::vector<std::string> keys;
    for (const auto& [key, value] : kind.keys) keys.push_back(key);
    return "KEY" + std::string(1, kind.assign) + "VALUE separated by '" + std::string(1, kind.separator) + "', KEY " +
           (*this)(OneOf{keys, {}});
  }
  std::string operator()(const Switch&) const { return "a switch without a value"; }
  std::string operator()(const Call& kind) const {
    std::vector<std::string> names;
    for (const Argument& one : kind.arguments) names.push_back(one.name);
    return "a call with (" + joined(names) + ")";
  }
};

std::string in_words(const ValueGrammar::Node& grammar) { return std::visit(Words{}, grammar.kind); }

// ---- checking

std::string shown(std::string_view value) { return "\"" + shorten(to_valid_utf8(value), kMaxShown) + "\""; }

ValueVerdict wrong(std::string_view value, const ValueGrammar::Node& grammar) {
  return {Fit::no, shown(value) + " is not " + in_words(grammar) + "."};
}

ValueVerdict check(const ValueGrammar::Node& grammar, std::string_view value);

/// Pieces between separators; an empty last one (a trailing separator) is dropped.
std::vector<std::string_view> pieces(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  while (true) {
    const size_t at = text.find(separator);
    if (at == text.npos) break;
    out.push_back(trim(text.substr(0, at)));
    text.remove_prefix(at + 1);
  }
  if (!trim(text).empty() || out.empty()) out.push_back(trim(text));
  return out;
}

/// `key`: in front of the piece, or empty.
ValueVerdict of_piece(const ValueGrammar::Node& grammar, std::string_view value, const std::string& key) {
  ValueVerdict verdict = check(grammar, value);
  if (verdict.fit == Fit::no) verdict.piece = key + (verdict.piece.empty() ? std::string(value) : verdict.piece);
  return verdict;
}

/// The worse of two.
void add(ValueVerdict& all, ValueVerdict one) {
  if (one.fit > all.fit) all = std::move(one);
}

/// nullptr: the call has no such argument. `position`: of those without a name, counted on.
const Argument* argument_of(const Call& call, const WrittenArgument& one, size_t& position) {
  if (one.name.empty()) {
    const size_t at = position++;
    return at < call.arguments.size() && !call.arguments[at].keyword_only ? &call.arguments[at] : nullptr;
  }
  const auto it = std::find_if(call.arguments.begin(), call.arguments.end(),
                               [&](const Argument& argument) { return argument.name == one.name; });
  return it == call.arguments.end() ? nullptr : &*it;
}

struct Checker {
  const ValueGrammar::Node& grammar;
  std::string_view value;

  ValueVerdict operator()(const OneOf& kind) const {
    const auto is_in = [&](const std::vector<std::string>& values) {
      return std::find(values.begin(), values.end(), value) != values.end();
    };
    if (is_in(kind.values)) return {};
    if (is_in(kind.undocumented)) {
      return {Fit::undocumented, shown(value) + " is read by the source code but stands in no document; documented: " +
                                     joined(kind.values) + "."};
    }
    return wrong(value, grammar);
  }
  ValueVerdict operator()(const Whole& kind) const {
    const auto number = to_integer(value);
    const bool fits = number && value == trim(value) && (!kind.min || *number >= *kind.min) &&
                      (!kind.max || *number <= *kind.max) && (!kind.multiple_of || *number % *kind.multiple_of == 0);
    return fits ? ValueVerdict{} : wrong(value, grammar);
  }
  ValueVerdict operator()(const Number& kind) const {
    const auto number = to_double(value);
    const bool fits = number && (!kind.min || *number >= *kind.min) && (!kind.max || *number <= *kind.max);
    return fits ? ValueVerdict{} : wrong(value, grammar);
  }
  ValueVerdict operator()(const Matches& kind) const {
    return RE2::FullMatch(re2::StringPiece(value.data(), value.size()), *kind.pattern) ? ValueVerdict{}
                                                                                       : wrong(value, grammar);
  }
  ValueVerdict operator()(const ListOf& kind) const {
    ValueVerdict all;
    for (const std::string_view one : pieces(value, kind.separator)) add(all, of_piece(*kind.item, one, ""));
    return all;
  }
  ValueVerdict operator()(const Pairs& kind) const {
    ValueVerdict all;
    for (const std::string_view one : pieces(value, kind.separator)) {
      const size_t at = one.find(kind.assign);
      const auto key = kind.keys.find(trim(one.substr(0, at)));
      if (at == one.npos || key == kind.keys.end()) {
        ValueVerdict verdict = wrong(one, grammar);
        std::vector<std::string> known;
        for (const auto& entry : kind.keys) known.push_back(entry.first);
        const auto nearest = nearest_names(trim(one.substr(0, at)), known);
        if (!nearest.empty() && key == kind.keys.end()) verdict.why += " Did you mean " + nearest[0] + "?";
        return verdict;
      }
      add(all, of_piece(*key->second, trim(one.substr(at + 1)), key->first + "="));
    }
    return all;
  }
  ValueVerdict operator()(const Switch&) const { return value.empty() ? ValueVerdict{} : wrong(value, grammar); }
  ValueVerdict operator()(const Call& kind) const {
    const auto arguments = split_arguments(value);
    if (!arguments) return {Fit::no, shown(value) + " are no arguments of a call."};
    ValueVerdict all;
    size_t position = 0;
    for (const WrittenArgument& one : *arguments) {
      const Argument* known = argument_of(kind, one, position);
      if (known == nullptr) {
        return {Fit::no, (one.name.empty() ? "Argument " + std::to_string(position) : shown(one.name)) +
                             " does not exist: " + in_words(grammar) + "."};
      }
      // A variable's value nobody can tell from its name.
      if (known->value != nullptr && is_literal(one.value)) add(all, check(*known->value, unquoted(one.value)));
    }
    return all;
  }
};

ValueVerdict check(const ValueGrammar::Node& grammar, std::string_view value) {
  return std::visit(Checker{grammar, value}, grammar.kind);
}

}  // namespace

Result<ValueGrammar> ValueGrammar::from_json(const Json& json) {
  SW_ASSIGN_OR_RETURN(NodePtr node, make(json, "", 0));
  return ValueGrammar(std::move(node));
}

bool ValueGrammar::is_call() const { return std::holds_alternative<Call>(node_->kind); }

bool ValueGrammar::has_argument(std::string_view name) const {
  const Call* call = std::get_if<Call>(&node_->kind);
  return call != nullptr && std::any_of(call->arguments.begin(), call->arguments.end(),
                                        [&](const Argument& one) { return one.name == name; });
}

bool ValueGrammar::is_without_words() const {
  const Node* node = node_.get();
  if (const auto* list = std::get_if<ListOf>(&node->kind)) node = list->item.get();
  return std::holds_alternative<Whole>(node->kind) || std::holds_alternative<Number>(node->kind) ||
         std::holds_alternative<Matches>(node->kind);
}

std::vector<std::string> ValueGrammar::open_arguments(std::string_view written) const {
  std::vector<std::string> open;
  const Call* call = std::get_if<Call>(&node_->kind);
  const auto arguments = split_arguments(written);
  if (call == nullptr || !arguments) return open;
  size_t position = 0;
  for (const WrittenArgument& one : *arguments) {
    const Argument* known = argument_of(*call, one, position);
    if (known != nullptr && known->value != nullptr && !is_literal(one.value)) open.emplace_back(one.value);
  }
  return open;
}

ValueVerdict ValueGrammar::check(std::string_view written) const {
  return advice::check(*node_, is_call() ? written : unquoted(written));
}

std::string ValueGrammar::says() const { return in_words(*node_); }

}  // namespace stepwise::advice
