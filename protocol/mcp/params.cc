#include "protocol/mcp/params.h"

#include <utility>

namespace stepwise::mcp {

void read(jsonrpc::Fields& fields, InitializeParams& out) { fields.required("protocolVersion", out.protocol_version); }

void read(jsonrpc::Fields& fields, ListToolsParams& out) { fields.optional("cursor", out.cursor); }

void read(jsonrpc::Fields& fields, CallToolParams& out) {
  fields.required("name", out.name);
  std::optional<Json> arguments;
  fields.optional("arguments", arguments);
  if (arguments) out.arguments = std::move(*arguments);
  fields.optional_object("_meta", [&](jsonrpc::Fields& meta) { meta.optional("progressToken", out.progress_token); });
}

void read(jsonrpc::Fields& fields, CancelledParams& out) { fields.required("requestId", out.request_id); }

}  // namespace stepwise::mcp
