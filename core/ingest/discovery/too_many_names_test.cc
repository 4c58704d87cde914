// Directories with more names than are looked at: what is missing is told, and by its true reason.
#include "core/ingest/discovery/discovery.h"
#include "core/ingest/discovery/layout_test_tree.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

constexpr size_t kNamesOfRun = 4;  // the run's own, profiler_info, ASCEND_PROFILER_OUTPUT, one file in it
constexpr size_t kRuns = 3;

void write_runs(Tree& tree) { tree.run("a_ascend_pt", "0").run("b_ascend_pt", "1").run("c_ascend_pt", "2"); }

/// "a_ascend_pt b_ascend_pt | profile.too_many_names: ...": the runs, and what was remarked.
std::string found_in(const Tree& tree, size_t most_names) {
  Discovery found(tree.path(), most_names);
  REQUIRE(found.search().ok());
  std::string out;
  for (const FoundRun& run : found.runs) out += run.files.dir + " ";
  out += "|";
  for (const LayoutRemark& one : found.remarks.list()) {
    out += " " + one.code + one.text.substr(one.text.rfind(" First:"));
  }
  return out;
}

}  // namespace

TEST_CASE("too many names: up to the bound all runs are found") {
  Tree tree;
  write_runs(tree);
  CHECK(found_in(tree, kRuns * kNamesOfRun) == "a_ascend_pt b_ascend_pt c_ascend_pt |");
}

TEST_CASE("too many names: a run that was not looked at to its end is left out, and not said to lack its analysis") {
  Tree tree;
  write_runs(tree);
  for (size_t less = 1; less < kNamesOfRun; ++less) {
    INFO(less);
    const std::string found = found_in(tree, kRuns * kNamesOfRun - less);
    CHECK(found.starts_with("a_ascend_pt b_ascend_pt | profile.too_many_names First: c_ascend_pt"));
    CHECK_FALSE(contains(found, "profile.not_analysed"));
  }
  CHECK(found_in(tree, kRuns + 1) ==
        "| profile.too_many_names First: a_ascend_pt, a_ascend_pt/ASCEND_PROFILER_OUTPUT, b_ascend_pt, c_ascend_pt.");
}

TEST_CASE("too many names: a hundred names for each of ten thousand ranks are looked at") {
  CHECK(limits::kMaxProfileEntries >= 100 * 10'000);
}

}  // namespace stepwise::ingest
