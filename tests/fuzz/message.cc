// JSON-RPC messages: whatever comes in, what goes out is one JSON text on one line.
#include "core/base/json.h"
#include "protocol/jsonrpc/binder.h"
#include "tests/fuzz/target.h"

namespace stepwise::fuzz {
namespace {

struct EchoParams {
  std::string name;
  std::optional<Json> arguments;
};
void read(jsonrpc::Fields& fields, EchoParams& out) {
  fields.required("name", out.name);
  fields.optional("arguments", out.arguments);
}

}  // namespace

void run_message(std::string_view target, std::string_view bytes) {
  const jsonrpc::Incoming incoming = jsonrpc::parse(bytes);
  std::string answer;
  if (const auto* refused = std::get_if<jsonrpc::Refusal>(&incoming)) {
    answer = jsonrpc::error_text(refused->id, refused->error);
  } else if (const auto* request = std::get_if<jsonrpc::Request>(&incoming)) {
    const auto read = jsonrpc::read_params<EchoParams>(request->params);
    if (const auto* error = std::get_if<jsonrpc::ErrorObject>(&read)) {
      answer = jsonrpc::error_text(request->id, *error);
    } else {
      const auto& params = std::get<EchoParams>(read);
      answer = jsonrpc::result_text(request->id,
                                    {{"name", params.name}, {"arguments", params.arguments.value_or(Json::object())}});
    }
  } else {
    return;
  }
  demand(parse_json(answer).ok(), target, "an answer is no JSON");
  demand(answer.find('\n') == std::string::npos, target, "an answer takes more than one line");
}

}  // namespace stepwise::fuzz
