// What discover() makes of directories: runs, ranks, links, other profilers, nonsense.
#include "core/ingest/discovery/layout.h"

#include <string>

#include "core/ingest/discovery/layout_test_tree.h"
#include "tests/catch.h"

namespace stepwise::ingest {

namespace fs = std::filesystem;

TEST_CASE("layout: a run is the same however it is named") {
  Tree tree;
  tree.run("a_ascend_pt", "3").file("a_ascend_pt/FRAMEWORK/x", "raw");
  for (const char* name : {"a_ascend_pt", "a_ascend_pt/ASCEND_PROFILER_OUTPUT", "a_ascend_pt/profiler_info_3.json",
                           "a_ascend_pt/ASCEND_PROFILER_OUTPUT/step_trace_time.csv"}) {
    const auto layout = discover(tree.path(name));
    REQUIRE(layout.ok());
    CHECK(layout.value().root == tree.path("a_ascend_pt"));
    REQUIRE(layout.value().ranks.size() == 1);
    CHECK(layout.value().ranks[0].rank == 3);
    CHECK(layout.value().ranks[0].dir.empty());
    CHECK(layout.value().framework == "pytorch");
    const SourceFile* file = layout.value().ranks[0].find(FileKind::step_trace_time);
    REQUIRE(file != nullptr);
    CHECK(file->path == "ASCEND_PROFILER_OUTPUT/step_trace_time.csv");
    CHECK(file->bytes == std::string_view(kStepFile).size());
  }
}

TEST_CASE("layout: ranks below a directory, by number") {
  Tree tree;
  tree.run("b/y_ascend_pt", "10").run("b/x_ascend_pt", "2").run("c/z_ascend_pt", "0");
  CHECK(ranks_of(tree.path()) == "0 c/z_ascend_pt; 2 b/x_ascend_pt; 10 b/y_ascend_pt");
  CHECK(ranks_of(tree.path("b")) == "2 x_ascend_pt; 10 y_ascend_pt");
}

TEST_CASE("layout: rank from the file's name, else from rank_id, else 0") {
  const auto rank_with = [](const std::string& name, const std::string& text) {
    Tree tree;
    tree.file("ASCEND_PROFILER_OUTPUT/step_trace_time.csv").file(name, text);
    return ranks_of(tree.path());
  };
  CHECK(rank_with("profiler_info_7.json", R"({"rank_id": 5})") == "7 ");
  CHECK(rank_with("profiler_info.json", R"({"rank_id": 5})") == "5 ");
  CHECK(rank_with("profiler_info.json", R"({"rank_id": "6"})") == "6 ");
  for (const char* text :
       {R"({"rank_id": -1})", R"({"rank_id": "x"})", R"({"rank_id": 4294967296})", "{}", "{", "[]"}) {
    CHECK(rank_with("profiler_info.json", text) == "0 ");
  }
  Tree both;
  both.run("", "4").file("profiler_info.json", R"({"rank_id": 9})").file("profiler_info_8.json", "{}");
  CHECK(ranks_of(both.path()) == "4 ");
}

TEST_CASE("layout: a rank that is claimed twice gets the next free number") {
  Tree tree;
  tree.run("a_ascend_pt", "0").run("b_ascend_pt", "0").run("c_ascend_pt", "1");
  tree.file("d_ascend_pt/ASCEND_PROFILER_OUTPUT/step_trace_time.csv");
  CHECK(ranks_of(tree.path()) == "0 a_ascend_pt; 1 c_ascend_pt; 2 b_ascend_pt claims 0; 3 d_ascend_pt claims 0");
}

TEST_CASE("layout: of several files of a kind one is read, and the others say so") {
  Tree tree;
  tree.file("ASCEND_PROFILER_OUTPUT/step_trace_time.csv", "")
      .file("ASCEND_PROFILER_OUTPUT/step_trace_time.csv.gz", gzip(kStepFile))
      .file("ASCEND_PROFILER_OUTPUT/op_statistic.csv", "OP Type,Count\n")
      .file("ASCEND_PROFILER_OUTPUT/op_statistic.csv.gz", gzip("OP Type,Count\n"))
      .file("ASCEND_PROFILER_OUTPUT/soc_pmu.csv", "Stream Id\n")
      .file("ASCEND_PROFILER_OUTPUT/sociable.csv", "a\n");
  const auto layout = discover(tree.path());
  REQUIRE(layout.ok());
  std::string seen;
  for (const SourceFile& file : layout.value().ranks[0].files) {
    seen += fs::path(file.path).filename().string() + (file.gzip ? " gz: " : ": ") + file.why_not + "\n";
  }
  CHECK(seen ==
        "op_statistic.csv: \n"
        "op_statistic.csv.gz gz: ASCEND_PROFILER_OUTPUT/op_statistic.csv is read instead\n"
        "soc_pmu.csv: it tells how often tasks missed the page cache (TLB), which no table holds\n"
        "sociable.csv: no table takes it in this version\n"
        "step_trace_time.csv: it is empty\n"
        "step_trace_time.csv.gz gz: \n");
}

TEST_CASE("layout: first bytes against the name") {
  const auto state_of = [](const std::string& name, std::string_view text) {
    Tree tree;
    tree.file("ASCEND_PROFILER_OUTPUT/step_trace_time.csv").file("ASCEND_PROFILER_OUTPUT/" + name, text);
    const auto layout = discover(tree.path());
    REQUIRE(layout.ok());
    for (const SourceFile& file : layout.value().ranks[0].files) {
      if (file.path == "ASCEND_PROFILER_OUTPUT/" + name) return file.state;
    }
    return FileState::not_used;
  };
  std::string binary(4096, '\0');
  for (size_t i = 0; i < binary.size(); ++i) binary[i] = static_cast<char>(i * 2654435761u >> 13);
  CHECK(state_of("trace_view.json", binary) == FileState::wrong_format);
  CHECK(state_of("kernel_details.csv", "SQLite format 3") == FileState::wrong_format);
  CHECK(state_of("kernel_details.csv", "[{\"ph\": 1}]") == FileState::wrong_format);
  CHECK(state_of("kernel_details.csv.gz", gzip("{}")) == FileState::wrong_format);
  CHECK(state_of("kernel_details.csv.gz", gzip("Name\n")) == FileState::usable);
  CHECK(state_of("kernel_details.csv.gz", "\x1F\x8B\x08") == FileState::unreadable);
  CHECK(state_of("kernel_details.csv.gz", "Name\n") == FileState::usable);  // the name lies, the bytes don't
  CHECK(state_of("communication.json", "[]") == FileState::wrong_format);
  CHECK(state_of("communication.json", "\xEF\xBB\xBF \n{}") == FileState::usable);
  CHECK(state_of("trace_view.json", "[]") == FileState::usable);
  CHECK(state_of("trace_view.json", "{}") == FileState::usable);
  CHECK(state_of("trace_view.json", "") == FileState::empty);
  CHECK(state_of("trace_view.json", "name,ts\n") == FileState::wrong_format);
}

TEST_CASE("layout: links stay inside, loops end") {
  Tree outside, tree;
  outside.run("other_ascend_pt", "5").file("stray.csv");
  tree.run("a_ascend_pt", "1")
      .link("loop", tree.path())
      .link("out", outside.path("other_ascend_pt"))
      .link("a_ascend_pt/ASCEND_PROFILER_OUTPUT/op_statistic.csv", outside.path("stray.csv"))
      .link("a_ascend_pt/ASCEND_PROFILER_OUTPUT/api_statistic.csv", tree.path("a_ascend_pt/stat.csv"))
      .link("a_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv", "nowhere")
      .file("a_ascend_pt/stat.csv", "Level\n");
  const auto layout = discover(tree.path());
  REQUIRE(layout.ok());
  REQUIRE(layout.value().ranks.size() == 1);
  const RankLayout& rank = layout.value().ranks[0];
  CHECK(rank.find(FileKind::op_statistic) == nullptr);
  CHECK(rank.find(FileKind::kernel_details) == nullptr);
  CHECK(rank.find(FileKind::api_statistic) != nullptr);
  std::string noted;
  for (const SourceFile& file : layout.value().unclaimed) noted += file.path + " ";
  CHECK(noted == "loop out ");
  // A link that the user names himself is followed.
  Tree pointer;
  pointer.link("here", outside.path("other_ascend_pt"));
  CHECK(ranks_of(pointer.path("here")) == "5 ");
}

TEST_CASE("layout: directories are looked into up to a depth") {
  std::string deep = "d";
  for (int i = 2; i < limits::kMaxProfileDepth; ++i) deep += "/d";
  Tree tree;
  tree.run(deep + "/a_ascend_pt", "0").run(deep + "/d/b_ascend_pt", "1");
  CHECK(ranks_of(tree.path()) == "0 " + deep + "/a_ascend_pt");
}

TEST_CASE("layout: what cannot be opened is named, with what can") {
  CHECK(ranks_of("/nonexistent/path") == "profile.missing");
  Tree tree;
  tree.directory("empty").file("notes/readme.txt", "hello");
  CHECK(ranks_of(tree.path("empty")) == "profile.none");
  CHECK(contains(error_of(tree.path("empty")), "None of the 0 names"));
  CHECK(contains(error_of(tree.path("notes")), "*_ascend_pt"));
  CHECK(contains(error_of(tree.path("notes/readme.txt")), "no file of a profile"));

  tree.file("db_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db", "no database");
  CHECK(contains(error_of(tree.path("db_ascend_pt")), "profiler_0.db (it is no SQLite database)"));
  tree.directory("raw_ascend_pt/PROF_000");
  CHECK(contains(error_of(tree.path("raw_ascend_pt")), "analyse"));
  tree.directory("raw_ascend_ms/PROF_000");
  CHECK(contains(error_of(tree.path("raw_ascend_ms")), "MindSpore recording that was not analysed"));
  tree.directory("PROF_7/host").directory("PROF_7/device_0");
  CHECK(contains(error_of(tree.path("PROF_7")), "msprof --export=on"));

  tree.file("bad_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv", "")
      .file("bad_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", "SQLite format 3");
  const std::string bad = error_of(tree.path("bad_ascend_pt"));
  CHECK(contains(bad, "kernel_details.csv (it is empty)"));
  CHECK(contains(bad, "trace_view.json (its first bytes are binary"));
}

TEST_CASE("layout: msprof recordings by device; of several of one device the richest") {
  Tree tree;
  const auto recording = [&](const std::string& path, const std::string& header) {
    tree.file(path + "/mindstudio_profiler_output/op_summary_20260101000000.csv", header + "\n");
  };
  recording("c/PROF_a", "Op Name,aic_mte2_ratio");
  recording("c/PROF_b", "Op Name,aic_l2_read_bw(GB/s),more");
  tree.file("c/PROF_a/host/info.json", R"({"rank_id": -1})").file("c/PROF_a/host/start_info", "raw");
  CHECK(ranks_of(tree.path("c")) == "0 PROF_a");
  CHECK(ranks_of(tree.path("c/PROF_b")) == "0 ");
  CHECK(ranks_of(tree.path("c/PROF_b/mindstudio_profiler_output")) == "0 ");
  tree.file("k/PROF_a/mindstudio_profiler_output/api_statistic_1.csv")
      .file("k/PROF_a/mindstudio_profiler_output/msprof_1.json", "[]");
  recording("k/PROF_b", "Op Name");
  CHECK(ranks_of(tree.path("k")) == "0 PROF_b");
  recording("d/PROF_a", "Op Name");
  recording("d/PROF_b", "Op Name");
  tree.file("d/PROF_a/device_1/info.json.1", "{}").file("d/PROF_b/device_0/info.json.0", "{}");
  CHECK(ranks_of(tree.path("d")) == "0 PROF_b; 1 PROF_a");
  tree.file("e/op_summary_1.csv", "Op Name\n");
  CHECK(ranks_of(tree.path("e")) == "0 ");
  CHECK(discover(tree.path("e")).value().kind == ProfileKind::msprof);
}

TEST_CASE("layout: of several kinds of profiles in one tree one is opened, the others are named") {
  Tree tree;
  tree.run("t/a_ascend_pt", "0").file("t/x.pt.trace.json", R"({"traceEvents": [{}]})");
  const auto layout = discover(tree.path("t"));
  REQUIRE(layout.ok());
  CHECK(layout.value().kind == ProfileKind::torch_npu);
  REQUIRE(layout.value().unclaimed.size() == 1);
  CHECK(layout.value().unclaimed[0].path == "x.pt.trace.json");
  CHECK(contains(layout.value().unclaimed[0].why_not, "open it by its path"));
}

TEST_CASE("layout: what was not looked into, and ranks that were renumbered, are remarked") {
  Tree tree;
  const char* trace = R"({"distributedInfo": {"rank": 0}, "traceEvents": []})";
  tree.file("a.json", trace)
      .file("b.json", trace)
      .file("c.json.gz", gzip(trace).substr(0, 12))
      .file("d.pt.trace.json", "");
  std::string deep = "1";
  for (int i = 2; i <= limits::kMaxProfileDepth + 1; ++i) deep += "/" + std::to_string(i);
  tree.file(deep + "/e.json", trace);
  const auto layout = discover(tree.path());
  REQUIRE(layout.ok());
  CHECK(layout.value().ranks.size() == 2);
  std::string seen;
  for (const LayoutRemark& one : layout.value().remarks) seen += one.code + ": " + one.text + "\n";
  INFO(seen);
  CHECK(contains(seen, "profile.too_deep"));
  CHECK(contains(seen, "profile.unreadable_file: Files that may be ranks could not be read. (2 of them)"));
  CHECK(contains(seen, "b.json claims 0 and is shown as 1"));
  CHECK(contains(error_of(tree.path("c.json.gz")), "c.json.gz"));
}

TEST_CASE("layout: a rank is a whole number") {
  for (const char* rank : {"1e30", "-1", "\"abc\"", "1.5", "4294967296"}) {
    Tree tree;
    tree.file("rank7.json", std::string(R"({"distributedInfo": {"rank": )") + rank + R"(}, "traceEvents": []})");
    CHECK(ranks_of(tree.path()) == "7 rank7.json");
  }
}

TEST_CASE("layout: loose files are a run if there is no other") {
  Tree tree;
  tree.file("loose/step_trace_time.csv").file("mixed/step_trace_time.csv").run("mixed/a_ascend_pt", "1");
  CHECK(ranks_of(tree.path("loose")) == "0 ");
  CHECK(ranks_of(tree.path("loose/step_trace_time.csv")) == "0 ");
  CHECK(ranks_of(tree.path("mixed")) == "1 a_ascend_pt");
  CHECK(ranks_of(tree.path("mixed/step_trace_time.csv")) == "profile.none");
  CHECK(ranks_of(tree.path("mixed/a_ascend_pt/ASCEND_PROFILER_OUTPUT/step_trace_time.csv")) == "1 ");
}

TEST_CASE("layout: tables and where they come from") {
  Tree tree;
  tree.run("", "0").file("ASCEND_PROFILER_OUTPUT/trace_view.json", "[]");
  const auto layout = discover(tree.path());
  REQUIRE(layout.ok());
  const RankLayout& rank = layout.value().ranks[0];
  for (const table::TableDecl* decl : table::kAllTables) {
    const std::string name = decl->name;
    const bool is_trace = group_of(ProfileKind::torch_npu, name) == table::Group::trace;
    CHECK(could_have(layout.value(), rank, name) ==
          (is_trace || name == "step" || name == "meta" || name == "diagnostic"));
    CHECK(input_for(layout.value(), name).empty() == (name == "diagnostic"));
    if (is_trace) CHECK(input_for(layout.value(), name) == "trace_view.json");
  }
  CHECK(input_for(layout.value(), "op_stat") == "op_statistic.csv");
  CHECK(input_for(layout.value(), "meta") == "profiler_info.json");
  CHECK_FALSE(could_have(layout.value(), rank, "no_such_table"));
}

TEST_CASE("layout: a file that is missing is called as its profiler calls it") {
  const auto inputs = [](const Tree& tree) {
    const auto layout = discover(tree.path());
    REQUIRE(layout.ok());
    std::string out;
    for (const char* table : {"kernel", "step", "op_stat", "memory_block", "aicpu_task", "host_op", "comm_matrix"}) {
      out += (out.empty() ? "" : " ") + input_for(layout.value(), table);
    }
    return out;
  };
  Tree torch, msprof, mindspore, old, kineto;
  torch.run("", "0");
  msprof.file("PROF_1/mindstudio_profiler_output/op_summary_20250101000000.csv").directory("PROF_1/host");
  mindspore.run("r_ascend_ms", "0");
  old.file("aicore_intermediate_0_detail.csv");
  kineto.file("rank0.pt.trace.json", R"({"traceEvents": [{"ph": "X"}]})");
  const std::string usual =
      "kernel_details.csv step_trace_time.csv op_statistic.csv operator_memory.csv data_preprocess.csv trace_view.json "
      "communication_matrix.json";
  CHECK(inputs(torch) == usual);
  CHECK(inputs(mindspore) == usual);
  CHECK(inputs(msprof) ==
        "op_summary_*.csv step_trace_*.csv op_statistic_*.csv operator_memory_*.csv aicpu_*.csv msprof_*.json "
        "communication_matrix.json");
  CHECK(inputs(old) ==
        "output_timeline_data_*.txt step_trace_raw_*_detail_time.csv aicore_intermediate_*_type.csv "
        "operator_memory.csv aicpu_intermediate_*.csv trace_view.json hccl_raw_*.csv");
  CHECK(inputs(kineto).starts_with("*.pt.trace.json *.pt.trace.json"));
}

TEST_CASE("layout: a directory that is called like a file is told of, and so is a run of nothing else") {
  const char* const names[] = {
      "kernel_details.csv",   "step_trace_time.csv", "op_statistic.csv",          "api_statistic.csv",
      "operator_details.csv", "communication.json",  "communication_matrix.json", "trace_view.json",
      "memory_record.csv",    "operator_memory.csv", "npu_module_mem.csv",        "ascend_pytorch_profiler_3.db",
      "analysis.db"};
  Tree tree;
  tree.run("a_ascend_pt", "0").run("b_ascend_pt", "1").file("b_ascend_pt/profiler_info_1.json", "{}");
  for (const char* name : names) tree.directory(std::string("c_ascend_pt/ASCEND_PROFILER_OUTPUT/") + name);
  tree.file("c_ascend_pt/profiler_info_3.json", "{}");
  tree.directory("b_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv");
  tree.file("d_ascend_pt/PROF_1/host/x", "raw");
  tree.directory("rank7.pt.trace.json");
  const auto layout = discover(tree.path());
  REQUIRE(layout.ok());
  CHECK(ranks_of(tree.path()) == "0 a_ascend_pt; 1 b_ascend_pt");
  std::string remarks;
  for (const LayoutRemark& one : layout.value().remarks) remarks += one.code + ": " + one.text + "\n";
  CHECK(remarks ==
        "profile.not_analysed: Recordings that were not analysed were left out. First: d_ascend_pt.\n"
        "profile.unreadable_file: Files that may be ranks could not be read. First: rank7.pt.trace.json.\n"
        "profile.unreadable_run: Runs were left out, since nothing in them can be read. First: c_ascend_pt.\n");
  size_t told = 0;
  for (const SourceFile& file : layout.value().unclaimed) {
    told += file.why_not == "it is a directory, not a file" ? 1 : 0;
  }
  CHECK(told == std::size(names) + 1);
  const SourceFile* of_b = nullptr;
  for (const SourceFile& file : layout.value().ranks[1].files) {
    if (file.path.ends_with("kernel_details.csv")) of_b = &file;
  }
  REQUIRE(of_b != nullptr);
  CHECK(of_b->state == FileState::unreadable);
  CHECK(error_of(tree.path("c_ascend_pt")).find("it is a directory, not a file") != std::string::npos);
}

TEST_CASE("layout: of many runs that cannot be read the first ones are named") {
  Tree tree;
  tree.run("ok_ascend_pt", "0");
  for (int i = 10; i < 30; ++i) {
    tree.directory("r" + std::to_string(i) + "_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv");
  }
  const auto layout = discover(tree.path());
  REQUIRE(layout.ok());
  REQUIRE(layout.value().remarks.size() == 1);
  CHECK(layout.value().remarks[0].text ==
        "Runs were left out, since nothing in them can be read. (20 of them) First: r10_ascend_pt, r11_ascend_pt, "
        "r12_ascend_pt, r13_ascend_pt, r14_ascend_pt, r15_ascend_pt, r16_ascend_pt, r17_ascend_pt.");
}

}  // namespace stepwise::ingest
