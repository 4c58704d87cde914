#include "protocol/jsonrpc/binder.h"

#include <string>

#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::jsonrpc;

namespace {

struct SumParams {
  std::string name;
  std::optional<Json> options;
  std::optional<Id> token;
};
void read(Fields& fields, SumParams& out) {
  fields.required("name", out.name);
  fields.optional("options", out.options);
  fields.optional_object("_meta", [&](Fields& meta) { meta.optional("token", out.token); });
}

struct RefParams {
  std::string name;
};
void read(Fields& fields, RefParams& out) {
  fields.required_object("ref", [&](Fields& ref) { ref.required("name", out.name); });
}

SumParams sum_of(const char* params) { return std::get<SumParams>(read_params<SumParams>(parse_json(params).value())); }

template <class Params>
ErrorObject error_of(const std::string& params) {
  return std::get<ErrorObject>(read_params<Params>(parse_json(params).value()));
}

}  // namespace

TEST_CASE("typed parameters arrive; null is the same as absent, unknown keys are ignored") {
  const SumParams full = sum_of(R"({"name":"n","options":{"a":1},"_meta":{"token":5,"other":[]},"more":1})");
  CHECK(full.name == "n");
  CHECK(*full.options == Json{{"a", 1}});
  CHECK(full.token->json() == 5);
  const SumParams least = sum_of(R"({"name":"n","options":null,"_meta":null})");
  CHECK_FALSE(least.options.has_value());
  CHECK_FALSE(least.token.has_value());
}

TEST_CASE("a bad parameter is -32602 with the path of the field") {
  struct Case {
    const char *params, *path, *expected;
  };
  for (const Case& one :
       {Case{"{}", "/params/name", "present"}, Case{R"({"name":null})", "/params/name", "a string"},
        Case{R"({"name":4})", "/params/name", "a string"}, Case{"[1]", "/params", "an object"},
        Case{R"({"name":"n","options":[]})", "/params/options", "an object"},
        Case{R"({"name":"n","_meta":3})", "/params/_meta", "an object"},
        Case{R"({"name":"n","_meta":{"token":1.5}})", "/params/_meta/token", "a string or an integer"}}) {
    INFO(one.params);
    const ErrorObject error = error_of<SumParams>(one.params);
    CHECK(error.code == kInvalidParams);
    CHECK(error.data == Json{{"path", one.path}, {"expected", one.expected}});
    CHECK(error.message.find(one.path) != std::string::npos);
  }
}

TEST_CASE("an object that must be there is read like the outer one") {
  CHECK(std::get<RefParams>(read_params<RefParams>({{"ref", {{"name", "n"}}}})).name == "n");
  CHECK(error_of<RefParams>("{}").data["path"] == "/params/ref");
  CHECK(error_of<RefParams>(R"({"ref":null})").data["path"] == "/params/ref");
  CHECK(error_of<RefParams>(R"({"ref":{"name":1}})").data["path"] == "/params/ref/name");
}

TEST_CASE("the first bad field is the one that is reported") {
  CHECK(error_of<SumParams>(R"({"options":5,"_meta":5})").data["path"] == "/params/name");
}

TEST_CASE("a long bad value is shortened in the message") {
  CHECK(error_of<SumParams>(R"({"name":[")" + std::string(10'000, 'x') + R"("]})").message.size() < 300);
}
