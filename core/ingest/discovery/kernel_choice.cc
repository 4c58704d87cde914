#include "core/ingest/discovery/kernel_choice.h"

#include <algorithm>
#include <initializer_list>

namespace stepwise::ingest {
namespace {

void prefer(std::initializer_list<FileKind> better, FileKind lesser, const char* because,
            std::vector<SourceFile>& files) {
  const auto is_better = [&](const SourceFile& file) {
    return file.state == FileState::usable && std::find(better.begin(), better.end(), file.kind) != better.end();
  };
  const auto chosen = std::find_if(files.begin(), files.end(), is_better);
  if (chosen == files.end()) return;
  for (SourceFile& file : files) {
    if (file.kind != lesser || file.state != FileState::usable) continue;
    file.state = FileState::not_used;
    file.why_not = chosen->path + because;
  }
}

}  // namespace

void choose_kernels(std::vector<SourceFile>& files) {
  // The scheduler's times are of the same tasks, by other names.
  prefer({FileKind::op_summary, FileKind::kernel_details, FileKind::profiler_db}, FileKind::task_time,
         " says more of the same tasks", files);
  // The picture's times count from its first slice, and went through doubles.
  prefer({FileKind::ms_timeline}, FileKind::ms_display, " holds the same operators, with exact times", files);
}

}  // namespace stepwise::ingest
