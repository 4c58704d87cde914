#include "core/ingest/graph/graph_proto_text.h"

#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

/// Events as text: `op{3`, `}`, `name=conv`.
class Recorder : public ProtoTextListener {
 public:
  void begin(std::string_view field, int64_t line) override {
    told += std::string(field) + "{" + std::to_string(line) + " ";
  }
  void end() override { told += "} "; }
  void scalar(std::string_view field, const ProtoScalar& scalar) override {
    told += std::string(field) + "=" + std::string(scalar.value) + " ";
  }
  std::string told;
};

struct Outcome {
  std::string told, error;
  bool is_whole;
};
Outcome parse(std::string_view text, size_t piece = 1 << 20) {
  Recorder recorder;
  ProtoTextParser parser(recorder);
  for (size_t at = 0; at < text.size(); at += piece) {
    if (!parser.feed(text.substr(at, piece))) return {recorder.told, parser.error(), false};
  }
  const bool is_whole = parser.finish();
  return {recorder.told, "", is_whole};
}

}  // namespace

TEST_CASE("protobuf text: fields, messages, lists, comments, texts in a row") {
  const std::string_view text = R"(# a dump
graph {
  name: "a\"b\\c\101\n"
  op { type : 'Conv2D' id: -1 ok: true f: 1.5e-3 }
  op <kind: VT_INT>;
  dims: [1, 2,3]
  many: [{i: 1}, {i: 2}]
  long: "ab"
        'cd'
  [ext.name]: 7
  sub: { x: 1 }
})";
  const std::string expected =
      "graph{2 name=a\"b\\cA\n op{4 type=Conv2D id=-1 ok=true f=1.5e-3 } op{5 kind=VT_INT } dims=1 dims=2 dims=3 "
      "many{7 i=1 } many{7 i=2 } long=abcd ext.name=7 sub{11 x=1 } } ";
  for (const size_t piece : {size_t{1}, size_t{3}, size_t{1000}}) {
    const Outcome outcome = parse(text, piece);
    CHECK(outcome.told == expected);
    CHECK(outcome.is_whole);
  }
}

TEST_CASE("protobuf text: wherever it is cut, it is not whole, and what was told before stays") {
  const std::string text = "graph { op { name: \"a\" } dims: [1, 2] }";
  const std::string whole = parse(text).told;
  for (size_t length = 1; length < text.size(); ++length) {
    const Outcome outcome = parse(text.substr(0, length));
    CHECK_FALSE(outcome.is_whole);
    CHECK(outcome.error.empty());
    CHECK(whole.starts_with(outcome.told.substr(0, outcome.told.rfind(' ', outcome.told.size() - 2) + 1)));
  }
  CHECK(parse("").is_whole);
  CHECK(parse("a: 1").is_whole);
}

TEST_CASE("protobuf text: a byte order mark is passed over, at the beginning only") {
  for (const size_t piece : {size_t{1}, size_t{2}, size_t{1000}}) {
    const Outcome outcome = parse(
        "\xEF\xBB\xBF"
        "a: 1",
        piece);
    CHECK(outcome.told == "a=1 ");
    CHECK(outcome.is_whole);
    CHECK(parse("\xEF\xBB"
                "a: 1",
                piece)
              .error == "It begins with a part of a byte order mark.");
    CHECK(parse("a: 1\n\xEF\xBB\xBF"
                "b: 2",
                piece)
              .error == "A character stands where none belongs.");
  }
  CHECK_FALSE(parse("\xEF\xBB").is_whole);
  CHECK(parse("\xEF\xBB\xBF").is_whole);
}

TEST_CASE("protobuf text: what does not parse says why") {
  CHECK(parse("a: }").error == "A value is missing.");
  CHECK(parse("}").error == "A bracket closes what was not opened.");
  CHECK(parse("a { >").error == "A bracket closes what was not opened.");
  CHECK(parse("a b").error.empty());  // cut
  CHECK(parse("a b\n").error == "A word stands where ':' or '{' should.");
  CHECK(parse("a: \"x\ny\"").error == "A text has no closing quote.");
  CHECK(parse("\"x\"").error == "A text stands where a field's name should.");
  CHECK(parse("a: 1 : 2").error == "A ':' stands where none belongs.");
  CHECK(parse("a: @").error == "A character stands where none belongs.");
  std::string deep;
  for (size_t i = 0; i < ProtoTextParser::kMaxDepth; ++i) deep += "a{";
  CHECK(parse(deep).error.empty());
  CHECK(parse(deep + "a{").error == "It is nested deeper than 64 levels.");
  CHECK(parse(std::string(2000, 'a') + ": 1").error == "A field's name is longer than any real one.");
}

TEST_CASE("protobuf text: of a long text only the beginning is told") {
  const Outcome outcome = parse("w: \"" + std::string(200'000, 'x') + "\" n: 1");
  CHECK(outcome.is_whole);
  CHECK(outcome.told == "w=" + std::string(ProtoTextParser::kMaxValueBytes, 'x') + " n=1 ");
}

}  // namespace stepwise::ingest
