#include "core/report/model.h"

namespace stepwise::report {
namespace {

constexpr const char* kIdentity[] = {"id",         "kind",  "framework",  "origin_ns", "ranks",
                                     "rank_count", "steps", "step_count", "declared"};
/// Seconds, cache hits and what happens to be ingested differ between two runs over the same files.
constexpr const char* kVaries[] = {"ingest", "tables"};

Json identity(const std::string& name, const Json& opened) {
  Json profile = {{"name", name}};
  if (!opened.is_object()) return profile;
  for (const char* key : kIdentity) {
    if (const auto it = opened.find(key); it != opened.end()) profile[key] = *it;
  }
  return profile;
}

Json result_json(const ChapterResult& result) {
  Json out = {{"tool", result.tool}, {"title", result.title}, {"arguments", result.arguments}};
  if (!result.columns.empty()) out["columns"] = result.columns;
  if (result.error) {
    out["error"] = to_json(*result.error);
  } else {
    out["answer"] = result.answer;
  }
  return out;
}

}  // namespace

Json make_model(const std::string& stepwise_version, const std::string& name, const Json& opened,
                const std::vector<ChapterResult>& results) {
  ChapterResult files;
  files.chapter = "files";
  files.tool = "open_profile";
  files.answer = opened;
  if (files.answer.is_object()) {
    for (const char* key : kVaries) files.answer.erase(key);
  }
  Json chapters = Json::array();
  chapters.push_back({{"id", files.chapter}, {"results", Json::array({result_json(files)})}});
  for (const ChapterResult& result : results) {
    if (chapters.back()["id"] != result.chapter) {
      chapters.push_back({{"id", result.chapter}, {"results", Json::array()}});
    }
    chapters.back()["results"].push_back(result_json(result));
  }
  return {{"report", kModelVersion},
          {"stepwise", stepwise_version},
          {"profile", identity(name, opened)},
          {"chapters", std::move(chapters)}};
}

Json to_json(const Error& error) {
  Json out = {{"code", error.code}, {"kind", error_kind_info(error.kind).name}, {"message", error.message}};
  if (!error.hint.empty()) out["hint"] = error.hint;
  if (!error.where.empty()) out["where"] = error.where;
  return out;
}

}  // namespace stepwise::report
