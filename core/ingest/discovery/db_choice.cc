#include "core/ingest/discovery/db_choice.h"

namespace stepwise::ingest {

void choose_databases(ProfileKind profile, std::vector<SourceFile>& files) {
  for (const FileKind kind : {FileKind::profiler_db, FileKind::analysis_db}) {
    SourceFile* last = nullptr;
    for (SourceFile& file : files) {
      if (file.kind != kind || file.state != FileState::usable) continue;
      if (last == nullptr || last->path < file.path) last = &file;
    }
    if (last == nullptr) continue;
    RankLayout rank;
    rank.files = files;
    const bool adds = adds_tables(profile, rank, kind);
    for (SourceFile& file : files) {
      if (file.kind != kind || file.state != FileState::usable || (adds && &file == last)) continue;
      file.state = FileState::not_used;
      file.why_not = adds ? last->path + " is read instead" : "the text files of the same run are read instead";
    }
  }
}

}  // namespace stepwise::ingest
