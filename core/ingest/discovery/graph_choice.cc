#include "core/ingest/discovery/graph_choice.h"

#include <map>
#include <string>
#include <string_view>

namespace stepwise::ingest {
namespace {

/// "dir/1_output_code.py" -> "dir/1_", "dir/fx_graph_readable.py" -> "dir/"
std::string compilation_of(std::string_view path) {
  const size_t name = path.rfind('/') + 1;
  const size_t digits = path.find_first_not_of("0123456789", name);
  const bool is_numbered = digits != path.npos && digits > name && path[digits] == '_';
  return std::string(path.substr(0, is_numbered ? digits + 1 : name));
}

}  // namespace

void prefer_generated_code(std::vector<SourceFile>& graphs) {
  std::map<std::string, std::string> code_of;
  for (const SourceFile& file : graphs) {
    if (file.kind != FileKind::inductor_code || file.state != FileState::usable) continue;
    code_of.emplace(compilation_of(file.path), file.path);
  }
  for (SourceFile& file : graphs) {
    if (file.kind != FileKind::fx_graph || file.state != FileState::usable) continue;
    const auto code = code_of.find(compilation_of(file.path));
    if (code == code_of.end()) continue;
    file.state = FileState::not_used;
    file.why_not = code->second + ", the code that it became, is read instead: open it by its path";
  }
}

}  // namespace stepwise::ingest
