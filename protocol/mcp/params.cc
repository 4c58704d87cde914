#include "protocol/mcp/params.h"

#include <utility>

namespace stepwise::mcp {
namespace {

/// An object that may be left out.
void read_object(jsonrpc::Fields& fields, const char* name, Json& out) {
  std::optional<Json> given;
  fields.optional(name, given);
  if (given) out = std::move(*given);
}

}  // namespace

void read(jsonrpc::Fields& fields, InitializeParams& out) {
  fields.required("protocolVersion", out.protocol_version);
  read_object(fields, "capabilities", out.capabilities);
}

void read(jsonrpc::Fields& fields, ListParams& out) { fields.optional("cursor", out.cursor); }

void read(jsonrpc::Fields& fields, ProgressParams& out) {
  fields.optional_object("_meta", [&](jsonrpc::Fields& meta) { meta.optional("progressToken", out.token); });
}

void read(jsonrpc::Fields& fields, CallToolParams& out) {
  fields.required("name", out.name);
  read_object(fields, "arguments", out.arguments);
}

void read(jsonrpc::Fields& fields, ReadResourceParams& out) { fields.required("uri", out.uri); }

void read(jsonrpc::Fields& fields, GetPromptParams& out) {
  fields.required("name", out.name);
  read_object(fields, "arguments", out.arguments);
}

void read(jsonrpc::Fields& fields, CompleteParams& out) {
  fields.required_object("ref", [&](jsonrpc::Fields& ref) {
    ref.required("type", out.ref_type);
    ref.required(out.ref_type == "ref/resource" ? "uri" : "name", out.ref);
  });
  fields.required_object("argument", [&](jsonrpc::Fields& argument) {
    argument.required("name", out.argument);
    argument.required("value", out.value);
  });
  fields.optional_object("context", [&](jsonrpc::Fields& context) { read_object(context, "arguments", out.context); });
}

void read(jsonrpc::Fields& fields, SetLevelParams& out) { fields.required("level", out.level); }

void read(jsonrpc::Fields& fields, CancelledParams& out) { fields.required("requestId", out.request_id); }

void read(jsonrpc::Fields& fields, RetryParams& out) {
  read_object(fields, "inputResponses", out.responses);
  fields.optional("requestState", out.state);
}

void read(jsonrpc::Fields& fields, ListenParams& out) { fields.required("notifications", out.notifications); }

}  // namespace stepwise::mcp
