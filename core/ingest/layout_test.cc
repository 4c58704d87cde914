// What discover() makes of directories: runs, ranks, links, other profilers, nonsense.
#include "core/ingest/layout.h"

#include <string>

#include "core/ingest/tables_test_files.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStepFile =
    "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble\n1,1,2,3,4,5,6,7\n";

class Tree {
 public:
  Tree& file(const std::string& path, std::string_view text = kStepFile) {
    fs::create_directories((folder_.path() / path).parent_path());
    folder_.write(path, text);
    return *this;
  }
  Tree& directory(const std::string& path) {
    fs::create_directories(folder_.path() / path);
    return *this;
  }
  Tree& link(const std::string& path, const fs::path& target) {
    fs::create_symlink(target, folder_.path() / path);
    return *this;
  }
  /// A run of one file that says its rank in the name of profiler_info.
  Tree& run(const std::string& path, const std::string& rank) {
    const std::string below = path.empty() ? "" : path + "/";
    file(below + "ASCEND_PROFILER_OUTPUT/step_trace_time.csv");
    return file(below + "profiler_info_" + rank + ".json", "{}");
  }
  fs::path path(const std::string& below = "") const { return fs::canonical(folder_.path()) / below; }

 private:
  TemporaryFolder folder_;
};

/// "0 rank0_ascend_pt; 1 ..." or the error's code.
std::string ranks_of(const fs::path& path) {
  const auto layout = discover(path);
  if (!layout.ok()) return layout.error().code;
  std::string out;
  for (const RankLayout& rank : layout.value().ranks) {
    out += (out.empty() ? "" : "; ") + std::to_string(rank.rank) + " " + rank.dir;
    if (rank.claimed) out += " claims " + std::to_string(*rank.claimed);
  }
  return out;
}

std::string error_of(const fs::path& path) {
  const auto layout = discover(path);
  return layout.ok() ? "no error" : to_text(layout.error());
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

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
  tree.run("l0/rank0_ascend_pt", "0").run("l1/rank0_ascend_pt", "0").run("l1/rank1_ascend_pt", "1");
  tree.file("l2/ASCEND_PROFILER_OUTPUT/step_trace_time.csv");
  CHECK(ranks_of(tree.path()) ==
        "0 l0/rank0_ascend_pt; 1 l1/rank1_ascend_pt; 2 l1/rank0_ascend_pt claims 0; 3 l2 claims 0");
}

TEST_CASE("layout: of several files of a kind one is read, and the others say so") {
  Tree tree;
  tree.file("ASCEND_PROFILER_OUTPUT/step_trace_time.csv", "")
      .file("ASCEND_PROFILER_OUTPUT/step_trace_time.csv.gz", gzip(kStepFile))
      .file("ASCEND_PROFILER_OUTPUT/op_statistic.csv", "OP Type,Count\n")
      .file("ASCEND_PROFILER_OUTPUT/op_statistic.csv.gz", gzip("OP Type,Count\n"))
      .file("ASCEND_PROFILER_OUTPUT/memory_record.csv", "Component\n");
  const auto layout = discover(tree.path());
  REQUIRE(layout.ok());
  std::string seen;
  for (const SourceFile& file : layout.value().ranks[0].files) {
    seen += fs::path(file.path).filename().string() + (file.gzip ? " gz: " : ": ") + file.why_not + "\n";
  }
  CHECK(seen ==
        "memory_record.csv: no table takes it in this version\n"
        "op_statistic.csv: \n"
        "op_statistic.csv.gz gz: ASCEND_PROFILER_OUTPUT/op_statistic.csv is read instead\n"
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
  tree.file("ms/aicore_intermediate_0_detail.csv", "a,b\n");
  CHECK(contains(error_of(tree.path("ms")), "MindSpore profile of a version before 2.4"));
  tree.directory("PROF_7/host").directory("PROF_7/device_0");
  CHECK(contains(error_of(tree.path("PROF_7")), "msprof --export=on"));
  tree.file("et/dlrm_eg_0.json", R"({"schema": "1.0.1", "nodes": []})");
  CHECK(ranks_of(tree.path("et")) == "profile.none");

  tree.file("bad_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv", "")
      .file("bad_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", "SQLite format 3");
  const std::string bad = error_of(tree.path("bad_ascend_pt"));
  CHECK(contains(bad, "kernel_details.csv (it is empty)"));
  CHECK(contains(bad, "trace_view.json (its first bytes are binary"));
}

TEST_CASE("layout: a Kineto trace is a rank, by distributedInfo, else by its name, else 0") {
  Tree tree;
  tree.file("w/worker3_step.pt.trace.json", R"({"distributedInfo": {"rank": 1}, "traceEvents": []})")
      .file("w/worker2_step.pt.trace.json", R"({"traceEvents": []})")
      .file("w/other.json",
            R"({"traceEvents": [], "distributedInfo": {"backend": "x", "rank": 7, "pg": [{"rank": 9}]}})")
      .file("w/rank-5.json.gz", gzip(R"({"schemaVersion": 1, "deviceProperties": [], "traceEvents": []})"))
      .file("w/sub/any.json", R"({"traceEvents": []})")
      .file("w/notes.json", R"({"a": 1})");
  CHECK(ranks_of(tree.path("w")) ==
        "0 sub/any.json; 1 worker3_step.pt.trace.json; 2 worker2_step.pt.trace.json; 5 rank-5.json.gz; 7 other.json");
}

TEST_CASE("layout: a single trace or graph dump is a profile by itself") {
  Tree tree;
  tree.file("a.pt.trace.json", R"({"traceEvents": []})")
      .file("b.pt.trace.json", R"({"traceEvents": []})")
      .file("g/ge_proto_00001_Build.txt", "graph {\n}\n")
      .file("broken.pt.trace.json", "no json");
  const auto one = discover(tree.path("b.pt.trace.json"));
  REQUIRE(one.ok());
  CHECK(one.value().kind == ProfileKind::kineto);
  CHECK(one.value().opened == tree.path("b.pt.trace.json"));
  CHECK(one.value().ranks.size() == 1);
  CHECK(discover(tree.path()).value().ranks.size() == 2);
  const auto graph = discover(tree.path("g/ge_proto_00001_Build.txt"));
  REQUIRE(graph.ok());
  CHECK(graph.value().kind == ProfileKind::graph_only);
  CHECK(graph.value().framework == "ge");
  CHECK(contains(error_of(tree.path("broken.pt.trace.json")), "does not begin like JSON"));
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
  tree.run("t/a_ascend_pt", "0").file("t/x.pt.trace.json", R"({"traceEvents": []})");
  const auto layout = discover(tree.path("t"));
  REQUIRE(layout.ok());
  CHECK(layout.value().kind == ProfileKind::torch_npu);
  REQUIRE(layout.value().unclaimed.size() == 1);
  CHECK(layout.value().unclaimed[0].path == "x.pt.trace.json");
  CHECK(contains(layout.value().unclaimed[0].why_not, "open it by its path"));
}

TEST_CASE("layout: graph dumps anywhere below belong to the lowest rank; others are added by path") {
  Tree tree, other;
  tree.run("a_ascend_pt", "3")
      .run("b_ascend_pt", "1")
      .file("dump/ge_onnx_00000001_graph_1_Build.pbtxt", "graph {\n}\n");
  tree.file("a_ascend_pt/code/output_code.py", "# AOT ID: ['0_inference']\n");
  other.file("x/fx_graph_readable.py", "class <lambda>(torch.nn.Module):\n");
  auto layout = discover(tree.path());
  REQUIRE(layout.ok());
  const auto graphs = [&] {
    std::string out;
    for (const SourceFile& file : layout.value().ranks[0].files) {
      if (is_input(ProfileKind::torch_npu, "graph_node", file.kind)) out += file.path + " ";
    }
    return out;
  };
  CHECK(layout.value().ranks[0].rank == 1);
  CHECK(graphs() == "a_ascend_pt/code/output_code.py dump/ge_onnx_00000001_graph_1_Build.pbtxt ");
  REQUIRE(add_graphs(layout.value(), {other.path("x")}).ok());
  CHECK(contains(graphs(), other.path("x/fx_graph_readable.py").string()));
  CHECK(add_graphs(layout.value(), {tree.path("a_ascend_pt/profiler_info_3.json")}).error().code == "graph.none");
  CHECK(add_graphs(layout.value(), {tree.path("absent")}).error().code == "profile.missing");
  CHECK(ranks_of(tree.path("dump")) == "0 ");
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
    // Links are read from GPU traces only.
    const bool is_trace = group_of(ProfileKind::torch_npu, name) == table::Group::trace && name != "kernel_link";
    CHECK(could_have(layout.value(), rank, name) ==
          (is_trace || name == "step" || name == "meta" || name == "diagnostic"));
    CHECK(input_for(ProfileKind::torch_npu, name).empty() == (name == "diagnostic"));
    if (is_trace) CHECK(input_for(ProfileKind::torch_npu, name) == "trace_view.json");
  }
  CHECK(input_for(ProfileKind::torch_npu, "op_stat") == "op_statistic.csv");
  CHECK(input_for(ProfileKind::torch_npu, "meta") == "profiler_info.json");
  CHECK_FALSE(could_have(layout.value(), rank, "no_such_table"));
}

}  // namespace stepwise::ingest
