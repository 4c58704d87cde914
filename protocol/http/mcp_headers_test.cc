#include "protocol/http/mcp_headers.h"

#include "protocol/mcp/fake_engine.h"
#include "protocol/mcp/modern.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::http;

namespace {

struct Case {
  HttpRequest http;
  Json params = {{"name", "echo"},
                 {"arguments", Json::object()},
                 {"_meta", {{mcp::modern::meta_key("protocolVersion"), "2026-07-28"}}}};
  std::string method = "tools/call";

  Case() {
    http.headers = {{"mcp-protocol-version", "2026-07-28"}, {"mcp-method", "tools/call"}, {"mcp-name", "echo"}};
  }

  /// The header that the error names; "": they agree.
  std::string mismatched() const {
    auto decl = mcp::declared_tool("echo");
    decl.input["properties"] = {{"region", {{"type", "string"}, {"x-mcp-header", "Region"}}},
                                {"count", {{"type", "integer"}, {"x-mcp-header", "Count"}}},
                                {"dry", {{"type", "boolean"}, {"x-mcp-header", "Dry"}}}};
    decl.checks_itself = true;  // the host's own checker does not know x-mcp-header
    const mcp::FakeEngine engine({decl});
    const jsonrpc::Request request{*jsonrpc::Id::from(1), method, params};
    const auto error = header_mismatch(http, request, *engine.registry());
    if (!error) return "";
    CHECK(error->code == -32020);
    return error->data["header"];
  }
};

}  // namespace

TEST_CASE("headers agree with the body, whatever blanks stand around them") {
  Case one;
  CHECK(one.mismatched().empty());
  one.http.headers["mcp-name"] = "  echo\t";
  CHECK(one.mismatched().empty());
}

TEST_CASE("a header that is missing or says something else is named") {
  for (const auto& [header, name] : std::map<std::string, std::string>{
           {"mcp-protocol-version", "MCP-Protocol-Version"}, {"mcp-method", "Mcp-Method"}, {"mcp-name", "Mcp-Name"}}) {
    INFO(name);
    Case missing, other, cased;
    missing.http.headers.erase(header);
    CHECK(missing.mismatched() == name);
    other.http.headers[header] = "something else";
    CHECK(other.mismatched() == name);
  }
  Case cased;
  cased.http.headers["mcp-name"] = "Echo";
  CHECK(cased.mismatched() == "Mcp-Name");
}

TEST_CASE("the name is that of a prompt or the address of a resource too; other methods have none") {
  Case read;
  read.method = read.http.headers["mcp-method"] = "resources/read";
  read.params["uri"] = "skill://index.json";
  CHECK(read.mismatched() == "Mcp-Name");
  read.http.headers["mcp-name"] = "skill://index.json";
  CHECK(read.mismatched().empty());
  Case list;
  list.method = list.http.headers["mcp-method"] = "tools/list";
  list.http.headers.erase("mcp-name");
  CHECK(list.mismatched().empty());
}

TEST_CASE("arguments that a schema puts into headers must be there, and equal") {
  Case text;
  text.params["arguments"]["region"] = "us west";
  CHECK(text.mismatched() == "Mcp-Param-Region");
  text.http.headers["mcp-param-region"] = "us west";
  CHECK(text.mismatched().empty());
  text.http.headers["mcp-param-region"] = "=?base64?dXMgd2VzdA==?=";
  CHECK(text.mismatched().empty());
  text.http.headers["mcp-param-region"] = "=?base64?dXMgd2VzdA?=";
  CHECK(text.mismatched() == "Mcp-Param-Region");
  text.http.headers["mcp-param-region"] = "dXMgd2VzdA==";  // a literal, compared as it stands
  CHECK(text.mismatched() == "Mcp-Param-Region");

  Case number;
  number.params["arguments"]["count"] = 5;
  number.http.headers["mcp-param-count"] = "5.0";
  CHECK(number.mismatched().empty());
  number.http.headers["mcp-param-count"] = "6";
  CHECK(number.mismatched() == "Mcp-Param-Count");
  number.http.headers["mcp-param-count"] = "five";
  CHECK(number.mismatched() == "Mcp-Param-Count");

  Case truth;
  truth.params["arguments"]["dry"] = true;
  truth.http.headers["mcp-param-dry"] = "true";
  CHECK(truth.mismatched().empty());

  Case absent;
  absent.params["arguments"]["region"] = nullptr;
  CHECK(absent.mismatched().empty());
  absent.http.headers["mcp-param-region"] = "x";
  CHECK(absent.mismatched() == "Mcp-Param-Region");
}

TEST_CASE("Accept takes a type by its name, its kind or everything") {
  HttpRequest http;
  CHECK(accepts(http, "text/event-stream"));
  const auto with = [&](const char* value) {
    http.headers["accept"] = value;
    return accepts(http, "text/event-stream");
  };
  CHECK(with("application/json, text/event-stream"));
  CHECK(with("Text/Event-Stream;q=0.5"));
  CHECK(with("text/*"));
  CHECK(with("*/*"));
  CHECK_FALSE(with("application/json"));
  CHECK_FALSE(with("application/json;q=0.9, text/html"));
  CHECK_FALSE(with(""));
}
