// communication_matrix.json: digests and whole operations, exact numbers, and what is not as it should be.
#include <string>

#include "core/ingest/base/readers.h"
#include "core/ingest/exports/tables_test_files.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

using Losses = std::vector<std::string>;

const table::TableDecl& kMatrix = table::comm_matrix::kTable;
const std::vector<std::string_view> kAll{"step",      "name",  "kind",       "group_id",       "src_rank", "dst_rank",
                                         "transport", "bytes", "transit_ns", "bandwidth_gb_s", "op_name"};

Tables matrix(const std::string& text) { return read_text(read_communication_matrix, text); }

}  // namespace

TEST_CASE("communication_matrix: the digest of newer files") {
  Tables tables = matrix(
      R"_({"step13": {"p2p": {}, "collective": {
          "allreduce-top1@5862276093215481612": {
            "0-0": {"Transport Type": "LOCAL", "Transit Size(MB)": 4.128775999999999, "Transit Time(ms)": 0.00252,
                    "Bandwidth(GB/s)": 0.0063, "Op Name": "hcom_allReduce__346_4_1"},
            "0-12": {"Transport Type": "", "Transit Size(MB)": 622.3298560000001, "Transit Time(ms)": 32.65338,
                     "Bandwidth(GB/s)": 19.0587, "Op Name": "hcom_allReduce__346_4_1"}},
          "allreduce-total@5862276093215481612": {
            "0-0": {"Transport Type": "LOCAL", "Transit Size(MB)": 0, "Transit Time(ms)": 0, "Bandwidth(GB/s)": 0}}}}})_");
  REQUIRE(tables.rows(kMatrix) == 3);
  CHECK(tables.row(kMatrix, 0, kAll) ==
        "13|allreduce-top1|collective|5862276093215481612|0|0|LOCAL|4128776|2520|0.0063|hcom_allReduce__346_4_1");
  CHECK(
      tables.row(kMatrix, 1, kAll) ==
      "13|allreduce-top1|collective|5862276093215481612|0|12|null|622329856|32653380|19.0587|hcom_allReduce__346_4_1");
  CHECK(tables.row(kMatrix, 2, kAll) == "13|allreduce-total|collective|5862276093215481612|0|0|LOCAL|0|0|0|null");
  CHECK(tables.losses().empty());
}

TEST_CASE("communication_matrix: whole operations of 2023, and a run without steps") {
  Tables tables = matrix(
      R"_({"step": {"p2p": {
          "hcom_send__822_0@13337953553061386822": {
            "0-8": {"Transport Type": "RDMA", "Transit Size(MB)": 20.97152, "Transit Time(ms)": 0.86381540625}},
          "Total Op Info": {
            "0-8": {"Transport Type": "RDMA", "Transit Time(ms)": 0.86381540625, "Transit Size(MB)": 20.97152,
                    "Bandwidth(GB/s)": 24.2778}}}}})_");
  REQUIRE(tables.rows(kMatrix) == 2);
  CHECK(tables.row(kMatrix, 0, kAll) ==
        "null|hcom_send__822_0|p2p|13337953553061386822|0|8|RDMA|20971520|863815|null|hcom_send__822_0");
  CHECK(tables.row(kMatrix, 1, kAll) == "null|Total Op Info|p2p|null|0|8|RDMA|20971520|863815|24.2778|null");
  CHECK(tables.losses().empty());
}

TEST_CASE("communication_matrix: a file without links is a table without rows") {
  Tables tables = matrix(R"({"step3": {"p2p": {}, "collective": {}}})");
  CHECK(tables.has(kMatrix));
  CHECK(tables.rows(kMatrix) == 0);
  CHECK(tables.losses().empty());
  CHECK_FALSE(matrix("[]").has(kMatrix));
  CHECK(matrix("[]").losses() == Losses{"json.shape 1 @0"});
  CHECK(matrix("").losses() == Losses{"file.empty 1"});
}

TEST_CASE("communication_matrix: a link that makes no sense is left out, and counted") {
  const auto link = [](const std::string& ranks, const std::string& size, const std::string& time) {
    return "\"" + ranks + R"_(": {"Transit Size(MB)": )_" + size + R"_(, "Transit Time(ms)": )_" + time + "}";
  };
  const auto file = [](const std::string& links) { return R"_({"step1": {"collective": {"x@1": {)_" + links + "}}}}"; };
  for (const std::string& bad : {
           link("a-b", "1", "1"),
           link("01", "1", "1"),
           link("-1-0", "1", "1"),
           link("0-2", "-1", "1"),
           link("0-2", "1e30", "1"),
           link("0-2", "1", "86400001"),
           link("0-2", "\"1\"", "null"),
           std::string(R"_("0-2": {"Transit Size(MB)": 1})_"),
           std::string(R"_("0-2": 7)_"),
           std::string(R"_("0-2": [])_"),
       }) {
    INFO(bad);
    Tables tables = matrix(file(bad + ", " + link("0-1", "1", "1")));
    CHECK(tables.rows(kMatrix) == 1);
    REQUIRE(tables.losses().size() == 1);
    CHECK(tables.losses()[0].starts_with("json.shape 1"));
  }
  // Types that do not matter for the numbers.
  Tables tables = matrix(
      R"_({"step1": {"collective": {"x@": {"0-1": {"Transit Size(MB)": 1, "Transit Time(ms)": 1, "Transport Type": 5,
          "Bandwidth(GB/s)": null, "Op Name": null, "more": {"a": 1}}}}}})_");
  CHECK(tables.row(kMatrix, 0, kAll) == "1|x|collective|null|0|1|null|1000000|1000000|null|x");
  CHECK(matrix(R"_({"stepx": {}, "step2": 5, "other": {}})_").losses() == Losses{"json.shape 3 @1"});
}

TEST_CASE("communication_matrix: cut at each of its bytes, whole links stay") {
  const std::string link = R"_({"Transit Size(MB)": 1, "Transit Time(ms)": 1})_";
  const std::string text =
      R"_({"step1": {"p2p": {"x-top1@1": {"0-0": )_" + link + R"_(, "0-1": )_" + link + R"_(}}, "collective": {}}})_";
  std::vector<size_t> ends;
  for (size_t at = text.find("1}"); at != std::string::npos; at = text.find("1}", at + 1)) ends.push_back(at + 2);
  REQUIRE(ends.size() == 2);
  for (size_t length = 0; length <= text.size(); ++length) {
    INFO(length);
    Tables tables = matrix(text.substr(0, length));
    CHECK(tables.rows(kMatrix) == static_cast<uint64_t>(length >= ends[0]) + static_cast<uint64_t>(length >= ends[1]));
    CHECK(tables.losses().empty() == (length == text.size()));
  }
}

}  // namespace stepwise::ingest
