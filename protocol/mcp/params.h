// The parameters that the server looks at, as plain data; what is not used is not declared. The rules of reading are
// in params.cc, the reporting of bad ones in jsonrpc/binder.
#pragma once

#include <optional>
#include <string>

#include "core/base/json.h"
#include "protocol/jsonrpc/binder.h"
#include "protocol/jsonrpc/message.h"

namespace stepwise::mcp {

struct InitializeParams {
  std::string protocol_version;
};
void read(jsonrpc::Fields& fields, InitializeParams& out);

struct ListToolsParams {
  std::optional<std::string> cursor;
};
void read(jsonrpc::Fields& fields, ListToolsParams& out);

struct CallToolParams {
  std::string name;
  Json arguments = Json::object();
  std::optional<jsonrpc::Id> progress_token;
};
void read(jsonrpc::Fields& fields, CallToolParams& out);

struct CancelledParams {
  std::optional<jsonrpc::Id> request_id;  // set once read
};
void read(jsonrpc::Fields& fields, CancelledParams& out);

}  // namespace stepwise::mcp
