// The parameters that the server looks at, as plain data; what is not used is not declared. The rules of reading are
// in params.cc, the reporting of bad ones in jsonrpc/binder.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/base/json.h"
#include "protocol/jsonrpc/binder.h"
#include "protocol/jsonrpc/message.h"

namespace stepwise::mcp {

struct InitializeParams {
  std::string protocol_version;
  Json capabilities = Json::object();
};
void read(jsonrpc::Fields& fields, InitializeParams& out);

/// Of every list.
struct ListParams {
  std::optional<std::string> cursor;
};
void read(jsonrpc::Fields& fields, ListParams& out);

struct ProgressParams {
  std::optional<jsonrpc::Id> token;
};
void read(jsonrpc::Fields& fields, ProgressParams& out);

struct CallToolParams {
  std::string name;
  Json arguments = Json::object();
};
void read(jsonrpc::Fields& fields, CallToolParams& out);

struct ReadResourceParams {
  std::string uri;
};
void read(jsonrpc::Fields& fields, ReadResourceParams& out);

struct GetPromptParams {
  std::string name;
  Json arguments = Json::object();
};
void read(jsonrpc::Fields& fields, GetPromptParams& out);

struct CompleteParams {
  std::string ref_type, ref;  // "ref/prompt" and its name, or "ref/resource" and its address
  std::string argument, value;
  Json context = Json::object();
};
void read(jsonrpc::Fields& fields, CompleteParams& out);

struct SetLevelParams {
  std::string level;
};
void read(jsonrpc::Fields& fields, SetLevelParams& out);

struct CancelledParams {
  std::optional<jsonrpc::Id> request_id;  // set once read
};
void read(jsonrpc::Fields& fields, CancelledParams& out);

/// A modern client's answers to what it was asked.
struct RetryParams {
  Json responses = Json::object();
  std::optional<std::string> state;
};
void read(jsonrpc::Fields& fields, RetryParams& out);

struct ListenParams {
  Json notifications = Json::object();
};
void read(jsonrpc::Fields& fields, ListenParams& out);

}  // namespace stepwise::mcp
