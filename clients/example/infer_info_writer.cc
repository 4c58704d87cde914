#include <string_view>

#include "clients/example/infer_writers.h"
#include "clients/example/text_file.h"

namespace stepwise::example {

Result<int64_t> write_host_info(const std::filesystem::path& path, const InferExport& run) {
  SW_ASSIGN_OR_RETURN(TextFile file, TextFile::create(path));
  file.text(R"({"cpuCores":1,"cpuNums":192,"memoryTotal":2112305968,"DeviceInfo":[],"netCard":[],"drvVersion":467992,)")
      .text(
          R"("CPU":[{"Type":"TaishanV110","Frequency":"100.000000","Name":"HiSilicon","Logical_CPU_Count":"192","Id":0}],)")
      .text(R"("netCardNums":0,"jobInfo":"NA","rank_id":-1,"OS":"Linux","version":"1.0","pid_name":"serve",)")
      .text(R"("platform_version":"5","hostname":"localhost","hwtype":"aarch64","devices":")")
      .integer(run.device)
      .text(R"(","sysClockFreq":100,"platform":"","pid":")")
      .integer(run.process_id())
      .text("\"}");
  SW_RETURN_IF_ERROR(file.close());
  return file.bytes();
}

Result<int64_t> write_device_info(const std::filesystem::path& path, const InferExport& run) {
  SW_ASSIGN_OR_RETURN(TextFile file, TextFile::create(path));
  file.text(R"({"version":"1.0","platform_version":"5","devices":")")
      .integer(run.device)
      .text(R"(","DeviceInfo":[{"id":)")
      .integer(run.device)
      .text(R"(,"ai_core_num":24,"aiv_num":48,"ai_cpu_core_num":6,"ctrl_cpu_core_num":1,"aic_frequency":"1800",)")
      .text(R"("hwts_frequency":"50.000000","aiv_frequency":"1800"}],"rank_id":-1,"pid":")")
      .integer(run.process_id())
      .text("\"}");
  SW_RETURN_IF_ERROR(file.close());
  return file.bytes();
}

Result<int64_t> write_sample(const std::filesystem::path& path, const InferExport& run) {
  SW_ASSIGN_OR_RETURN(TextFile file, TextFile::create(path));
  file.text(
          R"({"ai_core_metrics":"PipeUtilizationExct","ai_core_profiling":"on","ai_core_profiling_mode":"task-based",)")
      .text(R"("prof_level":"l1","model_execution":"on","runtime_api":"on","acl":"on","devices":")")
      .integer(run.device)
      .text("\"}");
  SW_RETURN_IF_ERROR(file.close());
  return file.bytes();
}

}  // namespace stepwise::example
