#include "core/advice/call_arguments.h"

#include <string>

#include "tests/catch.h"

namespace stepwise::advice {
namespace {

/// "name=value|value"
std::string split(std::string_view text) {
  const auto arguments = split_arguments(text);
  if (!arguments) return "open";
  std::string out;
  for (const WrittenArgument& one : *arguments) {
    out += (out.empty() ? "" : "|") + (one.name.empty() ? "" : std::string(one.name) + "=") + std::string(one.value);
  }
  return out;
}

}  // namespace

TEST_CASE("arguments are cut at commas outside of brackets and quotes") {
  CHECK(split("") == "");
  CHECK(split("a, b = 2 ,c") == "a|b=2|c");
  CHECK(split("[1, 2], {'k': (3, 4)}, x=\"a,b\"") == "[1, 2]|{'k': (3, 4)}|x=\"a,b\"");
  CHECK(split("a == b, 'it\\'s, so'") == "a == b|'it\\'s, so'");
  CHECK(split("f(x=1), y") == "f(x=1)|y");
  CHECK(split("a,") == "a");
  for (const char* open : {"(", "a]", "[)", "'a", "{\"k\": 1"}) CHECK(split(open) == "open");
}

TEST_CASE("literals are numbers, quoted texts, constants and dotted names") {
  for (const char* literal : {"1", "-2.5", "'a'", "\"b c\"", "True", "None", "torch.bfloat16", "unlimited"}) {
    CHECK(is_literal(literal));
  }
  for (const char* other : {"", "model", "f(x)", "a + b", "[1]", "x.y()"}) CHECK_FALSE(is_literal(other));
  CHECK(unquoted("'a'") == "a");
  CHECK(unquoted("'a\"") == "'a\"");
  CHECK(unquoted("'") == "'");
}

}  // namespace stepwise::advice
