#include "core/engine/open_profile_text.h"

#include <cstdint>
#include <vector>

#include "core/base/text.h"
#include "core/engine/text_table.h"

namespace stepwise::engine {
namespace {

constexpr size_t kNumbersTold = 16;  // of ranks or steps
constexpr size_t kUnusedTold = 6;    // files, with why
constexpr size_t kWhyColumns = 160;

std::string list_of(const Json& values, uint64_t count) {
  std::string out;
  size_t told = 0;
  for (const Json& one : values) {
    if (told++ == kNumbersTold) break;
    out += (out.empty() ? "" : ", ") + to_cell(one);
  }
  return out + (count > kNumbersTold ? ", ..." : "");
}

std::string tables_text(const Json& body) {
  std::string read, unread;
  for (const auto& [name, rows] : body["tables"].items()) {
    if (rows.is_null()) {
      unread += (unread.empty() ? "" : ", ") + name;
    } else if (rows != 0) {
      read += " " + name + "=" + to_cell(rows);
    }
  }
  const std::string rank = to_cell(body["tables_rank"]);
  std::string out;
  if (!read.empty()) out += "tables of rank " + rank + ", rows:" + read + "\n";
  if (!unread.empty())
    out += "tables of rank " + rank + " that are not read yet, but when first asked: " + unread + "\n";
  return out;
}

std::string runs_text(const Json& runs) {
  std::string out = "runs in that directory, each a profile of its own:\n";
  for (const Json& run : runs) {
    out += "  " + run["path"].get<std::string>() + " " + run["kind"].get<std::string>();
    if (!run["ranks"].empty()) out += ", ranks " + list_of(run["ranks"], run["ranks"].size());
    out += run["opened"] == true ? " (opened)\n" : "\n";
  }
  return out;
}

/// How many are read, and why others are not: which those are, the structure says.
std::string files_text(const Json& body) {
  uint64_t used = 0, unused = 0;
  std::string why;
  for (const Json& file : body["files"]) {
    if (file["used"] == true) {
      ++used;
    } else if (++unused <= kUnusedTold) {
      const std::string path = file["path"].get<std::string>();
      why += "  not " + path.substr(path.rfind('/') + 1) + ": " +
             shorten(file["why_not"].get<std::string>(), kWhyColumns) + "\n";
    }
  }
  const uint64_t listed = body["files"].size(), all = body["file_count"].get<uint64_t>();
  std::string out = "files: " + std::to_string(all);
  const uint64_t from = body.value("files_from", uint64_t{0});
  if (from > 0) {
    out += ", of " + std::to_string(listed) + " behind the first " + std::to_string(from);
  } else if (listed < all) {
    out += ", of the first " + std::to_string(listed);
  }
  out += " used " + std::to_string(used) + "\n" + why;
  if (unused > kUnusedTold) out += "  (" + std::to_string(unused - kUnusedTold) + " more are not used)\n";
  return out;
}

}  // namespace

std::string open_profile_text(const Json& body) {
  std::string out = "id: " + body["id"].get<std::string>() + "\n";
  out += "kind: " + body["kind"].get<std::string>() + ", framework " + body["framework"].get<std::string>() + "\n";
  const uint64_t ranks = body["rank_count"], steps = body["step_count"];
  out += "ranks: " + std::to_string(ranks) + " (" + list_of(body["ranks"], ranks) + ")\n";
  out += "steps: " + std::to_string(steps);
  if (steps > 0) out += " (" + list_of(body["steps"], steps) + ")";
  out += "\n";
  if (body.contains("runs")) out += runs_text(body["runs"]);
  if (body.contains("declared")) out += text_lines({{"declared", body["declared"]}});
  return out + tables_text(body) + files_text(body);
}

}  // namespace stepwise::engine
