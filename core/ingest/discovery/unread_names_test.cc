// Files that profilers write and that are left out: each says why, by its name.
#include "core/ingest/discovery/unread_names.h"

#include <string>

#include "core/ingest/discovery/format_detect.h"
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
      CHECK(std::string(why_unread(file)) != why_unread("unheard_of.csv"));
    }
  }
}

TEST_CASE("unread names: a name that only begins like one of them is unknown") {
  for (const char* const file : {"nice.csv", "nic.txt", "dpx_1.csv", "xhbm.csv", "cpu_usages.csv", ""}) {
    INFO(file);
    CHECK(std::string(why_unread(file)) == "no table takes it in this version");
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

}  // namespace stepwise::ingest
