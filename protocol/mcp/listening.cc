#include "protocol/mcp/listening.h"

#include <utility>

#include "protocol/mcp/modern.h"
#include "protocol/mcp/resource_methods.h"

namespace stepwise::mcp {
namespace {

constexpr size_t kMaxUris = 1000;

bool wants(const Json& wanted, const char* key) {
  const auto found = wanted.find(key);
  return found != wanted.end() && found->is_boolean() && found->get<bool>();
}

}  // namespace

std::vector<std::pair<const char*, Json>> notifications_of(const Change& change, const std::set<std::string>& addresses,
                                                           bool lists) {
  std::vector<std::pair<const char*, Json>> out;
  const auto of_list = [&](const char* method) {
    if (lists) out.emplace_back(method, Json::object());
  };
  switch (change.kind) {
    case Change::Kind::tools:
      of_list("notifications/tools/list_changed");
      break;
    case Change::Kind::prompts:
      of_list("notifications/prompts/list_changed");
      break;
    case Change::Kind::resources:
      of_list("notifications/resources/list_changed");
      break;
    case Change::Kind::resource:
      for (const std::string& address : addresses) {
        if (change.is_of(address)) out.emplace_back("notifications/resources/updated", Json{{"uri", address}});
      }
      break;
  }
  return out;
}

Listening::Listening(const Server& server, const jsonrpc::Id& id, const Json& wanted, std::shared_ptr<Outlet> outlet)
    : changes_(server.changes), id_(id), outlet_(std::move(outlet)) {
  Json honoured = Json::object();
  const auto take = [&](const char* key, Change::Kind kind) {
    if (!server.lists_change || !wants(wanted, key)) return;
    kinds_.insert(kind);
    honoured[key] = true;
  };
  take("toolsListChanged", Change::Kind::tools);
  take("promptsListChanged", Change::Kind::prompts);
  take("resourcesListChanged", Change::Kind::resources);
  const auto uris = wanted.find("resourceSubscriptions");
  if (server.resources_change && uris != wanted.end() && uris->is_array()) {
    for (const Json& uri : *uris) {
      const bool taken = uri.is_string() && uris_.size() < kMaxUris && can_subscribe(server, uri.get<std::string>());
      if (taken) uris_.insert(uri.get<std::string>());
    }
    honoured["resourceSubscriptions"] = uris_;
    if (!uris_.empty()) changes_->subscribed();
  }
  send("notifications/subscriptions/acknowledged", {{"notifications", std::move(honoured)}});
  changes_id_ = changes_->listen([this](const Change& change) { changed(change); });
}

Listening::~Listening() { changes_->unlisten(changes_id_); }

void Listening::end() {
  Json result = modern::dressed(Json::object(), "subscriptions/listen");
  result["_meta"][modern::meta_key("subscriptionId")] = id_.json();
  outlet_->finish(jsonrpc::result_text(id_, std::move(result)), std::nullopt);
}

void Listening::send(const char* method, Json params) const {
  params["_meta"][modern::meta_key("subscriptionId")] = id_.json();
  outlet_->send(jsonrpc::notification_text(method, std::move(params)), transport::Delivery::required);
}

void Listening::changed(const Change& change) const {
  for (auto& [method, params] : notifications_of(change, uris_, kinds_.contains(change.kind))) {
    send(method, std::move(params));
  }
}

}  // namespace stepwise::mcp
