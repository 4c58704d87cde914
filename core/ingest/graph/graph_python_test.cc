#include "core/ingest/graph/graph_python.h"

#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

std::vector<std::string> statements(std::string_view text, bool is_cut = false) {
  PythonStatements all(text);
  PythonStatement one;
  std::vector<std::string> out;
  while (all.next(one)) {
    out.push_back(std::to_string(one.line) + "/" + std::to_string(one.indent) + " " + one.text +
                  (one.comment.empty() ? "" : " #" + one.comment));
  }
  CHECK(all.is_cut() == is_cut);
  return out;
}

}  // namespace

TEST_CASE("python: a statement is a line, or lines up to the closing bracket") {
  CHECK(statements("a = 1\n\n  # note\n  f(b,  # b's\n    [c]\n  )\nx = '#(' # t\n") ==
        std::vector<std::string>{"1/0 a = 1", "3/2  #note", "4/2 f(b,       [c]   )", "7/0 x = '#(' #t"});
  CHECK(statements("k = t('n', '''\n(\n''', d=\"x\")\nlast") ==
        std::vector<std::string>{"1/0 k = t('n', '', d=\"x\")", "4/0 last"});
  CHECK(statements("a\nf(b,\n c", true) == std::vector<std::string>{"1/0 a"});
  CHECK(statements("a\nx = '''\n c", true) == std::vector<std::string>{"1/0 a"});
  CHECK(statements("it's odd\nb\n") == std::vector<std::string>{"1/0 it's odd", "2/0 b"});
  CHECK(statements("").empty());
}

TEST_CASE("python: what is never closed is named by the line that opens it") {
  const auto opening_line = [](std::string_view text) {
    PythonStatements all(text);
    PythonStatement one;
    while (all.next(one)) {
    }
    CHECK(all.is_cut());
    return all.opening_line();
  };
  CHECK(opening_line("a\nf(b\ng(c)\n\nh[d]\n") == 2);
  CHECK(opening_line("a(b,\n [c,\n d]\n") == 1);
  CHECK(opening_line("a\nf('b)\ng(c)\n") == 2);
  CHECK(opening_line("a\n\nx = '''b\nc\n") == 3);
  CHECK(opening_line("f(a,\n  '''b\nc)\n") == 2);
}

TEST_CASE("python: assignments, calls, names") {
  const PythonAssignment typed = split_assignment("add: \"f32[8]\" = torch.add(a, alpha = 2);  a = None");
  CHECK(typed.targets == "add: \"f32[8]\"");
  CHECK(typed.value == "torch.add(a, alpha = 2)");
  CHECK(split_assignment("f(a=1)").targets.empty());
  CHECK(split_assignment("a == b").targets.empty());
  CHECK(split_assignment("a <= b").targets.empty());
  PythonCall call;
  REQUIRE(as_call("torch.ops.aten.add.Tensor(a, (b, c))", call));
  CHECK(call.callee == "torch.ops.aten.add.Tensor");
  CHECK(split_arguments(call.arguments) == std::vector<std::string_view>{"a", "(b, c)"});
  CHECK_FALSE(as_call("f(a)[0]", call));
  CHECK_FALSE(as_call("f(a", call));
  CHECK_FALSE(as_call("a", call));
  CHECK_FALSE(as_call("", call));
  CHECK(names_in("a, [b.c, 'd', 1e5], alpha = e, f==g, torch.float32") ==
        std::vector<std::string_view>{"a", "b", "e", "f", "g", "torch"});
  CHECK(split_arguments("a, ") == std::vector<std::string_view>{"a"});
}

}  // namespace stepwise::ingest
