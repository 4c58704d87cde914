#include "core/ingest/discovery/db_choice.h"

#include <string>

namespace stepwise::ingest {

void choose_databases(ProfileKind profile, std::vector<SourceFile>& files, Remarks& remarks) {
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
      if (adds && file.bytes > last->bytes) {
        tell_larger_export(remarks, file.path + " has " + std::to_string(file.bytes) + " bytes, what is read " +
                                        std::to_string(last->bytes));
      }
      file.why_not = adds ? last->path + " is read instead" : "the text files of the same run are read instead";
    }
  }
}

}  // namespace stepwise::ingest
