// Which process group a GPU's communication kernels are of.
#include <string>
#include <vector>

#include "core/ingest/timeline/kineto_test_events.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

namespace kernel = table::kernel;

using Texts = std::vector<std::string>;

constexpr const char* kNccl = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)";

std::string record(const std::string& ts, const std::string& dur, const std::string& group) {
  return slice("cpu_op", "record_param_comms", "70", "1", ts, dur,
               R"("External id": 5, "Collective name": "allreduce", "Process Group Name": )" + group);
}
std::string launch(const std::string& ts, const std::string& correlation) {
  return slice("cuda_runtime", "cudaLaunchKernelExC", "70", "1", ts, "1", R"("correlation": )" + correlation);
}
std::string device(const std::string& name, const std::string& ts, const std::string& correlation,
                   const std::string& more = "") {
  return slice("kernel", name, "0", "7", ts, "5", R"("device": 0, "stream": 7, "correlation": )" + correlation + more);
}

Texts groups_of(const std::vector<std::string>& events) {
  const auto read = read_kineto_text(trace_of(events, R"("baseTimeNanoseconds": 1700000000000000000)"));
  return read->texts(kernel::kTable, kernel::group_id);
}

}  // namespace

TEST_CASE("a collective's group is that of the record around its launch") {
  CHECK(groups_of({
            device(kNccl, "130", "3"),
            device(kNccl, "110", "1"),
            device("elementwise_kernel", "120", "2"),
            device(kNccl, "140", "4"),
            record("20", "10", R"("1")"),
            // The framework's annotation within says nothing of groups.
            slice("user_annotation", "nccl:all_reduce", "70", "1", "21", "8"),
            record("10", "5", R"("0")"),
            launch("11", "1"),
            launch("12", "2"),
            launch("22", "3"),
            launch("40", "4"),
        }) == Texts{"0", "-", "1", "-"});
}

TEST_CASE("what the kernel says of its group itself stands") {
  CHECK(groups_of({
            device(kNccl, "110", "1", R"(, "Process Group Name": "dp", "Process Group Ranks": "[0, 1]")"),
            device("ncclMemset", "120", "1"),
            device("sgemm", "130", "1", R"(, "Process Group Name": "dp")"),
            device(kNccl, "140", "9", R"(, "Process Group Name": "")"),
            record("10", "5", R"("0")"),
            launch("11", "1"),
        }) == Texts{"dp", "0", "-", "-"});
}

TEST_CASE("groups of other types, or none") {
  CHECK(groups_of({device(kNccl, "110", "1"), record("10", "5", "7"), launch("11", "1")}) == Texts{"-"});
  CHECK(groups_of({device(kNccl, "110", "1"), record("10", "5", R"("")"), launch("11", "1")}) == Texts{"-"});
  CHECK(groups_of({device(kNccl, "110", "1", R"(, "Process Group Name": ["a"])")}) == Texts{"-"});
}

}  // namespace stepwise::ingest
