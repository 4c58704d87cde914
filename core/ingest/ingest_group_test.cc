// A whole group: which reader reads what, what is told of files that no reader gets, and the segment's key.
#include <fcntl.h>
#include <sys/stat.h>

#include <string>

#include "core/ingest/exports/tables_test_files.h"
#include "core/ingest/ingest.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOutput = "ASCEND_PROFILER_OUTPUT";
constexpr const char* kOps = "OP Type,Core Type,Count,Total Time(us)\nAdd,AI_CORE,1,2.5\n";

struct Profile {
  Profile() { fs::create_directory(folder.path() / kOutput); }
  fs::path write(const std::string& name, std::string_view text) const {
    return folder.write(std::string(kOutput) + "/" + name, text);
  }
  ProfileLayout layout() const {
    auto found = discover(folder.path());
    REQUIRE(found.ok());
    return std::move(found).value();
  }
  TemporaryFolder folder;
};

Tables ingest(const ProfileLayout& layout, table::Group group = table::Group::files) {
  Tables tables;
  CancelFlag cancel;
  ProgressGauge progress;
  REQUIRE(ingest_group(layout, layout.ranks.at(0), group, cancel, progress, {}, tables.builder()).ok());
  CHECK(progress.get().done == progress.get().total);
  return tables;
}

}  // namespace

TEST_CASE("ingest: files that are broken are told, the others read") {
  Profile profile;
  profile.write("op_statistic.csv", kOps);
  profile.write("kernel_details.csv", "");
  profile.write("api_statistic.csv", "SQLite format 3");
  profile.write("communication.json.gz", "\x1F\x8B\x08");
  Tables tables = ingest(profile.layout());
  CHECK(tables.rows(table::op_stat::kTable) == 1);
  CHECK_FALSE(tables.has(table::kernel::kTable));
  CHECK_FALSE(tables.has(table::api_stat::kTable));
  CHECK(tables.losses() == std::vector<std::string>{"file.wrong_format 1", "file.unreadable 1", "file.empty 1"});
  CHECK(tables.row(table::diagnostic::kTable, 0, {"file"}) == "ASCEND_PROFILER_OUTPUT/api_statistic.csv");
}

TEST_CASE("ingest: a file that goes away after it was found is told") {
  Profile profile;
  const fs::path gone = profile.write("op_statistic.csv", kOps);
  const ProfileLayout layout = profile.layout();
  fs::remove(gone);
  Tables tables;
  CancelFlag cancel;
  ProgressGauge progress;
  REQUIRE(ingest_group(layout, layout.ranks[0], table::Group::files, cancel, progress, {}, tables.builder()).ok());
  CHECK(tables.losses() == std::vector<std::string>{"file.unreadable 1"});
}

TEST_CASE("ingest: a rank shown under another number says so") {
  const TemporaryFolder folder;
  for (const char* run : {"a_ascend_pt", "b_ascend_pt"}) {
    fs::create_directories(folder.path() / run / kOutput);
    folder.write(std::string(run) + "/" + kOutput + "/op_statistic.csv", kOps);
    folder.write(std::string(run) + "/profiler_info_3.json", "{}");
  }
  const auto layout = discover(folder.path());
  REQUIRE(layout.ok());
  REQUIRE(layout.value().ranks.size() == 2);
  Tables tables;
  CancelFlag cancel;
  ProgressGauge progress;
  const RankLayout& shown_as_0 = layout.value().ranks[0];
  REQUIRE(ingest_group(layout.value(), shown_as_0, table::Group::files, cancel, progress, {}, tables.builder()).ok());
  CHECK(shown_as_0.rank == 0);
  CHECK(tables.losses() == std::vector<std::string>{"rank.duplicate 1"});
  CHECK(tables.row(table::diagnostic::kTable, 0, {"file"}) == "b_ascend_pt");
}

TEST_CASE("ingest: the key follows the sources of its group") {
  Profile profile;
  const fs::path ops = profile.write("op_statistic.csv", kOps);
  profile.write("trace_view.json", "[]");
  const auto key = [&](table::Group group) {
    const ProfileLayout layout = profile.layout();
    return segment_key(layout, layout.ranks[0], group);
  };
  const auto files = key(table::Group::files), trace = key(table::Group::trace);
  CHECK(files.ingest_print != 0);
  CHECK(files.ingest_print == trace.ingest_print);
  CHECK(files.source_print != trace.source_print);
  CHECK(key(table::Group::files) == files);

  // Only the time of change.
  const timespec times[2] = {{0, UTIME_OMIT}, {1'700'000'000, 1}};
  REQUIRE(utimensat(AT_FDCWD, ops.c_str(), times, 0) == 0);
  const auto touched = key(table::Group::files);
  CHECK(touched.source_print != files.source_print);
  CHECK(key(table::Group::trace) == trace);
  // Another file with the same name, size and time: its inode tells.
  const fs::path copy = profile.folder.write("copy", kOps);
  REQUIRE(utimensat(AT_FDCWD, copy.c_str(), times, 0) == 0);
  fs::rename(copy, ops);
  CHECK(key(table::Group::files).source_print != touched.source_print);
  // Other bytes, as many, with the old time put back: the time of the inode's own change tells.
  const auto renamed = key(table::Group::files);
  struct stat before_change {
  }, after_change{};
  REQUIRE(::stat(ops.c_str(), &before_change) == 0);
  do {  // that clock goes in steps of some milliseconds
    std::string other = kOps;
    other.replace(other.find("2.5"), 3, "7.5");
    profile.write("op_statistic.csv", other);
    REQUIRE(utimensat(AT_FDCWD, ops.c_str(), times, 0) == 0);
    REQUIRE(::stat(ops.c_str(), &after_change) == 0);
  } while (after_change.st_ctim.tv_sec == before_change.st_ctim.tv_sec &&
           after_change.st_ctim.tv_nsec == before_change.st_ctim.tv_nsec);
  CHECK(after_change.st_ino == before_change.st_ino);
  CHECK(after_change.st_size == before_change.st_size);
  CHECK(after_change.st_mtim.tv_nsec == before_change.st_mtim.tv_nsec);
  CHECK(key(table::Group::files).source_print != renamed.source_print);
  // A file more; one that no reader takes changes nothing.
  const auto before = key(table::Group::files);
  profile.write("soc_pmu.csv", "x");
  CHECK(key(table::Group::files) == before);
  profile.write("api_statistic.csv", "Level\n");
  CHECK(key(table::Group::files).source_print != before.source_print);
}

TEST_CASE("diagnostics: counts, first places, order") {
  Diagnostics diagnostics;
  diagnostics.count(Diag::csv_bad_cell, "b.csv", 9, 1, "second");
  diagnostics.count(Diag::csv_bad_cell, "b.csv", 3, 2, "first");
  diagnostics.count(Diag::csv_bad_cell, "b.csv", 12, 1, "third");
  diagnostics.count(Diag::file_cut, "b.csv");
  diagnostics.count(Diag::file_cut, "a.csv", 1);
  diagnostics.count(Diag::file_empty, "c.csv", 1, 0);
  CHECK(diagnostics.total(Diag::csv_bad_cell) == 4);
  CHECK(diagnostics.total(Diag::file_cut) == 2);
  Tables tables;
  diagnostics.write_to(tables.builder());
  CHECK(tables.losses() == std::vector<std::string>{"file.cut 1 @1", "file.cut 1", "csv.bad_cell 4 @3"});
  const std::string text = tables.row(table::diagnostic::kTable, 2, {"text"});
  CHECK(text.ends_with(" first"));
  for (size_t i = 0; i < static_cast<size_t>(Diag::count_); ++i) {
    const DiagInfo& one = info(static_cast<Diag>(i));
    CHECK(std::string_view(one.code).find('.') != std::string_view::npos);
    CHECK(std::string_view(one.says).ends_with('.'));
    for (size_t j = 0; j < i; ++j) CHECK(std::string_view(one.code) != info(static_cast<Diag>(j)).code);
  }
}

}  // namespace stepwise::ingest
