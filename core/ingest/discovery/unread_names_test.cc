// Files that profilers write and that are left out: each says why, by its name.
#include "core/ingest/discovery/unread_names.h"

#include <string>

#include "core/ingest/discovery/format_detect.h"
#include "core/ingest/discovery/layout_test_tree.h"
#include "tests/catch.h"

namespace stepwise::ingest {

TEST_CASE("unread names: what torch_npu and msprof write, with and without the time of an export") {
  for (const char* const name : {"soc_pmu",
                                 "nic",
                                 "roce",
                                 "pcie",
                                 "hccs",
                                 "ddr",
                                 "hbm",
                                 "llc_read_write",
                                 "ub",
                                 "ccu_mission",
                                 "ccu_channel",
                                 "dvpp",
                                 "ai_cpu_top_function",
                                 "ctrl_cpu_pmu_events",
                                 "ts_cpu_top_function",
                                 "host_cpu_usage",
                                 "host_mem_usage",
                                 "host_disk_usage",
                                 "host_network_usage",
                                 "os_runtime_statistic",
                                 "cpu_usage",
                                 "process_cpu_usage",
                                 "sys_mem",
                                 "process_mem",
                                 "msprof_tx",
                                 "aicpu_mi",
                                 "dp",
                                 "communication_statistic"}) {
    for (const char* const end : {".csv", "_20250101000000.csv"}) {
      const std::string file = name + std::string(end);
      INFO(file);
      CHECK(kind_of_name(file) == FileKind::not_understood);
      CHECK(why_unread(file) != why_unread("unheard_of.csv"));
    }
  }
}

TEST_CASE("unread names: a name that only begins like one of them is unknown") {
  for (const char* const file : {"nice.csv", "nic.txt", "dpx_1.csv", "xhbm.csv", "cpu_usages.csv", ""}) {
    INFO(file);
    CHECK(why_unread(file) == "no table takes it in this version");
  }
}

TEST_CASE("unread names: what is read is not told to be left out") {
  CHECK(kind_of_name("task_time.csv") == FileKind::task_time);
  CHECK(kind_of_name("task_time_20250101000000.csv") == FileKind::task_time);
  CHECK(kind_of_name("task_time_slice_0_20250101000000.csv") == FileKind::task_time);
  CHECK(kind_of_name("ai_core_utilization_20250101000000.csv") == FileKind::core_utilization);
  CHECK(kind_of_name("ai_vector_core_utilization_20250101000000.csv.gz") == FileKind::vector_core_utilization);
  CHECK(kind_of_name("ascend_cluster_analyse_pipeline-parallel_2_4_0.csv") == FileKind::ms_cluster_steps);
  CHECK(kind_of_name("ascend_cluster_analyse_data-parallel_1_1_0.csv") == FileKind::not_understood);
}

TEST_CASE("unread names: a file that lies in no run says why, not that it belongs to none") {
  Tree tree;
  tree.run("a_ascend_pt", "0")
      .file("inductor_provenance_tracking_node_mappings.json", "{}")
      .file("inductor_collective_schedule.json", "{}")
      .file("inductor_runtime_and_tensor_meta.json", "{}")
      .file("kernel.py", "@triton_heuristics.pointwise()\n@triton.jit\ndef triton_poi_0(): pass\n")
      .file("dvm_graph_fusion.py", "@dvm.kernel(ktype='split')\ndef dvm_0(k): pass\n")
      .file("setup.py", "import os\n")
      .file("settings.json", "{}")
      .file("communication_group_old.json", "{}")
      .file("profiler_metadata.json", "{}")
      .file("kernel_details.csv", "Name\n")
      .file("README.md", "#\n");
  const auto layout = discover(tree.path());
  REQUIRE(layout.ok());
  const auto why = [&](const std::string& path) -> std::string {
    for (const SourceFile& file : layout.value().unclaimed) {
      if (file.path == path) return file.why_not;
    }
    return "";
  };
  CHECK(contains(why("inductor_provenance_tracking_node_mappings.json"), "which operators a generated kernel"));
  CHECK(contains(why("inductor_collective_schedule.json"), "the compiler's order of collectives"));
  CHECK(contains(why("inductor_runtime_and_tensor_meta.json"), "what the compiler estimated"));
  CHECK(contains(why("kernel.py"), "the source of a Triton kernel"));
  CHECK(contains(why("dvm_graph_fusion.py"), "the source of a DVM kernel"));
  CHECK(why("setup.py") == "it is no code that a compiler of graphs generates");
  CHECK(why("settings.json") == "it has neither the events of a trace nor the nodes of an execution trace");
  CHECK(why("communication_group_old.json") == "it is not called communication_group.json, which would be read");
  CHECK(why("profiler_metadata.json") == "it lies above the runs, and belongs to none of them");
  CHECK(why("kernel_details.csv") == "it lies above the runs, and belongs to none of them");
  CHECK(why("README.md") == "its name is none that a profiler gives");
}

TEST_CASE("unread names: a directory with nothing but what describes a run says so") {
  Tree tree;
  tree.file("metadata/profiler_metadata.json", "{}");
  const std::string error = error_of(tree.path("metadata"));
  CHECK(contains(error, "profiler_metadata.json (it only describes a run, and no other file of that run lies beside"));
  CHECK_FALSE(contains(error, "is a profiler's"));
}

}  // namespace stepwise::ingest
